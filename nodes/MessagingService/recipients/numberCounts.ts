import { classify } from '../numbers/classify';
import type { NumberOptions } from '../numbers/readNumber';
import { readRecipientNumber } from './number';

/** How many numbers there are of each country and of each type. */
export interface NumberCounts {
	/** ISO 3166-1 alpha-2; `international` for numbers of no country, `unknown` without country code. */
	byCountry: Record<string, number>;
	byType: Record<string, number>;
}

/** Counts numbers as they are sent, the most frequent country and type first. */
export function countNumbers(numbers: readonly unknown[], options: NumberOptions): NumberCounts {
	const countries = new Map<string, number>();
	const types = new Map<string, number>();
	const count = (counts: Map<string, number>, name: string) =>
		counts.set(name, (counts.get(name) ?? 0) + 1);
	for (const number of numbers) {
		const reading = readRecipientNumber(number, { ...options, allowedTypes: undefined });
		const e164 = reading.problem === undefined ? reading.e164 : undefined;
		const found = e164 === undefined ? undefined : classify(e164);
		count(countries, found === undefined ? 'unknown' : (found.country ?? 'international'));
		count(types, found?.type ?? 'unknown');
	}
	return { byCountry: sorted(countries), byType: sorted(types) };
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
	return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}
