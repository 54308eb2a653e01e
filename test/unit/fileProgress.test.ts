import fc from 'fast-check';
import groupBy from 'lodash/groupBy';
import range from 'lodash/range';
import type { IDataObject } from 'n8n-workflow';
import {
	FileProgress,
	type FileCampaign,
} from '../../nodes/MessagingService/execution/fileProgress';
import { runs } from '../support/runs';

type State = FileCampaign['state'];
type RowState = State | 'partlySent';

/** Of a campaign; undefined for one that was not started. */
const states = fc.constantFrom<State | undefined>(
	'sent',
	'sent',
	'possiblySent',
	'notSent',
	undefined,
);

const files = fc.record({
	startAtRow: fc.integer({ min: 1, max: 3 }),
	blocks: fc.array(
		fc.record({
			/** Rows before it that have no campaign. */
			gap: fc.constantFrom(0, 0, 0, 1, 2),
			rows: fc.integer({ min: 1, max: 3 }),
			states: fc.array(states, { minLength: 1, maxLength: 3 }),
		}),
		{ maxLength: 6 },
	),
	/** Rows behind the last campaign; undefined where the file was not read to its end. */
	behind: fc.constantFrom(0, 1, 3, undefined),
	isRetry: fc.boolean(),
	seed: fc.integer(),
});

/** What a block is, by the states of its campaigns. */
function stateOf(all: readonly (State | undefined)[]): RowState {
	if (all.includes('possiblySent')) return 'possiblySent';
	if (!all.includes('sent')) return 'notSent';
	return all.every((state) => state === 'sent') ? 'sent' : 'partlySent';
}

/** The file as its progress knows it, and the state of each of its rows. */
function fileOf({ startAtRow, blocks, behind, isRetry, seed }: File, areStored = false) {
	const campaigns: FileCampaign[] = [];
	const rows = new Map<number, RowState>();
	let next = startAtRow;
	let part = 0;
	for (const block of blocks) {
		for (const row of range(next, next + block.gap)) rows.set(row, 'notSent');
		const firstRow = next + block.gap;
		const all = areStored ? block.states.slice(0, 1) : block.states;
		next = firstRow + block.rows;
		const place = { firstRow, lastRow: next - 1, campaigns: all.length };
		for (const row of range(firstRow, next)) rows.set(row, stateOf(all));
		for (const state of all) {
			part++;
			if (state !== undefined) campaigns.push({ part, ...place, state });
		}
	}
	// One row stands for all that the file may have behind those that were read.
	for (const row of range(next, next + (behind ?? 1))) rows.set(row, 'notSent');
	const endAtRow = behind === undefined ? Infinity : next + behind - 1;
	const progress = new FileProgress({ startAtRow, endAtRow: Infinity }, { areStored, isRetry });
	progress.endAt(endAtRow);
	// They end in any order.
	const inAnyOrder = campaigns.sort((a, b) => ((a.part * seed) % 7) - ((b.part * seed) % 7));
	for (const campaign of inAnyOrder) {
		// A later state replaces an earlier one.
		if (campaign.part % 2 === 0) progress.note({ ...campaign, state: 'possiblySent' });
		progress.note(campaign);
	}
	return { progress, rows, endAtRow, campaigns };
}

type File = typeof files extends fc.Arbitrary<infer Value> ? Value : never;

/** Ranges of rows with this state, as texts. */
function textOf(rows: ReadonlyMap<number, RowState>, wanted: RowState, endAtRow: number): string[] {
	const found = [...rows].flatMap(([row, state]) => (state === wanted ? [row] : []));
	const runs = Object.values(groupBy(found, (row) => row - found.indexOf(row)));
	return runs.map((run) => {
		const [first = 0, last = 0] = [run[0], run.at(-1)];
		if (endAtRow === Infinity && last === Math.max(...rows.keys())) return `${first} and later`;
		return first === last ? `${first}` : `${first} to ${last}`;
	});
}

/** The fields of a file that was sent, or may have been, in part. */
function expectedFields(file: ReturnType<typeof fileOf>): Record<string, string> {
	const names = ['sent', 'possiblySent', 'partlySent', 'notSent'] as const;
	const texts = names.map((state) => textOf(file.rows, state, file.endAtRow).join(', '));
	return Object.fromEntries(
		names.flatMap((state, index) => (texts[index] ? [[`${state}Rows`, texts[index]]] : [])),
	);
}

const isTouched = ({ campaigns }: ReturnType<typeof fileOf>) =>
	campaigns.some(({ state }) => state !== 'notSent');

