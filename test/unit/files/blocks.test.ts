import fc from 'fast-check';
import chunk from 'lodash/chunk';
import type { IDataObject } from 'n8n-workflow';
import { arrayOf } from '../../../nodes/MessagingService/jsonList';
import {
	countedAs,
	FilePass,
	leftOutFields,
	type Block,
	type FileRecipients,
} from '../../../nodes/MessagingService/recipients/file/blocks';
import { Problems } from '../../../nodes/MessagingService/recipients/file/problems';
import type { Screen } from '../../../nodes/MessagingService/recipients/screen';
import { contacts } from '../../../nodes/MessagingService/resources/smsCampaign/contacts';
import { runs } from '../../support/runs';

type Policy = 'stop' | 'skip' | 'send';

interface File {
	rows: { flaw: string; person: number }[];
	startAtRow: number;
	/** How many rows are to be sent. */
	length: number;
	perCampaign: number | undefined;
	invalid: Policy;
	duplicate: Policy;
	chunkBytes: number;
}

/** Rows with a flaw or without one, and whom they are about. */
const rows = fc.array(
	fc.record({
		flaw: fc.constantFrom('none', 'none', 'none', 'noNumber', 'cells'),
		person: fc.integer({ min: 0, max: 9 }),
	}),
	{ maxLength: 16 },
);

const files: fc.Arbitrary<File> = fc.record({
	rows,
	startAtRow: fc.integer({ min: 1, max: 4 }),
	length: fc.constantFrom(1, 3, 6, Infinity),
	perCampaign: fc.constantFrom(1, 2, 3, undefined),
	invalid: fc.constantFrom<Policy>('stop', 'skip', 'send'),
	duplicate: fc.constantFrom<Policy>('stop', 'skip', 'send'),
	chunkBytes: fc.constantFrom(7, 50, 100_000),
});

const numberOf = (person: number) => `+44770090000${person}`;
const lineOf = ({ flaw, person }: { flaw: string; person: number }) =>
	flaw === 'cells' ? 'a,b,c' : `${flaw === 'noNumber' ? '' : numberOf(person)},P${person}`;

/** Person 8 must not be contacted, person 9 only later; person 7 has a start of its own. */
const screen: Screen = (number) => {
	const leftOut = { reason: 'not now', advice: 'Wait.' };
	if (number === numberOf(8)) return { leftOut: { ...leftOut, code: 'doNotContact' } };
	if (number === numberOf(9)) return { leftOut: { ...leftOut, code: 'sendingHours' } };
	return number === numberOf(7) ? { startDateTime: '2030-05-18T08:00:00Z' } : {};
};

function passOver({ rows: all, startAtRow, length, chunkBytes, ...options }: File) {
	const read = { chunks: 0 };
	const text = ['phone,name', ...all.map(lineOf), ''].join('\n');
	const recipients: FileRecipients = {
		...{ kind: contacts, screen },
		options: { ...options, numbers: { format: 'international' } },
		choices: ['phone', 'name'].map((path) => ({
			...{ name: path === 'phone' ? 'phoneNumber' : path, label: path, path, matches: [] },
		})),
		source: {
			async *open() {
				for (const bytes of chunk([...Buffer.from(text)], chunkBytes)) {
					read.chunks++;
					yield await Promise.resolve(Uint8Array.from(bytes));
				}
			},
			...{ format: { encoding: 'auto', delimiter: ',' }, wantsProblemsFile: false },
			...{ startAtRow, endAtRow: startAtRow + length - 1 },
		},
	};
	const problems = new Problems(undefined);
	return { pass: new FilePass(recipients, problems), problems, read };
}

/** Each row in words: the recipient, or as what it counts. */
function outcomes({ rows: all, startAtRow, length, invalid, duplicate }: File) {
	const known = new Set<number>();
	return all.slice(0, startAtRow + length - 1).map(({ flaw, person }, index) => {
		const isRepeat = flaw === 'none' && known.has(person);
		const isBefore = index + 1 < startAtRow;
		const complaints: [string, Policy][] = [];
		if (flaw === 'cells') complaints.push(['invalid', invalid === 'stop' ? 'stop' : 'skip']);
		if (flaw === 'noNumber') complaints.push(['invalid', invalid]);
		if (flaw === 'none') known.add(person);
		if (isRepeat) complaints.push(['duplicate', duplicate]);
		const isOut = complaints.some(([, policy]) => policy !== 'send');
		if (!isOut && flaw === 'none' && person > 7)
			complaints.push([person === 8 ? 'doNotContact' : 'sendingHours', 'skip']);
		const counts = complaints.flatMap(([kind, policy]) => (policy === 'send' ? [] : [kind]));
		return {
			...{ row: index + 1, isBefore, complaints: isBefore ? [] : complaints },
			leftOut: isBefore ? [] : counts,
			recipient: isBefore || counts.length > 0 ? undefined : { flaw, person },
		};
	});
}

const countsOf = (kinds: readonly string[]) => {
	const count = (kind: string) => kinds.filter((each) => each === kind).length;
	return {
		...{ invalid: count('invalid'), duplicate: count('duplicate') },
		...{ doNotContact: count('doNotContact'), sendingHours: count('sendingHours') },
	};
};

const contactOf = ({ flaw, person }: { flaw: string; person: number }) => ({
	...{ phoneNumber: flaw === 'none' ? numberOf(person) : '', name: `P${person}` },
});

