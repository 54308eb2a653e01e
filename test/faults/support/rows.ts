import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of the rows, one file each: `npm run faults` makes docs/development/reliability.md of them. */
export const rowFolder = path.resolve('.local', 'faults');

/** What a scenario came to. */
export interface FaultRow {
	/** Where the row stands: the table, and the place in it. */
	table: 'events' | 'sends';
	place: number;
	/** What happens. */
	scenario: string;
	/** The cells after it, as the table has them. */
	cells: (string | number)[];
	date: string;
}

/** Writes the row of a scenario. */
export async function writeRow(row: Omit<FaultRow, 'date'>): Promise<void> {
	mkdirSync(rowFolder, { recursive: true });
	const whole: FaultRow = { ...row, date: new Date().toISOString().slice(0, 10) };
	const file = `${row.table}-${String(row.place).padStart(2, '0')}.json`;
	writeFileSync(path.join(rowFolder, file), `${JSON.stringify(whole, undefined, '\t')}\n`);
}