describe('the rows of a file that was sent in part', () => {
	it('are named by their state, each once', () => {
		fc.assert(
			fc.property(files, (file) => {
				const made = fileOf(file);
				const { progress, rows, campaigns } = made;
				const count = (state: State) => campaigns.filter((each) => each.state === state).length;
				expect(progress.isUntouched).toBe(!isTouched(made));
				for (const state of ['sent', 'possiblySent', 'notSent'] as const)
					expect(progress.count(state)).toBe(count(state));
				const sent = count('possiblySent') > 0 ? 'possibly' : 'no';
				expect(progress.sent).toBe(count('sent') > 0 ? 'partly' : sent);
				const { continueAtRow, ...named } = progress.fields();
				expect(named).toEqual(isTouched(made) ? expectedFields(made) : {});
				// Nothing behind it was sent, and everything before it was.
				const open = [...rows].filter(([, state]) => state === 'notSent').map(([row]) => row);
				const [first] = open;
				const isRest =
					open.length > 0 && open.length === Math.max(...rows.keys()) - Number(first) + 1;
				const isNamed = isTouched(made) && !file.isRetry && isRest;
				expect(continueAtRow).toBe(isNamed ? first : undefined);
				expect('continueAtRow' in progress.fields()).toBe(isNamed);
			}),
			{ numRuns: runs(200) },
		);
	});

	it('are continued at the first that is not stored, where they are stored one by one', () => {
		fc.assert(
			fc.property(files, (file) => {
				const made = fileOf(file, true);
				const open = [...made.rows].find(([, state]) => state !== 'sent');
				const isNamed = isTouched(made) && !file.isRetry;
				expect(made.progress.fields().continueAtRow).toBe(isNamed ? open?.[0] : undefined);
			}),
			{ numRuns: runs(100) },
		);
	});

	it('are told in words as in fields', () => {
		const labels = { sent: 'Sent', possiblySent: 'Possibly sent', partlySent: 'Partly sent' };
		fc.assert(
			fc.property(files, (file) => {
				const made = fileOf(file);
				const text = made.progress.describe();
				if (!isTouched(made)) return void expect(text).toBe('');
				const fields: IDataObject = made.progress.fields();
				const all = { ...labels, notSent: `Not sent${file.isRetry ? ' by this retry' : ''}` };
				const lines = Object.entries(all).flatMap(([state, label]) => {
					const rows = fields[`${state}Rows`] as string | undefined;
					return rows === undefined ? [] : [`${label}: rows ${rows} of the file.`];
				});
				expect(text.match(/(Sent|Possibly sent|Partly sent|Not sent[a-z ]*): [^.]*\./g)).toEqual(
					lines,
				);
				const warned = /Possibly sent: [^.]*\. Check in the service before you send them again\./;
				expect(warned.test(text)).toBe(fields.possiblySentRows !== undefined);
				expect(/only a retry/.test(text)).toBe(fields.partlySentRows !== undefined);
				// Nothing follows but the advice.
				const end = /(of the file|them again|send the others|has sent|in File Options|to \d+)\.$/;
				expect(text).toMatch(end);
				expect(adviceIn(text)).toEqual(expectedAdvice(fields, file.isRetry));
			}),
			{ numRuns: runs(100) },
		);
	});

	it('are told by the words for storing where they are stored', () => {
		const progress = new FileProgress({ startAtRow: 1, endAtRow: 9 }, { areStored: true });
		const note = (row: number, state: State) =>
			void progress.note({ part: row, firstRow: row, lastRow: row, campaigns: 1, state });
		note(1, 'sent');
		note(2, 'possiblySent');
		expect(progress.describe()).toBe(
			'Stored: rows 1 of the file. Possibly stored: rows 2 of the file. Not stored: rows 3 to 9 of the file. To continue in a new execution, set Start at Row in File Options to 2: storing a row again overwrites it.',
		);
	});

	it('are told with the item where others have files too: the fields hold for all of them', () => {
		const progress = new FileProgress({ startAtRow: 1, endAtRow: 9 });
		const note = (row: number) =>
			void progress.note({ part: row, firstRow: row, lastRow: row, campaigns: 1, state: 'sent' });
		note(1);
		expect(progress.describe(false)).toContain(
			'To continue in a new execution with only this item, set Start at Row in File Options to 2.',
		);
		note(5);
		expect(progress.describe(false)).toContain(
			'To continue, start a new execution with only this item for each of these ranges',
		);
	});

	it('are listed up to twenty ranges in a text, and all in a field', () => {
		const described = (ranges: number) => {
			const progress = new FileProgress({ startAtRow: 1, endAtRow: 2 * ranges });
			for (const row of range(1, 2 * ranges, 2))
				progress.note({ part: row, firstRow: row, lastRow: row, campaigns: 1, state: 'sent' });
			return [/Sent: rows (.*?) of/.exec(progress.describe())?.[1], progress.fields().sentRows];
		};
		const odd = (count: number) => range(1, 2 * count, 2).join(', ');
		expect(described(20)).toEqual([odd(20), odd(20)]);
		expect(described(21)).toEqual([`${odd(20)}, ...`, odd(21)]);
	});
});

/** How the text says to continue. */
function adviceIn(text: string): string {
	const [, start, , end] =
		/set Start at Row in File Options to (\d+)( and End at Row to (\d+))?\./.exec(text) ?? [];
	if (start !== undefined) return `${start}-${end ?? ''}`;
	if (text.includes('for each of these ranges')) return 'ranges';
	return text.includes('retry the execution again') ? 'retry' : '';
}

function expectedAdvice({ notSentRows, continueAtRow }: IDataObject, isRetry: boolean): string {
	if (notSentRows === undefined) return '';
	if (isRetry) return 'retry';
	if (continueAtRow !== undefined) return `${String(continueAtRow as number)}-`;
	const [first, last = first] = String(notSentRows as string).split(' to ');
	return String(notSentRows as string).includes(',') ? 'ranges' : `${first}-${last}`;
}
