import { map, sumBy } from 'lodash';
import type { NodeExecutionHint } from 'n8n-workflow';
import type { SimulatedBy } from '../policy/guard';
import type { ListCut } from '../parameters/operationInput';
import { leftOutAs } from '../recipients/pass';
import { counted, figure, hexadecimal, shorten } from '../texts';
import { costlyCharacters, REPLACE_CHARACTERS, type CostlyCharacters } from '../messageText';

/** Characters that a hint shows as they are; the others are invisible, or change what is around them. */
const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u;

const MAX_SENDER_SHOWN = 40;
const MAX_STORAGE_IDS_SHOWN = 3;

/** A number, or a name that every network takes. */
const SAFE_SENDER = /^(\+?[\d ]+|[A-Za-z0-9 &+_-]{1,11})$/;

/** What would be sent; what is not known is undefined. */
interface Figures {
	recipients: number | undefined;
	parts?: number | undefined;
	cost?: number | undefined;
	currency?: string | undefined;
}

/** What a dry run describes in place of sending it. */
interface Described {
	/** A row is one person. */
	noun: 'row' | 'campaign';
	/** What its item says. */
	reason: string;
	figures: Figures;
	/** Whether a real run stops at it, so that others are not sent either. */
	isStopping: boolean;
}

/** The hints of a run beside its output: one for each fact, with counts. */
export class Hints {
	private readonly cuts: ListCut[] = [];
	/** Requests that were simulated, by what simulated them. */
	private readonly simulated = new Map<SimulatedBy, number>();
	/** Recipients that were left out, by the codes of the reasons, and how many others there were. */
	private readonly leftOut = new Map<string, number>();
	private others = 0;
	private readonly dryRuns: Described[] = [];
	/** What the output items say as "warnings", each with the first item that does, of several. */
	private readonly warnings = new Map<string, number | undefined>();
	private readonly unreadable = new Set<string>();
	private readonly costly: CostlyCharacters[] = [];
	/** Those that networks may change or refuse. */
	private readonly senders = new Set<string>();

	/** A list ended at Limit. */
	addCut(cut: ListCut): void {
		this.cuts.push(cut);
	}

	/** @param item the one that says it, of several */
	addWarning(text: string, item: number | undefined): void {
		if (!this.warnings.has(text)) this.warnings.set(text, item);
	}

	/** Stored numbers that must not be contacted and are no phone numbers. */
	addUnreadable(storageIds: readonly string[]): void {
		for (const id of storageIds) this.unreadable.add(id);
	}

	/** A request was simulated. */
	addSimulated(by: SimulatedBy): void {
		this.simulated.set(by, (this.simulated.get(by) ?? 0) + 1);
	}

	/** A message was sent; all campaigns of a job have the same one. */
	addMessage(message: unknown): void {
		const costly = typeof message === 'string' ? costlyCharacters(message) : undefined;
		if (costly !== undefined) this.costly.push(costly);
	}

	/**
	 * Recipients were left out, beside others.
	 * @param leftOut how many, by the codes of the reasons
	 */
	addLeftOut(others: number, leftOut: Readonly<Partial<Record<string, number>>>): void {
		this.others += others;
		for (const [code, count = 0] of Object.entries(leftOut)) {
			this.leftOut.set(code, (this.leftOut.get(code) ?? 0) + count);
		}
	}

	/** A row or a list is not sent, but described. */
	addDryRun(described: Described): void {
		this.dryRuns.push(described);
	}

	/** A message is sent, or would be. */
	addSender(sender: unknown): void {
		if (typeof sender === 'string' && !SAFE_SENDER.test(sender)) this.senders.add(sender);
	}

	/**
	 * @param items input items of the run: those that failed are rows as well
	 * @param isSent whether anything was sent, or possibly sent
	 */
	toShow(items: number, isSent: boolean): NodeExecutionHint[] {
		const { leftOut, others, simulated } = this;
		const warnings = [
			...aboutDryRuns(this.dryRuns),
			...(leftOut.size === 0 ? [] : [aboutLeftOut(leftOut, { others, items, isSent })]),
			...aboutWarnings([...this.warnings]),
			...aboutUnreadable([...this.unreadable]),
			...aboutCostly(this.costly),
			...aboutSenders([...this.senders]),
			...[...simulated].map(([by, requests]) => aboutSimulated(by, requests)),
		];
		return [
			...warnings.map((message) => ({ message, type: 'warning' as const })),
			...aboutCuts(this.cuts).map((message) => ({ message, type: 'info' as const })),
		].map((hint) => ({ ...hint, location: 'outputPane' }));
	}
}

/** Those of a run are all of rows, or all of campaigns. */
function aboutDryRuns(dryRuns: readonly Described[]): string[] {
	const [first] = dryRuns;
	if (first === undefined) return [];
	const { noun, reason } = first;
	if (noun === 'campaign' && dryRuns.length === 1) return [`Dry run: nothing was sent. ${reason}`];
	const would = dryRuns.filter(({ figures }) => figures.recipients !== 0).length;
	const all = sumOf(map(dryRuns, 'figures'));
	const figures = describeFigures(noun === 'row' ? { ...all, recipients: undefined } : all);
	const stop =
		would > 0 && dryRuns.some(({ isStopping }) => isStopping)
			? ' Without Dry Run, the others stop the node: none or only some of these are sent, unless On Error is set to continue.'
			: '';
	const what = `${figure(would)} of ${counted(dryRuns.length, noun)} would be sent`;
	return [`Dry run: nothing was sent. ${[what, figures].filter(Boolean).join(', ')}.${stop}`];
}

