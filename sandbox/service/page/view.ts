import type { Service } from '../service.ts';

/** What the last form came to; shown in its section, with the form as it was filled in. */
export interface Note {
	/** The section of the form. */
	section: string;
	action: string;
	fields: URLSearchParams;
	text: string;
	isError: boolean;
}

/** What the page is made from. */
export interface View {
	service: Service;
	/** The address that the page was asked for under. */
	origin: string;
	note: Note | undefined;
}

/** What a form does with the service; returns what to say, and throws an error that says what is wrong. */
export type Action = (service: Service, fields: URLSearchParams) => string;

/** The zone of every time on the page. */
export const zoneOf = ({ settings }: Service): string => settings.current.conventions.timeZone;
