import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { CallResult } from '../../nodes/MessagingService/execution/calls';
import type { FileOutcome } from '../../nodes/MessagingService/execution/fileCall';
import { FileProgress } from '../../nodes/MessagingService/execution/fileProgress';
import { reportsOfFiles } from '../../nodes/MessagingService/execution/fileReports';
import { showHints } from '../../nodes/MessagingService/execution/hints';
import type { Run } from '../../nodes/MessagingService/execution/runState';
import type { Complaint } from '../../nodes/MessagingService/recipients/checks';
import { Problems } from '../../nodes/MessagingService/recipients/file/problems';
import type { RecipientPlan } from '../../nodes/MessagingService/recipients/plan';

const NOBODY = { invalid: 0, duplicate: 0, doNotContact: 0, sendingHours: 0 };

const resultOf = (others: Partial<CallResult> = {}): CallResult => ({
	...{ itemIndexes: [0], parts: [], isDryRun: false, warnings: [], cuts: [] },
	...others,
});
/** A file of which so many rows were sent in campaigns of two. */
function fileOf(rows: number, others: Partial<FileOutcome> = {}): FileOutcome {
	const progress = new FileProgress({ startAtRow: 1 });
	for (let row = 1; row <= rows; row += 2)
		progress.note({ part: row, firstRow: row, lastRow: row + 1, campaigns: 1, state: 'sent' });
	return {
		...{ records: [{ id: 1 }], progress, problems: new Problems(undefined), firstRow: 1, rows },
		...{ leftOut: NOBODY, columns: { used: [], notUsed: [] }, binary: {}, milliseconds: 750 },
		...{ isComplete: true, isUnsent: false, costly: undefined, failure: undefined },
		...others,
	};
}
const ofFile = (...given: Parameters<typeof fileOf>) => resultOf({ file: fileOf(...given) });
const leftOut = (isItems: boolean): CallResult =>
	resultOf({
		plan: { isItems, skipped: [{ code: 'duplicate' } as Complaint] } as RecipientPlan,
	});
const costly = (characters: string[], parts = 2, partsWithout = 1) =>
	resultOf({
		parts: [{ itemIndexes: [] }, { itemIndexes: [], costly: { characters, parts, partsWithout } }],
	});

/** The hints of a run with these results. */
function hintsOf(
	results: CallResult[],
	{ onError = 'stopWorkflow', reachesPeople = true, hasPolicy = false } = {},
): string[] {
	const shown: { message: string; location: string }[] = [];
	const context = {
		getNode: () => ({ type: 'messagingService', onError }),
		addExecutionHints: (...hints: typeof shown) => shown.push(...hints),
	} as unknown as IExecuteFunctions;
	const run = { context, connection: { hasPolicy }, operation: { reachesPeople } } as Run;
	showHints(run, results);
	for (const { location } of shown) expect(location).toBe('outputPane');
	return shown.map(({ message }) => message);
}

const branch = { onError: 'continueErrorOutput' };

test.each<[string, CallResult[], object, string]>([
	['items', [leftOut(true)], {}, 'skipped in the output'],
	['items with an error branch', [leftOut(true)], branch, 'the error branch'],
	['a list', [leftOut(false)], branch, 'skipped in the output'],
	['items and a list', [leftOut(true), leftOut(false)], branch, 'skipped in the output'],
	['a file beside others', [leftOut(true), ofFile(2)], branch, 'problems in the output'],
])('where to look for what was left out of %s', (_name, results, settings, place) => {
	const found = hintsOf(results, settings).filter((hint) => hint.startsWith('Left out'));
	expect(found).toHaveLength(1);
	expect(found[0]).toMatch(/^Left out \d duplicate recipients?\. /);
	expect(found[0]?.endsWith(` See ${place}.`)).toBe(true);
});

test('what was left out of files is counted only where campaigns were created', () => {
	const counts = { leftOut: { ...NOBODY, invalid: 2, sendingHours: 1200 } };
	expect(hintsOf([ofFile(2, counts)]).slice(1)).toEqual([
		'Left out 2 invalid recipients. See problems in the output.',
		'Left out 1,200 recipients outside the sending hours. See problems in the output.',
	]);
	expect(hintsOf([ofFile(2, { ...counts, records: [], isComplete: false })])).toEqual([]);
});

