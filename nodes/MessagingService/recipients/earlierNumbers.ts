import type { Candidates } from './sources';
import { NumberSet } from './numberSet';

/** Remembers the numbers of recipients, to find duplicates. */
export interface EarlierNumbers {
	/** Notes a number. @returns the name of the earlier recipient that has it, if there is one */
	note(key: string, place: number): string | undefined;
}

/** Names rows of a file, of which only the numbers are kept. */
export function earlierRows(): EarlierNumbers {
	const numbers = new NumberSet();
	return { note: (key) => (numbers.add(key) ? 'an earlier row' : undefined) };
}

/** Names items by their index, and entries of a list by their place, which people count from 1. */
export function earlierCandidates({ isItems, noun }: Candidates): EarlierNumbers {
	const places = new Map<string, number>();
	return {
		note(key, place) {
			const first = places.get(key);
			if (first !== undefined) return `${noun} ${first + (isItems ? 0 : 1)}`;
			places.set(key, place);
			return undefined;
		},
	};
}
