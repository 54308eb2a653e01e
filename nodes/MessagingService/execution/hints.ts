import type { NodeExecutionHint } from 'n8n-workflow';
import type { Complaint } from '../recipients/checks';
import { countedAs, type LeftOut } from '../recipients/file/blocks';
import type { ListCut } from '../resources/operation';
import {
	costlyCharacters,
	REPLACE_CHARACTERS,
	type CostlyCharacters,
} from '../resources/shared/messageText';
import { senderProblem } from '../resources/shared/sender';

/** Characters that a hint shows as they are; the others are invisible, or change what is around them. */
const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u;

type Hint = Pick<NodeExecutionHint, 'message' | 'type'>;

/** What a run notes for the hints beside its output: one for each fact, with counts. */
export class Notes {
	readonly cuts: ListCut[] = [];
	simulated = 0;
	requests = 0;
	private readonly leftOut = new Map<keyof LeftOut, number>();
	private readonly costly: CostlyCharacters[] = [];
	/** What is wrong with the senders. */
	private readonly senders = new Set<string>();

	/** A recipient was left out. */
	addLeftOut(complaint: Complaint): void {
		this.countLeftOut(countedAs(complaint), 1);
	}

	countLeftOut(kind: keyof LeftOut, count: number): void {
		if (count > 0) this.leftOut.set(kind, (this.leftOut.get(kind) ?? 0) + count);
	}

	/** A message was sent; all campaigns of a call have the same one. */
	addMessage(message: unknown): void {
		const costly = typeof message === 'string' ? costlyCharacters(message) : undefined;
		if (costly !== undefined) this.costly.push(costly);
	}

	/** A message is sent, or would be. */
	addSender(sender: unknown): void {
		const problem = senderProblem(sender);
		if (problem !== undefined) this.senders.add(problem);
	}

	/**
	 * @param leftOutIn where those that were left out are listed: "the error branch"
	 * @param hasPolicy whether a sending policy has judged the requests
	 */
	hints(leftOutIn: string, hasPolicy: boolean): NodeExecutionHint[] {
		const hints = [
			...ofLeftOut(this.leftOut, leftOutIn),
			...ofCostly(this.costly),
			...ofSenders([...this.senders]),
			...ofCuts(this.cuts),
			...(hasPolicy ? ofPolicy(this) : []),
		];
		return hints.map((hint) => ({ ...hint, location: 'outputPane' }));
	}
}

/** What a recipient is called that was left out, before and after the noun. */
const KINDS: Record<keyof LeftOut, [before: string, after: string]> = {
	invalid: ['invalid ', ''],
	duplicate: ['duplicate ', ''],
	doNotContact: ['', ' on a do-not-contact list'],
	sendingHours: ['', ' outside the sending hours'],
};

function ofLeftOut(counts: ReadonlyMap<keyof LeftOut, number>, where: string): Hint[] {
	return [...counts].map(([kind, count]) => {
		const [before, after] = KINDS[kind];
		const message = `Left out ${counted(count, `${before}recipient`)}${after}. See ${where}.`;
		return { type: 'warning', message };
	});
}

function ofCostly(found: readonly CostlyCharacters[]): Hint[] {
	const [first] = found;
	if (first === undefined) return [];
	const characters = [...new Set(found.flatMap((each) => each.characters))];
	const isSame = found.every(
		({ parts, partsWithout }) => parts === first.parts && partsWithout === first.partsWithout,
	);
	const what = isSame
		? `${found.length === 1 ? 'The message takes' : `${counted(found.length, 'message')} take`} ${partsOf(first)}`
		: `${counted(found.length, 'message')} take more parts than needed`;
	const them = characters.length === 1 ? 'it' : 'them';
	const advice = found.some(({ isReplaceable }) => isReplaceable)
		? `Turn on ${REPLACE_CHARACTERS} in Options to send fewer parts.`
		: `Replace ${them} to send fewer parts.`;
	return [
		{
			type: 'warning',
			message: `${what} because of ${becauseOf(characters)}. ${advice}`,
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

function ofSenders([first, ...others]: readonly string[]): Hint[] {
	if (first === undefined) return [];
	const more = others.length === 0 ? '' : ` (and ${counted(others.length, 'other sender')})`;
	return [{ type: 'warning', message: `${first}${more}` }];
}

function ofCuts(cuts: readonly ListCut[]): Hint[] {
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

function ofPolicy({ simulated, requests }: Notes): Hint[] {
	if (simulated > 0) {
		return [
			{
				type: 'warning',
				message: `Nothing was sent: the sending policy of the credential simulated ${counted(simulated, 'request')}. Turn off Simulate in the credential to send.`,
			},
		];
	}
	if (requests === 0) return [];
	return [
		{
			type: 'info',
			message:
				'A sending policy is active: it is set in the credential, and checks every recipient.',
		},
	];
}

/** "1 row", "1,234 rows". */
function counted(count: number, noun: string): string {
	return `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** "1,234". */
function figure(count: number): string {
	return count.toLocaleString('en-US');
}
