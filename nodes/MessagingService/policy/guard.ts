import { Failure, type Sent } from '../failure';
import { numbersIn, type ReachOf } from '../reach';
import { isComplaint, type Complaint, type Screen, type StartScreen } from '../reason';
import { holdingFailures } from '../transport/concurrency';
import { envelopeList, readList } from '../transport/paginate';
import type { PostRequest, ReadClient, TurnCheck } from '../transport/request';
import type { OptOutMark } from '../parameters/operationInput';
import { JudgedRequest, settled, type Judged, type Judgement } from './judgement';
import type { SendingPolicy } from './policy';
import { readRecentTexts, sentTextsOf } from './recentTexts';
import { refusedRecipients, refusedUnknown } from './refused';
import { WITHOUT_POLICY } from './rules/blockedNumberTypes';
import { withoutList } from './rules/doNotContact';
import { Recipient, type Blocked } from './rules/rule';
import { SentTexts, type SentNote } from './sentTexts';
import { comparedNumbers } from './storedNumbers';
import { personOf, TextCheck, textScreen, type TextRule } from './textCheck';
import { timingOf, type Timing } from './timing';

const CONTACTS_PER_PAGE = 1000;

/** What of the policy is kept in the node's context, as plain JSON. */
interface Counted {
	policy?: { recipients: number };
}

/** What the guard asks of n8n and of the service. */
export interface GuardSurroundings {
	/**
	 * The node's context, which n8n keeps for all runs, loops, calls by an agent and tries of one
	 * execution: the recipients that were reached are counted in it.
	 */
	context: object;
	/** Reads whom a request reaches, and who must not be contacted. */
	client: ReadClient;
	/** Whether n8n runs the workflow for an evaluation, in which nobody is reached. */
	isEvaluation: boolean;
	/** Is told of stored numbers that are no phone numbers, by their storage IDs. */
	noteUnreadable(storageIds: readonly string[]): void;
}

/** Why nothing is sent, though everything is in order: Simulate of the policy, or an evaluation. */
export type SimulatedBy = 'policy' | 'evaluation';

/** A request that may go out, if it still may when its turn comes. */
export interface Admission extends TurnCheck {
	simulatedBy: SimulatedBy | undefined;
	/**
	 * To be called with what the request came to.
	 * @param response of the service, where it was accepted
	 */
	settle(sent: Sent, response?: unknown): void;
}

/** A request that is refused; `failure` says why and what would be allowed. */
export interface Refused {
	failure: Failure;
}

/** Whom a request reaches, and the sender of its messages; undefined where nobody can tell. */
interface Known {
	known?: ReachOf<'messages' | 'calls'>;
	sender?: unknown;
}

/**
 * Enforces the sending policy of a credential. It is asked about every request that is about to be
 * sent, whichever operation made it. Only the trigger registers its URL without asking: that reaches
 * nobody.
 */
export class SendingGuard {
	/** Whether the credential has a policy: without one, only some types of numbers are refused. */
	readonly isOn: boolean;
	/** Why a policy that cannot be read refuses everything. */
	private readonly unreadable: Failure | undefined;
	private readonly rules: SendingPolicy;
	private readonly around: GuardSurroundings;
	private readonly readBlocked: () => Promise<Blocked | undefined>;
	private readonly textRule: TextRule | undefined;

	constructor(policy: SendingPolicy | Failure | undefined, around: GuardSurroundings) {
		this.isOn = policy !== undefined;
		this.unreadable = policy instanceof Failure ? policy : undefined;
		this.rules = policy instanceof Failure ? [] : (policy ?? WITHOUT_POLICY);
		this.around = around;
		this.readBlocked = holdingFailures(async () => this.readBlockedNow());
		this.textRule = this.makeTextRule();
	}

	/** Lets a request go out, and counts its recipients. */
	async admit(request: PostRequest): Promise<Admission | Refused> {
		const judgement = await this.judge(request);
		const { recipients } = judgement;
		// Nothing may wait between the look at the count and its change.
		const failure = judgement.refusal() ?? this.refusalForCount(recipients, this.reached);
		if (failure !== undefined) return { failure };
		this.count(recipients);
		const simulatedBy = this.simulatedBy(request);
		const sent = simulatedBy === undefined ? sentTextsOf(this.around.client.settings) : undefined;
		const note = sent && (judgement.noteIn(sent) ?? this.noteUnasked(request, sent));
		return {
			prepare: async () => await judgement.prepare(),
			refusal: () => judgement.refusal(),
			simulatedBy,
			settle: (outcome, response) => {
				if (outcome === 'no') this.count(-recipients);
				if (note !== undefined) sent?.settle(note, outcome, response);
			},
		};
	}

