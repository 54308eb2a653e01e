import type { Database } from './database.ts';

/** Old records are removed this many at a time. */
const batch = 1000;

/** Keeps at most this many records, and up to a batch more; call it with the id of each new one. */
export const keepLatest = (
	database: Database,
	table: 'requests' | 'deliveries',
	newest: number,
	limit: number,
): void => {
	if (newest % batch !== 0 || newest <= limit) return;
	const last = newest - limit;
	database.transaction(() => {
		if (table === 'requests') {
			database.change('DELETE FROM requests WHERE id <= ?', last);
			return;
		}
		const old = "SELECT id FROM deliveries WHERE id <= ? AND status <> 'pending'";
		database.change(`DELETE FROM deliveryAttempts WHERE deliveryId IN (${old})`, last);
		database.change("DELETE FROM deliveries WHERE id <= ? AND status <> 'pending'", last);
	});
};