/** What would be sent, in words: "4 people, 4 SMS parts, 0.16 EUR". */
export function describeFigures({
	recipients,
	parts = 0,
	cost = 0,
	currency = '',
}: Figures): string {
	const people = (count: number) => (count === 1 ? '1 person' : `${figure(count)} people`);
	return [
		...(recipients === undefined ? [] : [people(recipients)]),
		...(parts > 0 ? [counted(parts, 'SMS part')] : []),
		...(cost > 0 ? [`${figure(cost)} ${currency}`.trim()] : []),
	].join(', ');
}

/** Costs in several currencies have no sum. */
function sumOf(all: readonly Figures[]): Figures {
	const isKnown = all.every(({ recipients }) => recipients !== undefined);
	const priced = all.filter(({ cost = 0 }) => cost > 0);
	const [currency, ...others] = new Set(priced.map((each) => each.currency));
	return {
		recipients: isKnown ? sumBy(all, 'recipients') : undefined,
		parts: sumBy(all, ({ parts = 0 }) => parts),
		...(others.length === 0 ? { cost: sumBy(all, ({ cost = 0 }) => cost), currency } : {}),
	};
}

function aboutSimulated(by: SimulatedBy, requests: number): string {
	const simulated = `simulated ${counted(requests, 'request')}`;
	return by === 'evaluation'
		? `Nothing was sent: an evaluation reaches nobody, so the node ${simulated}.`
		: `Nothing was sent: the sending policy of the credential ${simulated}. Turn off Simulate in the credential to send.`;
}

function aboutWarnings([first, ...others]: readonly [string, number | undefined][]): string[] {
	if (first === undefined) return [];
	const [text, item] = first;
	const said = item === undefined ? text : `Item ${item}: ${text}`;
	if (others.length === 0) return [said];
	return [`${said} (and ${counted(others.length, 'other warning')}: see "warnings" in the items)`];
}

/** What a left-out row is; one that is not listed is invalid. */
const LEFT_OUT: Readonly<Record<string, string>> = {
	blank: 'blank',
	empty: 'empty',
	lostDigits: 'damaged',
	duplicate: 'duplicate',
	doNotContact: 'on a do-not-contact list',
	hoursBetweenTexts: 'with another text within the hours',
	sendingHours: 'outside the sending hours',
};

/** The others are sent to by a second click as well. */
const SENT_AGAIN =
	'Executing again sends to the others again, unless Hours Between Texts is set in the credential.';

function aboutLeftOut(
	leftOut: ReadonlyMap<string, number>,
	{ others, items, isSent }: { others: number; items: number; isSent: boolean },
): string {
	const counts = new Map<string, number>();
	for (const [code, count] of leftOut) {
		const what = LEFT_OUT[code] ?? 'invalid';
		counts.set(what, (counts.get(what) ?? 0) + count);
	}
	const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
	const each = [...counts].map(([what, count]) => `${figure(count)} ${what}`).join(', ');
	const codes = [...leftOut.keys()];
	const isTold =
		isSent &&
		others > 0 &&
		!codes.includes('hoursBetweenTexts') &&
		codes.some((code) => code !== 'blank');
	const rows = counted(Math.max(all + others, items), 'row');
	const isAnyInvalid = codes.some((code) => leftOutAs({ code }) === 'invalid');
	const fix = isAnyInvalid ? ' The output says how to fix them.' : '';
	const text = `Left out ${figure(all)} of ${rows}: ${each}.${fix}`;
	return isTold ? `${text} ${SENT_AGAIN}` : text;
}

function aboutUnreadable(storageIds: readonly string[]): string[] {
	if (storageIds.length === 0) return [];
	const named = storageIds.slice(0, MAX_STORAGE_IDS_SHOWN).join(', ');
	return [
		`${counted(storageIds.length, 'stored number')} to leave out cannot be read as a phone number (storage ID ${named}). Fix it in the service: until then, the people behind it may be reached.`,
	];
}

function aboutCostly(found: readonly CostlyCharacters[]): string[] {
	const [first] = found;
	if (first === undefined) return [];
	const [character = ''] = first.characters;
	const code = `U+${hexadecimal(character)}`;
	const named = VISIBLE.test(character) ? `"${character}" (${code})` : code;
	const what =
		found.length === 1
			? `The message takes ${counted(first.parts, 'part')} instead of ${first.partsWithout}`
			: `${counted(found.length, 'message')} take more parts than needed`;
	const advice = found.some(({ isReplaceable }) => isReplaceable)
		? `Turn on ${REPLACE_CHARACTERS} in Options`
		: 'Replace such characters';
	return [`${what} because of characters such as ${named}. ${advice} to send fewer parts.`];
}

function aboutSenders([first, ...others]: readonly string[]): string[] {
	if (first === undefined) return [];
	const what = `Networks may change or refuse the sender "${shorten(first, MAX_SENDER_SHOWN)}": use at most 11 letters A to Z, digits and spaces.`;
	return [others.length === 0 ? what : `${what} (and ${counted(others.length, 'other sender')})`];
}

function aboutCuts(cuts: readonly ListCut[]): string[] {
	if (cuts.length === 0) return [];
	const returned = cuts.reduce((sum, cut) => sum + cut.returned, 0);
	const total = cuts.reduce((sum, cut) => sum + (cut.total ?? NaN), 0);
	const what = Number.isNaN(total)
		? `Limit ended the list after ${counted(returned, 'item')}: there may be more.`
		: `Limit cut the list: ${figure(returned)} of ${counted(total, 'record')} returned.`;
	return [`${what} Turn on Return All to get everything.`];
}