	/** Notes texts of a credential without hours between texts: they count for those that have them. */
	private noteUnasked({ reaches }: PostRequest, sent: SentTexts): SentNote | undefined {
		if (reaches.kind !== 'messages') return undefined;
		const options = comparedNumbers(this.around.client.settings);
		const people = reaches.numbers.flatMap((number) => personOf(number, options) ?? []);
		return sent.add(people, startOf(reaches));
	}

	private simulatedBy({ reaches: { kind } }: PostRequest): SimulatedBy | undefined {
		if (kind === 'nobody') return undefined;
		if (this.around.isEvaluation) return 'evaluation';
		return this.rules.some((rule) => rule.isSimulated) ? 'policy' : undefined;
	}

	/** How many recipients this node has reached in this execution. */
	private get reached(): number {
		return (this.around.context as Counted).policy?.recipients ?? 0;
	}

	private count(recipients: number): void {
		(this.around.context as Counted).policy = { recipients: this.reached + recipients };
	}

	/**
	 * Starts to ask about requests before the first of them is sent. Nothing is added to the count of
	 * the node, which other calls look at meanwhile: for Max Recipients, requests count for the next
	 * ones of the same review.
	 */
	startReview() {
		let { reached } = this;
		const texts = new SentTexts();
		return {
			/**
			 * Why the next requests may not all go out now; undefined where they may. Their recipients
			 * are one list: `place` counts through all requests.
			 */
			refusalOf: async (requests: readonly PostRequest[]): Promise<Failure | undefined> => {
				const complaints: Complaint[] = [];
				let total = 0;
				let leftOut = 0;
				let first: Failure | undefined;
				for (const request of requests) {
					const judgement = await this.judge(request);
					const { recipients } = judgement;
					const failure = judgement.refusal(texts);
					const reasons = failure?.facts.reasons?.filter(isComplaint) ?? [];
					const isOne = requests.length === 1 && reasons.length === recipients;
					if (failure?.facts.isLeftOut === true) {
						if (isOne) return failure;
						// They are left out when the request is sent.
						leftOut += reasons.length;
					} else {
						for (const each of reasons) complaints.push({ ...each, place: total + each.place });
						first ??= failure;
					}
					if (failure === undefined) judgement.noteIn(texts);
					total += recipients;
				}
				if (complaints.length > 0) return refusedRecipients(complaints, total);
				first ??= this.refusalForCount(total - leftOut, reached);
				if (first === undefined) reached += total - leftOut;
				return first;
			},
		};
	}

	/** What the policy says about a request, whose recipients it may have to read first. */
	private async judge(request: PostRequest): Promise<Judgement> {
		const { rules, zone, isOn } = this;
		const reach = request.reaches;
		if (reach.kind === 'nobody') return settled(undefined);
		// Of a request that does not name whom it reaches, only a policy asks.
		if (!isOn && (numbersIn(reach) ?? []).length === 0) return settled(undefined);
		if (this.unreadable !== undefined) return settled(this.unreadable);
		if (reach.kind === 'events') return settled(firstOf(rules, (rule) => rule.ofWebhook?.()));
		// The last rule first: while sending is paused, nothing else matters.
		const failure = firstOf([...rules].reverse(), (rule) => rule.ofRequest?.(request, zone));
		if (failure !== undefined) return settled(failure);
		const { known, sender } = await this.known(request);
		if (known === undefined || known.numbers.length === 0) return settled(refusedUnknown(request));
		const ofSender =
			known.kind === 'messages' ? firstOf(rules, (rule) => rule.ofSender?.(sender)) : undefined;
		if (ofSender !== undefined) return settled(ofSender);
		const blocked = await this.readBlocked();
		const judged: Judged = {
			request,
			known,
			isTimed: isOn,
			zone: zone ?? 'utc',
			screenAt: (timing) => this.screenBy(rules, timing),
			readBlocked: this.readBlocked,
			texts: await this.textsOf(request, known),
		};
		return new JudgedRequest(judged, blocked);
	}

	/** What other texts the people get whom a request texts; undefined where that does not matter. */
	private async textsOf(
		{ reaches }: PostRequest,
		known: ReachOf<'messages' | 'calls'>,
	): Promise<TextCheck | undefined> {
		const { textRule } = this;
		if (textRule === undefined || known.kind !== 'messages') return undefined;
		const campaignId = reaches.kind === 'campaign' ? campaignIdIn(reaches.path) : undefined;
		const at = () => startOf(known);
		return new TextCheck(
			textRule,
			{ numbers: known.numbers, at, campaignId },
			await textRule.read(),
		);
	}

	/**
	 * Leaves out who has another text within the hours of a request, whose recipients need not be known
	 * yet.
	 * @returns undefined where no hours are set, or it sends no texts
	 * @throws what reading the recent texts throws
	 */
	async textsFor(request: () => PostRequest): Promise<StartScreen | undefined> {
		const { textRule } = this;
		// Without a zone, the policy refuses all of them.
		if (textRule === undefined || this.zone === undefined) return undefined;
		const { reaches } = request();
		if (reaches.kind !== 'messages') return undefined;
		const texts = await textRule.read();
		return () => textScreen(textRule, texts, startOf(reaches));
	}

