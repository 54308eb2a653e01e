import { shorten } from '../../transport/texts';

const MAX_SHOWN = 40;

/** A number, or a name that every network takes. */
const SAFE = /^(\+?[\d ]+|[A-Za-z0-9 &+_-]{1,11})$/;

/** Why networks may change or refuse a sender; undefined for a number and for a name that they take. */
export function senderProblem(sender: unknown): string | undefined {
	if (typeof sender !== 'string' || SAFE.test(sender)) return undefined;
	return `Networks may change or refuse the sender "${shorten(sender, MAX_SHOWN)}": use at most 11 letters A to Z, digits and spaces.`;
}
