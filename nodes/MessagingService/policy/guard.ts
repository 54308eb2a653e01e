import { Failure, type Sent } from '../failure';
import { comparedIn, type NumberOptions } from '../numbers/readNumber';
import { numbersIn, type ReachOf } from '../reach';
import { isComplaint, type Complaint, type Screen, type StartScreen } from '../reason';
import { envelopeList } from '../transport/listRequests';
import { readList } from '../transport/paginate';
import type { PostRequest, ReadClient } from '../transport/request';
import { holdingFailures } from '../transport/sharedReadings';
import { isTimeZone } from '../times';
import type { OptOutMark } from '../parameters/operationInput';
import type { SendingPolicy } from './policy';
import { readRecentTexts, sentTextsOf } from './recentTexts';
import { refusedRecipients, refusedUnknown } from './refused';
import { RequestCheck } from './requestCheck';
import { WITHOUT_POLICY } from './rules/blockedNumberTypes';
import { withoutList } from './rules/doNotContact';
import { Recipient, type Blocked } from './rules/rule';
import { SentTexts } from './sentTexts';
import { TextCheck, textScreen, type TextRule } from './textCheck';
import { startOf, timingOf, type Timing } from './timing';

const CONTACTS_PER_PAGE = 1000;

/** What of the policy is kept in the node's context, as plain JSON. */
interface Counted {
	policy?: { recipients: number };
}

/** What would be sent if nothing stopped it: each request counts for the next ones, as if it was sent. */
export interface Rehearsal {
	policy: { recipients: number };
	texts: SentTexts;
}

/** What the guard asks of n8n and of the service. */
interface GuardDeps {
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
	private readonly isOn: boolean;
	/** Why a policy that cannot be read refuses everything. */
	private readonly unreadable: Failure | undefined;
	private readonly rules: SendingPolicy;
	private readonly deps: GuardDeps;
	/** Reads who must not be contacted; undefined where there is no such list. */
	readonly readBlocked: (() => Promise<Blocked>) | undefined;
	private readonly textRule: TextRule | undefined;

	constructor(policy: SendingPolicy | Failure | undefined, deps: GuardDeps) {
		this.isOn = policy !== undefined;
		this.unreadable = policy instanceof Failure ? policy : undefined;
		this.rules = policy instanceof Failure ? [] : (policy ?? WITHOUT_POLICY);
		this.deps = deps;
		const readBlocked = firstOf(this.rules, (rule) => rule.readBlocked);
		this.readBlocked =
			readBlocked && holdingFailures(async () => readBlocked(deps.client, deps.noteUnreadable));
		this.textRule = this.makeTextRule();
	}

	/** Checks a request. Unless it is refused, it may go out now, and its recipients are counted. */
	async check(request: PostRequest): Promise<RequestCheck> {
		const check = await this.read(request);
		// Nothing may wait between the look at the count and its change.
		check.failure = check.refusal() ?? this.count(check.recipients, this.deps.context);
		const isNoted = check.failure === undefined && this.simulatedBy(request) === undefined;
		const sent = isNoted ? sentTextsOf(this.deps.client) : undefined;
		if (sent !== undefined) check.noteIn(sent);
		return check;
	}

	/** Notes what a request came to that went out. @param response of the service, if it was accepted */
	settle(check: RequestCheck, sent: Sent, response?: unknown): void {
		if (sent === 'no') this.count(-check.recipients, this.deps.context);
		check.settleTexts(sent, response);
	}

	/** The count of the node, which other calls look at meanwhile, stays as it is. */
	startRehearsal(): Rehearsal {
		const { policy = { recipients: 0 } } = this.deps.context as Counted;
		return { policy, texts: new SentTexts() };
	}

	/**
	 * Checks requests before the first of them is sent. Unless they are refused, they count in the
	 * rehearsal.
	 * @param requests of one list: `place` of the reasons counts through all of them
	 */
	async rehearse(
		requests: readonly PostRequest[],
		rehearsal = this.startRehearsal(),
	): Promise<Failure | undefined> {
		const complaints: Complaint[] = [];
		let total = 0;
		let leftOut = 0;
		let first: Failure | undefined;
		for (const request of requests) {
			const check = await this.read(request);
			const { recipients } = check;
			const failure = check.refusal(rehearsal.texts);
			const reasons = failure?.facts.reasons?.filter(isComplaint) ?? [];
			if (failure === undefined) check.rehearseIn(rehearsal.texts);
			else if (failure.facts.isLeftOut !== true) {
				for (const each of reasons) complaints.push({ ...each, place: total + each.place });
				first ??= failure;
			} else {
				if (requests.length === 1 && reasons.length === recipients) return failure;
				// They are left out when the request is sent.
				leftOut += reasons.length;
			}
			total += recipients;
		}
		if (complaints.length > 0) return refusedRecipients(complaints, total);
		return first ?? this.count(total - leftOut, rehearsal);
	}

	/** Why a request that may go out is not sent all the same. */
	simulatedBy({ reaches: { kind } }: PostRequest): SimulatedBy | undefined {
		if (kind === 'nobody') return undefined;
		if (this.deps.isEvaluation) return 'evaluation';
		return this.rules.some((rule) => rule.isSimulated) ? 'policy' : undefined;
	}

	/** Counts recipients, unless they are too many beside those that were reached: then it says why. */
	private count(recipients: number, counted: Counted): Failure | undefined {
		const { recipients: reached } = counted.policy ?? { recipients: 0 };
		const failure = firstOf(this.rules, (rule) => rule.ofCount?.(reached, recipients));
		if (failure === undefined) counted.policy = { recipients: reached + recipients };
		return failure;
	}

