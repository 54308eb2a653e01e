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

/** Which part of the page is wanted. */
export interface Selection {
	/** Only this list; everything otherwise. */
	list: string | undefined;
	/** Only records older than the one of this key. */
	before: number | undefined;
}

/** What the page is made from. */
export interface View {
	service: Service;
	/** The address that the page was asked for under. */
	origin: string;
	note: Note | undefined;
	selection: Selection;
}

/** The address of a part of the page. */
export const addressOf = ({ list, before }: Selection): string => {
	const query = new URLSearchParams();
	if (list !== undefined) query.set('list', list);
	if (before !== undefined) query.set('before', String(before));
	return query.size === 0 ? '/' : `/?${query.toString()}`;
};

/** What a form does with the service; returns what to say, and throws an error that says what is wrong. */
export type Action = (service: Service, fields: URLSearchParams) => string | Promise<string>;

/** The zone of every time on the page. */
export const zoneOf = ({ settings }: Service): string => settings.current.conventions.timeZone;
