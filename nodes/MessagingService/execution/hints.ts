import type { NodeExecutionHint } from 'n8n-workflow';
import { countedAs, type LeftOut } from '../recipients/file/blocks';
import type { CostlyCharacters } from '../resources/shared/messageText';
import { isTool } from '../transport/gate';
import type { CallResult } from './calls';
import { counted, figure } from './counted';
import { summaryOfFiles } from './fileReports';
import type { Run } from './runState';

/** Characters that a hint shows as they are; the others are invisible, or change what is around them. */
const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u;

type Hint = Pick<NodeExecutionHint, 'message' | 'type'>;

/**
 * Shows beside the output what the user would otherwise miss: one hint for each fact, with counts.
 * An agent has no such panel, and older versions of n8n have no such hints. A dry run says all of
 * it in its output.
 */
export function showHints({ context, connection, operation }: Run, all: readonly CallResult[]) {
	if (isTool(context) || !('addExecutionHints' in context)) return;
	const results = all.filter(({ isDryRun }) => !isDryRun);
	const hints = [
		...ofFiles(results),
		...ofLeftOut(results, context.getNode().onError === 'continueErrorOutput'),
		...ofCostly(results),
		...ofCuts(results),
		...(operation.reachesPeople === true && connection.hasPolicy ? ofPolicy(results) : []),
	];
	context.addExecutionHints(
		...hints.map((hint): NodeExecutionHint => ({ ...hint, location: 'outputPane' })),
	);
}

function ofFiles(results: readonly CallResult[]): Hint[] {
	const message = summaryOfFiles(results);
	return message === undefined ? [] : [{ type: 'info', message }];
}

/** What a recipient is called that was left out, before and after the noun. */
const KINDS: Record<keyof LeftOut, [before: string, after: string]> = {
	invalid: ['invalid ', ''],
	duplicate: ['duplicate ', ''],
	doNotContact: ['', ' on a do-not-contact list'],
	sendingHours: ['', ' outside the sending hours'],
};

function ofLeftOut(results: readonly CallResult[], hasErrorBranch: boolean): Hint[] {
	const counts = new Map<keyof LeftOut, number>();
	const add = (kind: keyof LeftOut, count = 1) => counts.set(kind, (counts.get(kind) ?? 0) + count);
	for (const { plan, parts, file } of results) {
		// Where the recipients are refused, the error says why.
		const planned = plan?.obstacle === undefined ? (plan?.skipped ?? []) : [];
		const single = parts.flatMap(({ leftOut }) => leftOut ?? []);
		for (const complaint of [...planned, ...single]) add(countedAs(complaint));
		if (file?.leftOut === undefined || file.records.length === 0) continue;
		for (const [kind, count] of Object.entries(file.leftOut)) {
			if (count > 0) add(kind as keyof LeftOut, count as number);
		}
	}
	const where = whereLeftOut(results, hasErrorBranch);
	return [...counts].map(([kind, count]) => {
		const [before, after] = KINDS[kind];
		const message = `Left out ${counted(count, `${before}recipient`)}${after}. ${where}`;
		return { type: 'warning', message };
	});
}

function whereLeftOut(results: readonly CallResult[], hasErrorBranch: boolean): string {
	if (results.some(({ file }) => file !== undefined)) return 'See problems in the output.';
	const isOnBranch = hasErrorBranch && results.every(({ plan }) => plan?.isItems !== false);
	return isOnBranch ? 'See the error branch.' : 'See skipped in the output.';
}

function ofCostly(results: readonly CallResult[]): Hint[] {
	// All campaigns of a call have the same message.
	const found = results.flatMap(
		({ parts, file }) =>
			file?.costly ?? parts.find(({ costly }) => costly !== undefined)?.costly ?? [],
	);
	const [first] = found;
	if (first === undefined) return [];
	const characters = [...new Set(found.flatMap((each) => each.characters))];
	const because = becauseOf(characters);
	const isSame = found.every(
		({ parts, partsWithout }) => parts === first.parts && partsWithout === first.partsWithout,
	);
	const what = isSame
		? `${found.length === 1 ? 'The message takes' : `${counted(found.length, 'message')} take`} ${partsOf(first)}`
		: `${counted(found.length, 'message')} take more parts than needed`;
	return [
		{
			type: 'warning',
			message: `${what} because of ${because}. Replace ${characters.length === 1 ? 'it' : 'them'} to send fewer parts.`,
		},
	];
}

function partsOf({ parts, partsWithout }: CostlyCharacters): string {
	return `${counted(parts, 'part')} instead of ${partsWithout}`;
}

function becauseOf([first = '', ...others]: readonly string[]): string {
	const code = `U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
	const named = VISIBLE.test(first) ? `"${first}" (${code})` : code;
	return others.length === 0
		? `the character ${named}`
		: `${counted(others.length + 1, 'character')}, the first of which is ${named}`;
}

function ofCuts(results: readonly CallResult[]): Hint[] {
	const cuts = results.flatMap(({ cuts: each }) => each);
	if (cuts.length === 0) return [];
	const returned = cuts.reduce((sum, cut) => sum + cut.returned, 0);
	const isKnown = cuts.every(({ total }) => total !== undefined);
	const total = cuts.reduce((sum, cut) => sum + (cut.total ?? 0), 0);
	const lists = cuts.length === 1 ? 'the list' : `${cuts.length} lists`;
	const what = isKnown
		? `Limit cut ${lists}: ${figure(returned)} of ${counted(total, 'record')} returned.`
		: `Limit ended ${lists} after ${counted(returned, 'item')}: there may be more.`;
	return [{ type: 'info', message: `${what} Turn on Return All to get everything.` }];
}

function ofPolicy(results: readonly CallResult[]): Hint[] {
	const records = results.flatMap(({ parts, file }) => [
		...(file?.records ?? []),
		...parts.flatMap((part) => part.records ?? []),
	]);
	const simulated = records.filter((record) => record.simulated === true).length;
	if (simulated > 0) {
		return [
			{
				type: 'warning',
				message: `Nothing was sent: the sending policy of the credential simulated ${counted(simulated, 'request')}. Turn off Simulate in the credential to send.`,
			},
		];
	}
	if (records.length === 0) return [];
	return [
		{
			type: 'info',
			message:
				'A sending policy is active: it is set in the credential, and checks every recipient.',
		},
	];
}
