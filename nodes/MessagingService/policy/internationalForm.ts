import { readNumber } from '../numbers/readNumber';

/** How numbers of requests and of the credential are compared; undefined where it is not known. */
export function internationalForm(number: unknown): string | undefined {
	const reading = readNumber(number, { format: 'international' });
	return reading.problem === undefined ? reading.e164 : undefined;
}