/** The blocks of a file: each ends with the row that makes it full, the last one with the file. */
function expectedBlocks(file: File) {
	const blocks: { firstRow: number; lastRow: number; rows: ReturnType<typeof outcomes> }[] = [];
	let current: ReturnType<typeof outcomes> = [];
	const end = () => {
		const [first] = current;
		if (first === undefined) return;
		blocks.push({ firstRow: first.row, lastRow: current.at(-1)?.row ?? 0, rows: current });
		current = [];
	};
	for (const outcome of outcomes(file)) {
		if (outcome.isBefore) continue;
		current.push(outcome);
		const isFull = current.filter((each) => each.recipient !== undefined).length;
		if (isFull === (file.perCampaign ?? 10_000) && outcome.recipient !== undefined) end();
	}
	end();
	return blocks;
}

test('every row is in one block, as a recipient or as one that was left out', async () => {
	await fc.assert(
		fc.asyncProperty(files, async (file) => {
			const { pass, problems } = passOver(file);
			const blocks: (Omit<Block, 'groups'> & { groups: unknown[] })[] = [];
			for await (const { groups, ...block } of pass.blocks()) {
				blocks.push({
					...block,
					groups: groups.map(({ recipients, places, startDateTime }) => [
						...[arrayOf(recipients), places, startDateTime],
					]),
				});
				// Its list is used again.
				for (const { recipients } of groups) pass.release(recipients);
			}
			expect(blocks).toEqual(
				expectedBlocks(file).map(({ firstRow, lastRow, rows: all }) => {
					const groupOf = (isLater: boolean) =>
						all.flatMap(({ recipient, row }) =>
							recipient === undefined ||
							(recipient.flaw === 'none' && recipient.person === 7) !== isLater
								? []
								: [[contactOf(recipient), row + 1] as const],
						);
					const groups = [false, true].flatMap((isLater) => {
						const group = groupOf(isLater);
						const start = isLater ? '2030-05-18T08:00:00Z' : undefined;
						return group.length === 0
							? []
							: [[group.map(([contact]) => contact), group.map(([, line]) => line), start]];
					});
					const leftOut = countsOf(all.flatMap((each) => each.leftOut));
					return { firstRow, lastRow, groups, leftOut };
				}),
			);
			const all = outcomes(file);
			const complaints = all.flatMap((each) => each.complaints.map((complaint) => complaint));
			expect(pass.rows).toBe(all.length);
			expect(pass.leftOutInAll).toEqual(countsOf(all.flatMap((each) => each.leftOut)));
			expect(problems.total).toBe(complaints.length);
			expect(problems.stopping).toBe(complaints.filter(([, policy]) => policy === 'stop').length);
			expect(problems.listed.map(({ line }) => line)).toEqual(
				all.flatMap(({ row, complaints: own }) => own.map(() => row + 1)),
			);
		}),
		{ numRuns: runs(50) },
	);
});

test('a long file is read to its end, or to End at Row and not much further', async () => {
	const all = Array.from({ length: 30_000 }, (_, row) => ({ flaw: 'none', person: row % 7 }));
	const file: File = {
		...{ rows: all, startAtRow: 1, length: Infinity, perCampaign: 10_000, chunkBytes: 65_536 },
		...{ invalid: 'stop', duplicate: 'send' },
	};
	const blocksOf = async (pass: FilePass) => {
		const blocks: number[][] = [];
		for await (const { firstRow, lastRow } of pass.blocks()) blocks.push([firstRow, lastRow]);
		return blocks;
	};
	const whole = passOver(file);
	expect(await blocksOf(whole.pass)).toEqual(
		[0, 1, 2].map((at) => [at * 10_000 + 1, (at + 1) * 10_000]),
	);
	const start = passOver({ ...file, length: 12_000 });
	expect(await blocksOf(start.pass)).toEqual([
		...[
			[1, 10_000],
			[10_001, 12_000],
		],
	]);
	expect(start.read.chunks).toBeLessThan(whole.read.chunks * 0.6);
});

test('a row that is wrong as a whole says so, in every mode', async () => {
	const file: File = {
		...{ rows: [{ flaw: 'cells', person: 1 }], startAtRow: 1, length: Infinity, chunkBytes: 7 },
		...{ perCampaign: undefined, invalid: 'send', duplicate: 'send' },
	};
	const { pass, problems } = passOver(file);
	for await (const { groups } of pass.blocks()) expect(groups).toEqual([]);
	expect(problems.listed).toEqual([
		{ line: 2, phoneNumber: undefined, reason: 'the row has 3 cells, but the header has 2' },
	]);
	expect([...problems.reasons.keys()]).toEqual(['field']);
});

test('what was left out is counted by four kinds, of which items have those that there are', () => {
	const codes = ['empty', 'field', 'sendingPolicy', 'duplicate', 'doNotContact', 'sendingHours'];
	expect(codes.map((code) => countedAs({ code } as never))).toEqual([
		...['invalid', 'invalid', 'invalid', 'duplicate', 'doNotContact', 'sendingHours'],
	]);
	expect(leftOutFields(countsOf([]))).toEqual({});
	const fields: IDataObject = leftOutFields(countsOf(['duplicate', 'duplicate']));
	expect(fields).toStrictEqual({ leftOut: { duplicate: 2 } });
});
