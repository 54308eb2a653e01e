import type { Failure } from '../failure';
import { readNumber, type NumberOptions } from '../numbers/readNumber';
import type { ReachOf } from '../reach';
import type { Complaint, Reason, Screen } from '../reason';
import { refusedAsOld } from './age';
import type { RecentTexts } from './recentTexts';
import { HOW_TO_COMPLETE } from './rules/rule';
import type { SentNote, SentTexts } from './sentTexts';
import { startOf } from './timing';

const HOUR_MS = 3_600_000;

/** Time after time, texts and sending hours may push a text back. */
const MAX_STEPS = 400;

/** What the hours between texts of a policy are checked with. */
export interface TextRule {
	hours: number;
	/** How the numbers of requests are read: as those of the list. */
	numbers: NumberOptions;
	/** Reads the recent texts. @throws Failure where they cannot be read */
	read(): Promise<RecentTexts>;
	/** When the other rules allow somebody next, from a time on; undefined: never. */
	nextTime(number: unknown, from: number): number | undefined;
}

/** Who has another text within the hours of one request, each time that it is asked. */
export class TextCheck {
	private readonly rule: TextRule;
	private readonly reach: ReachOf<'messages'>;
	private readonly campaignId: string | undefined;
	private readonly people: readonly (string | undefined)[];
	private texts: RecentTexts;
	private note: SentNote | undefined;

	/**
	 * @param campaignId the campaign that the request changes, in lower case
	 * @param texts as they were read for it
	 */
	constructor(
		rule: TextRule,
		reach: ReachOf<'messages'>,
		campaignId: string | undefined,
		texts: RecentTexts,
	) {
		this.rule = rule;
		this.reach = reach;
		this.campaignId = campaignId;
		this.people = reach.numbers.map((number) => personOf(number, rule.numbers));
		this.texts = texts;
	}

	async prepare(): Promise<void> {
		this.texts = await this.rule.read();
	}

	/** Why the reading decides nothing any more; undefined while it does. */
	tooOld(): Failure | undefined {
		return refusedAsOld(this.texts.readAt, 'list of messages');
	}

	/**
	 * Who has another text, in the order of the request. What is noted of it goes out now.
	 * @param earlier texts that count as well: those of a rehearsal
	 */
	complaints(earlier?: SentTexts): Complaint[] {
		const { rule, reach, campaignId, people, texts, note: own } = this;
		const at = startOf(reach);
		if (own !== undefined) own.at = at;
		const asked: Asked = { at, texts, own, campaignId, earlier, seen: new Set() };
		return people.flatMap((person, place): Complaint[] => {
			const reason = reasonFor(rule, asked, reach.numbers[place], person);
			return reason === undefined
				? []
				: [{ ...reason, place, phoneNumber: reach.numbers[place] as string }];
		});
	}

	/** Notes the texts as sent. */
	noteIn(sent: SentTexts): SentNote {
		const people = this.people.filter((person) => person !== undefined);
		this.note = sent.add(people, startOf(this.reach), this.campaignId);
		return this.note;
	}
}

/** Starts to leave out whoever has another text within the hours of a time, or two of the same list. */
export function textScreen(rule: TextRule, texts: RecentTexts, at: number): Screen {
	const asked: Asked = { at, texts, seen: new Set() };
	return (number) => reasonFor(rule, asked, number, personOf(number, rule.numbers));
}

/** The same text for the same person; undefined where that cannot be told. */
export function personOf(number: unknown, options: NumberOptions): string | undefined {
	const reading = readNumber(number, options);
	return reading.problem === undefined && reading.e164 !== undefined ? reading.key : undefined;
}

/** For what texts somebody is looked for. */
interface Asked {
	at: number;
	texts: RecentTexts;
	own?: SentNote | undefined;
	campaignId?: string | undefined;
	earlier?: SentTexts | undefined;
	/** The people of the same list. A campaign that exists has them as it has them. */
	seen: Set<string>;
}

function reasonFor(
	rule: TextRule,
	{ at, texts, own, campaignId, earlier, seen }: Asked,
	number: unknown,
	person: string | undefined,
): Reason | undefined {
	if (person === undefined) {
		const text = 'cannot be compared with recent texts';
		return { code: 'hoursBetweenTexts', text, advice: HOW_TO_COMPLETE };
	}
	const gap = rule.hours * HOUR_MS;
	const times = texts.timesOf(person, own, campaignId);
	for (const note of earlier?.to(person) ?? []) times.push(note.at);
	if (seen.has(person) && campaignId === undefined) times.push(at);
	const other = times.find((time) => Math.abs(at - time) < gap);
	if (other === undefined) {
		seen.add(person);
		return undefined;
	}
	const next = firstAllowed(at, times, gap, (from) => rule.nextTime(number, from));
	const hours = rule.hours === 1 ? 'hour' : `${rule.hours} hours`;
	return {
		code: 'hoursBetweenTexts',
		text: `has another text within ${rule.hours === 1 ? 'an ' : ''}${hours}`,
		advice: `Hours Between Texts: ${rule.hours}. The other text: ${isoOf(other)}.`,
		...(next === undefined ? {} : { nextAllowedTime: isoOf(next) }),
	};
}

/** The first time that is far enough from all others, and suits the other rules. */
function firstAllowed(
	start: number,
	times: readonly number[],
	gap: number,
	suits: (from: number) => number | undefined,
): number | undefined {
	let from = start;
	for (let step = 0; step < MAX_STEPS; step++) {
		const other = times.find((time) => Math.abs(from - time) < gap);
		// In whole seconds, as it is written.
		const next = other === undefined ? suits(from) : Math.ceil((other + gap) / 1000) * 1000;
		if (next === undefined || next === from) return next;
		from = next;
	}
	return undefined;
}

const isoOf = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
