import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { endedByThemselves } from '../../queue/support/stand.ts';

/** The folder of the rows, one file each: `npm run faults` makes docs/development/reliability.md of them. */
export const rowFolder = path.resolve('.local', 'faults');

/** What a scenario came to. */
export interface FaultRow {
	/** Where the row stands: the table, and the place in it. */
	table: 'events' | 'sends' | 'others';
	place: number;
	/** What happens. */
	scenario: string;
	/** The cells after it, as the table has them. */
	cells: (string | number)[];
	/** n8n processes that ended by themselves and were started again. */
	ended: string[];
	date: string;
}

let before: string[] = [];

/** Call before a scenario: processes that ended earlier are not its doing. */
export async function beginScenario(): Promise<void> {
	before = await endedByThemselves();
}

/** Writes the row of a scenario. */
export async function writeRow(row: Omit<FaultRow, 'ended' | 'date'>): Promise<void> {
	mkdirSync(rowFolder, { recursive: true });
	const ended = (await endedByThemselves()).slice(before.length);
	const whole: FaultRow = { ...row, ended, date: new Date().toISOString().slice(0, 10) };
	const file = `${row.table}-${String(row.place).padStart(2, '0')}.json`;
	writeFileSync(path.join(rowFolder, file), `${JSON.stringify(whole, undefined, '\t')}\n`);
}
