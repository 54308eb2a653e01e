import { setImmediate as breathe } from 'node:timers/promises';
import { problem } from './errors.ts';
import type { Service } from './service.ts';

/** How many entries of a long list are handled before other requests get their turn. */
export const sliceSize = 1000;

/**
 * Stores a long list in several transactions, so that other requests are answered meanwhile. The clock stands still
 * until it ends. What it has stored must not be visible before the last slice: a reset in between ends it.
 */
export const storeInSlices = async <Entry>(
	service: Service,
	entries: Entry[],
	store: (entry: Entry, position: number) => void,
): Promise<void> => {
	const { clock, database } = service;
	const release = clock.hold();
	const { epoch } = service;
	try {
		for (let first = 0; first < entries.length; first += sliceSize) {
			if (first > 0) await breathe();
			if (service.epoch !== epoch) throw problem(409, 'The sandbox was reset in the meantime.');
			database.transaction(() => {
				const end = Math.min(entries.length, first + sliceSize);
				for (let position = first; position < end; position++) {
					store(entries[position] as Entry, position);
				}
			});
		}
	} finally {
		release();
	}
};
