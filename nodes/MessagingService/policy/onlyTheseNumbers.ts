import { readNumber } from '../numbers/readNumber';
import type { Violation } from './violation';

/** How numbers of requests and of the credential are compared: in international form. */
export function internationalForm(number: unknown): string | undefined {
	const reading = readNumber(number, { format: 'international' });
	return reading.problem === undefined ? reading.e164 : undefined;
}

/** The numbers of the field, with what they are in international form, if that is known. */
export function readOnlyThese(value: unknown): [entered: string, number: string | undefined][] {
	const entries = Array.isArray(value) ? value : String(value ?? '').split(/[,;\n]/);
	return entries
		.map((entry) => String(entry).trim())
		.filter((entry) => entry !== '')
		.map((entry) => [entry, internationalForm(entry)]);
}

/** Why a number may not be reached during a trial; undefined where it may, and without a trial. */
export function outsideTrial(
	onlyThese: ReadonlySet<string> | undefined,
	e164: string | undefined,
): Violation | undefined {
	if (onlyThese === undefined || (e164 !== undefined && onlyThese.has(e164))) return undefined;
	return {
		rule: 'onlyTheseNumbers',
		reason: 'is not in Only These Numbers',
		allowed: 'Only These Numbers limits this credential to the numbers of a trial.',
	};
}
