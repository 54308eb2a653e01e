import { shorten } from '../../transport/texts';

const MAX_NAME = 11;
const MAX_SHOWN = 40;

/** What every network takes in the name of a sender. */
const SAFE = /^[A-Za-z0-9 &+_-]$/;

/** Why networks may change or refuse a sender; undefined for a number and for a name that they take. */
export function senderProblem(sender: unknown): string | undefined {
	if (typeof sender !== 'string' || /^\+?[\d ]+$/.test(sender)) return undefined;
	const characters = [...sender];
	const shown = shorten(sender, MAX_SHOWN);
	const other = characters.find((character) => !SAFE.test(character));
	if (other !== undefined) {
		return `Networks may drop characters of the sender "${shown}". Use letters A to Z, digits and spaces.`;
	}
	if (characters.length <= MAX_NAME) return undefined;
	return `The sender "${shown}" has ${characters.length} characters. Networks take at most ${MAX_NAME} in a name, and may cut or refuse it.`;
}