	/** Why a number is on the list of the credential that no workflow sends to; undefined without one. */
	async screen(): Promise<Screen | undefined> {
		return (await this.readBlocked())?.screen;
	}

	/**
	 * What a stored number gets that must not be contacted.
	 * @throws Failure where the credential has no do-not-contact list, or a policy that cannot be read
	 */
	optOutMark(): OptOutMark {
		if (this.unreadable !== undefined) throw this.unreadable;
		const mark = firstOf(this.rules, (rule) => rule.mark);
		if (mark === undefined) throw withoutList();
		return mark;
	}

	private async readBlockedNow(): Promise<Blocked | undefined> {
		const { client, noteUnreadable } = this.around;
		const rule = this.rules.find(({ readBlocked }) => readBlocked !== undefined);
		return await rule?.readBlocked?.(client, noteUnreadable);
	}

	private makeTextRule(): TextRule | undefined {
		const hours = firstOf(this.rules, (rule) => rule.hoursBetween);
		if (hours === undefined) return undefined;
		const { client } = this.around;
		const numbers = comparedNumbers(client.settings);
		const zone = this.zone ?? 'utc';
		const rule = this.rules.find(({ nextTime }) => nextTime !== undefined);
		return {
			hours,
			numbers,
			read: holdingFailures(async () => readRecentTexts(client, { zone, hours, numbers })),
			nextTime: (number, from) =>
				rule === undefined ? from : rule.nextTime?.(new Recipient(number), from, zone),
		};
	}

	/** Why so many recipients more than those reached are too many; undefined where they are not. */
	private refusalForCount(recipients: number, reached: number): Failure | undefined {
		return firstOf(this.rules, (rule) => rule.ofCount?.(reached, recipients));
	}

	/**
	 * Tells of each number whether the sending hours allow a request, and when they do next. Its
	 * recipients need not be known yet.
	 * @returns undefined where no hours are set, or the time of the request is not known
	 */
	hoursFor(request: PostRequest): Screen | undefined {
		const rule = this.rules.find(({ isOfHours }) => isOfHours);
		const reach = request.reaches;
		if (rule === undefined || (reach.kind !== 'messages' && reach.kind !== 'calls')) {
			return undefined;
		}
		const timing = timingOf(reach, Date.now(), this.zone ?? 'utc');
		const isUnknown = timing === undefined || rule.ofRequest?.(request, this.zone) !== undefined;
		return isUnknown ? undefined : this.screenBy([rule], timing);
	}

	/** Why the rules do not allow a number at a time. */
	private screenBy(rules: SendingPolicy, timing: Timing): Screen {
		// Without a zone, nothing depends on it.
		const zone = this.zone ?? 'utc';
		const checks = rules.flatMap((rule) => rule.ofRecipients?.(timing, zone) ?? []);
		return (number) => {
			const recipient = new Recipient(number);
			return firstOf(checks, (check) => check(recipient));
		};
	}

	/** IANA zone of the service's clock; undefined where the credential does not say it. */
	private get zone(): string | undefined {
		const { timeZone } = this.around.client.settings;
		return timeZone === '' ? undefined : timeZone;
	}

	/** Who is reached, and from whom; undefined where nobody can tell. */
	private async known({ reaches, body }: PostRequest): Promise<Known> {
		if (reaches.kind === 'messages' || reaches.kind === 'calls') {
			return { known: reaches, sender: body?.sender };
		}
		if (reaches.kind !== 'campaign') return {};
		const { client } = this.around;
		const { path } = reaches;
		const { startDateTime, sender } = await client.record({ method: 'GET', path });
		const list = envelopeList(client, `${path}/Contacts`, CONTACTS_PER_PAGE);
		const numbers = await readList(list, ({ phoneNumber }) => phoneNumber);
		// One without a start is sent immediately.
		const start = reaches.start ?? startDateTime;
		return { known: { kind: 'messages', numbers, start }, sender: body?.sender ?? sender };
	}
}

/** The first result of a list that is one. */
function firstOf<Each, Result>(
	list: readonly Each[],
	resultOf: (each: Each) => Result | undefined,
): Result | undefined {
	for (const each of list) {
		const result = resultOf(each);
		if (result !== undefined) return result;
	}
	return undefined;
}

/** The campaign that a path leads to, in lower case. */
function campaignIdIn(path: string): string {
	return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)).toLowerCase();
}

/** When texts go out: in the minute of their start, or now. */
function startOf(reach: ReachOf<'messages'>): number {
	const now = Date.now();
	return timingOf(reach, now, 'utc')?.[0]?.[0] ?? now;
}