	/** Reads what a request is checked with: whom it reaches, and what is known of them. */
	private async read(request: PostRequest): Promise<RequestCheck> {
		const { rules, zone } = this;
		const reach = request.reaches;
		if (reach.kind === 'nobody') return new RequestCheck(undefined);
		// Of a request that does not name whom it reaches, only a policy asks.
		const isUnasked = !this.isOn && (numbersIn(reach) ?? []).length === 0;
		if (isUnasked) return new RequestCheck(undefined);
		if (this.unreadable !== undefined) return new RequestCheck(this.unreadable);
		if (reach.kind === 'events') {
			return new RequestCheck(firstOf(rules, (rule) => rule.ofWebhook?.()));
		}
		// The last rule first: while sending is paused, nothing else matters.
		const failure = firstOf([...rules].reverse(), (rule) => rule.ofRequest?.(request, zone));
		if (failure !== undefined) return new RequestCheck(failure);
		const { known, sender } = await this.known(request);
		if (known === undefined || known.numbers.length === 0) {
			return new RequestCheck(refusedUnknown(request));
		}
		const ofSender =
			known.kind === 'messages' ? firstOf(rules, (rule) => rule.ofSender?.(sender)) : undefined;
		if (ofSender !== undefined) return new RequestCheck(ofSender);
		const blocked = await this.readBlocked?.();
		const texts = await this.textsOf(request, known);
		return new RequestCheck({ request, known, rules: this, blocked, texts });
	}

	/** What other texts the people get whom a request texts; undefined where that does not matter. */
	private async textsOf(
		{ reaches }: PostRequest,
		known: ReachOf<'messages' | 'calls'>,
	): Promise<TextCheck | undefined> {
		const { textRule } = this;
		if (textRule === undefined || known.kind !== 'messages') return undefined;
		const campaignId = reaches.kind === 'campaign' ? campaignIdIn(reaches.path) : undefined;
		return new TextCheck(textRule, known, campaignId, await textRule.read());
	}

	/**
	 * Leaves out of a list whom no workflow sends to, who has another text within the hours, and who is
	 * outside of the sending hours, if that is wanted.
	 * @param request the list's, whose recipients need not be known yet
	 * @returns undefined where nobody would be left out
	 * @throws what reading the stored numbers and the recent texts throws
	 */
	async screenOfList(
		request: () => PostRequest,
		{ skipsOutsideHours }: { skipsOutsideHours: boolean },
	): Promise<StartScreen | undefined> {
		const blocked = await this.readBlocked?.();
		const startTexts = await this.textsOfList(request);
		const hours = skipsOutsideHours && this.isOn ? this.hoursOf(request()) : undefined;
		if ([blocked, startTexts, hours].every((each) => each === undefined)) return undefined;
		return () => {
			const texts = startTexts?.();
			return (number) => blocked?.screen(number) ?? texts?.(number) ?? hours?.(number);
		};
	}

	/** Who has another text within the hours of a request; undefined where that does not matter. */
	private async textsOfList(request: () => PostRequest): Promise<StartScreen | undefined> {
		const { textRule } = this;
		// Without a zone, the policy refuses all of them.
		if (textRule === undefined || this.zone === undefined) return undefined;
		const { reaches } = request();
		if (reaches.kind !== 'messages') return undefined;
		const texts = await textRule.read();
		return () => textScreen(textRule, texts, startOf(reaches));
	}

	/** Whom the sending hours do not allow; undefined without hours, or a time that nobody can tell. */
	private hoursOf(request: PostRequest): Screen | undefined {
		const rule = this.rules.find(({ isOfHours }) => isOfHours);
		const reach = request.reaches;
		if (rule === undefined || (reach.kind !== 'messages' && reach.kind !== 'calls')) {
			return undefined;
		}
		const timing = timingOf(reach, Date.now(), this.zone ?? 'utc');
		const isUnknown = timing === undefined || rule.ofRequest?.(request, this.zone) !== undefined;
		return isUnknown ? undefined : this.screenBy([rule], timing);
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

	private makeTextRule(): TextRule | undefined {
		const hours = firstOf(this.rules, (rule) => rule.hoursBetween);
		if (hours === undefined) return undefined;
		const { numbers } = this;
		const { client } = this.deps;
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

	/** Why the rules do not allow a number when a request reaches it; undefined if that time is not known. */
	screenOf(reach: ReachOf<'messages' | 'calls'>): Screen | undefined {
		// Without a policy, nothing depends on the time.
		const timing = this.isOn ? timingOf(reach, Date.now(), this.zone ?? 'utc') : [];
		return timing && this.screenBy(this.rules, timing);
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

	/** How numbers of requests and of the service are read to compare them. */
	get numbers(): NumberOptions {
		return comparedIn(this.deps.client.settings.defaultCountry);
	}

	/** IANA zone of the service's clock; undefined where the credential does not say it. */
	private get zone(): string | undefined {
		const { timeZone } = this.deps.client.settings;
		return isTimeZone(timeZone) ? timeZone : undefined;
	}

	/** Who is reached, and from whom; undefined where nobody can tell. */
	private async known({ reaches, body }: PostRequest): Promise<Known> {
		if (reaches.kind === 'messages' || reaches.kind === 'calls') {
			return { known: reaches, sender: body?.sender };
		}
		if (reaches.kind !== 'campaign') return {};
		const { client } = this.deps;
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
