import { shorten } from '../transport/texts';

const MAX_TITLE_CHARACTERS = 80;

/** Invalid input of the user, found before anything was sent. The item loop adds node and item. */
export class InputError extends Error {
	/** Display name of the n8n field that is wrong. */
	readonly field: string;
	/** How to fix it. */
	readonly description: string;

	/**
	 * @param field display name of the n8n field that is wrong
	 * @param problem what is wrong with it, continuing the field's name: "is empty"
	 * @param description how to fix it
	 */
	constructor(field: string, problem: string, description: string) {
		super(shorten(`${field} ${problem}`, MAX_TITLE_CHARACTERS));
		this.name = 'InputError';
		this.field = field;
		this.description = description;
	}
}

const MAX_SHOWN_CHARACTERS = 30;

/** A value as an error title shows it: on one line and short. */
export function shown(value: unknown): string {
	const text = typeof value === 'object' && value !== null ? jsonOf(value) : String(value);
	const characters = [...text.replace(/\s+/g, ' ').trim()];
	return characters.length > MAX_SHOWN_CHARACTERS
		? `${characters.slice(0, MAX_SHOWN_CHARACTERS).join('')}...`
		: characters.join('');
}

function jsonOf(value: object): string {
	try {
		return JSON.stringify(value);
	} catch {
		return 'an object';
	}
}