test.each<[CallResult[], string]>([
	[
		[costly(['ç'])],
		'The message takes 2 parts instead of 1 because of the character "ç" (U+00E7). Replace it to',
	],
	[[costly(['\u0301'])], 'because of the character U+0301. Replace it'],
	[
		[costly(['a', 'b'])],
		'because of 2 characters, the first of which is "a" (U+0061). Replace them to',
	],
	[
		[costly(['a']), costly(['a'])],
		'2 messages take 2 parts instead of 1 because of the character "a"',
	],
	[[costly(['a'], 3, 1), costly(['a'], 2, 1)], '2 messages take more parts than needed because'],
	[[costly(['a'], 3, 1), costly(['a'], 3, 2)], '2 messages take more parts than needed because'],
	[[costly(['a']), resultOf()], 'The message takes 2 parts'],
	[
		[ofFile(2, { costly: { characters: ['a'], parts: 2, partsWithout: 1 } })],
		'The message takes 2 parts',
	],
])('what makes messages longer (%#)', (results, text) => {
	expect(hintsOf(results).at(-1)).toContain(text);
});

test.each<[CallResult['cuts'], string]>([
	[[{ returned: 2, total: 3000 }], 'Limit cut the list: 2 of 3,000 records returned.'],
	[[{ returned: 1 }], 'Limit ended the list after 1 item: there may be more.'],
	[
		[{ returned: 2, total: 3 }, { returned: 2 }],
		'Limit ended 2 lists after 4 items: there may be more.',
	],
] as [CallResult['cuts'], string][])('lists that Limit ended: %j', (cuts, text) => {
	expect(hintsOf([resultOf({ cuts })])).toEqual([expect.stringContaining(text)]);
});

test.each<[string, IDataObject[], object, RegExp | undefined]>([
	['sent', [{ id: 1 }], { hasPolicy: true }, /^A sending policy is active/],
	['sent without a policy', [{ id: 1 }], {}, undefined],
	['read', [{ id: 1 }], { hasPolicy: true, reachesPeople: false }, undefined],
	['nothing', [], { hasPolicy: true }, undefined],
	[
		'simulated in part',
		[{ id: 1 }, { simulated: true }],
		{ hasPolicy: true },
		/^Nothing was sent: .* simulated 1 request\./,
	],
])('what a sending policy is told of that was %s', (_name, records, settings, expected) => {
	for (const result of [
		resultOf({ parts: [{ itemIndexes: [], records }, { itemIndexes: [] }] }),
		ofFile(2, { records, isComplete: false }),
	]) {
		const hints = hintsOf([result], settings);
		expect(hints).toEqual(expected === undefined ? [] : [expect.stringMatching(expected)]);
	}
});

test.each<[CallResult[], string[]]>([
	[[ofFile(4), ofFile(2)], ['6 rows became 3 campaigns in 1.5 s']],
	[[ofFile(4, { firstRow: 3 })], ['2 rows became 2 campaigns in 0.8 s']],
	[[ofFile(2, { leftOut: undefined })], ['2 rows were stored in 0.8 s']],
	[[ofFile(2, { leftOut: undefined }), ofFile(2)], ['4 rows became 2 campaigns in 1.5 s']],
	[[ofFile(2, { leftOut: undefined, firstRow: 2 })], ['1 row was stored in 0.8 s']],
	[[ofFile(2, { isComplete: false })], []],
	[[ofFile(0)], []],
	[[resultOf()], []],
	[[resultOf({ ...ofFile(2), isDryRun: true })], []],
])('how long files took that were sent as a whole (%#)', (results, expected) => {
	expect(hintsOf(results)).toEqual(expected);
});

test('files that were not sent as a whole are reported, with their items where there are several', () => {
	const open = { ...ofFile(2, { isComplete: false }), itemIndexes: [3] };
	expect(reportsOfFiles([open])).toEqual([
		expect.stringMatching(/^Sent: rows 1 to 2 of the file\./),
	]);
	expect(reportsOfFiles([ofFile(2), open, resultOf(), ofFile(0, { isComplete: false })])).toEqual([
		expect.stringMatching(/^Item 3: Sent: rows 1 to 2 of the file\./),
	]);
});
