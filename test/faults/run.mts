/**
 * The fault matrix: every scenario in n8n in queue mode, then the tables of docs/development/reliability.md from
 * what was counted. All of it takes about half an hour; a part of it, by the names of scenarios:
 *
 *     npm run faults
 *     npm run faults -- events -t 'PostgreSQL restarted'
 *
 * Rows that were not run again keep what was counted before.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installN8n } from '../../host/n8nInstall.ts';
import { provideQueuePrograms } from '../queue/stand/programs.ts';
import { localFolder, repository } from '../../host/runtime.mjs';
import { putIntoPage } from '../support/page.mts';
import type { FaultRow } from './support/rows.ts';

const folder = path.join(localFolder, 'faults');
const page = 'reliability.md';

const columns: Record<FaultRow['table'], string[]> = {
	events: [
		'What happens meanwhile',
		...['sent', 'acknowledged', 'executed', 'kept, not executed', 'lost', 'doubled'],
		'executions',
	],
	sends: [
		'What happens meanwhile',
		...['items', 'accepted', 'reported as accepted', 'not sent', 'doubled', 'execution'],
	],
};

function table(name: FaultRow['table'], rows: FaultRow[]): string {
	const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
	const lines = rows
		.filter((row) => row.table === name)
		.sort((one, other) => one.place - other.place)
		.map(({ scenario, cells }) => line([scenario, ...cells]));
	return [line(columns[name]), line(columns[name].map(() => '---')), ...lines].join('\n');
}

/** Puts the tables into the page, between their markers. */
function writePage(rows: FaultRow[], versions: string): void {
	const dates = [...new Set(rows.map(({ date }) => date))].sort();
	putIntoPage(page, 'measured', `${versions}; ${dates.join(', ')}.`);
	for (const name of Object.keys(columns) as FaultRow['table'][]) {
		putIntoPage(page, `${name} table`, table(name, rows));
	}
}

const programs = await provideQueuePrograms();
const jest = path.join(repository, 'node_modules', 'jest', 'bin', 'jest.js');
const { status } = spawnSync(
	process.execPath,
	[jest, '--selectProjects', 'faults', '--runInBand', ...process.argv.slice(2)],
	{ cwd: repository, stdio: 'inherit' },
);

mkdirSync(folder, { recursive: true });
const rows = readdirSync(folder)
	.filter((name) => name.endsWith('.json'))
	.map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as FaultRow);
const said = (file: string) => {
	const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
	return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? 'of an unknown version';
};
if (rows.length > 0) {
	writePage(
		rows,
		[
			`n8n ${(await installN8n()).version}`,
			`Node.js ${process.versions.node}`,
			`PostgreSQL ${said(path.join(programs.postgres, 'postgres'))}`,
			`Redis ${said(programs.redis)}`,
		].join(', '),
	);
	for (const name of Object.keys(columns) as FaultRow['table'][]) {
		console.log(`\n${table(name, rows)}`);
	}
}
process.exitCode = status ?? 1;
