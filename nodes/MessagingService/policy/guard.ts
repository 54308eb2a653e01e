import type { IDataObject } from 'n8n-workflow';
import { measure } from '../messageText';
import type { Reach, ReachOf } from '../reach';
import { isComplaint, type Complaint, type Screen } from '../reason';
import { Failure } from '../failure';
import type { PostRequest } from '../transport/request';
import type { SendingPolicy } from './policy';
import { RecipientRules } from './recipientRules';
import {
	refusedForCount,
	refusedForParts,
	refusedRecipients,
	refusedUnknown,
	refusedWhilePaused,
	refusedWithoutZone,
} from './refused';
import type { StoredMatch } from './storedNumbers';
import { timingOf } from './timing';

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
	/** IANA zone of the service's times; undefined where the credential does not say it. */
	zone: string | undefined;
	/** Milliseconds since 1970. */
	now(): number;
	/** Says why a stored number must not be contacted; undefined where it may be. */
	readScreen(match: StoredMatch): Promise<Screen>;
	/** Reads a campaign and all its contacts. */
	readCampaign(path: string): Promise<{ start: unknown; contacts: readonly IDataObject[] }>;
}

/** A request that may go out. */
export interface Admission {
	/** Nothing may be sent, though everything is in order. */
	isSimulated: boolean;
	/** Checks the recipients again, perhaps much later: why they may not be reached any more. */
	refusal(): Failure | undefined;
	/** To be called where it is certain that the request was not accepted. */
	release(): void;
}

/** A request that is refused; `failure` says why and what would be allowed. */
export interface Refused {
	failure: Failure;
}

/** What the policy says about one request, before the maximum of recipients. */
interface Judgement {
	recipients: number;
	isSimulated: boolean;
	/** Why the request may not go out now; undefined where it may. */
	refusal(): Failure | undefined;
}

const FREE: Judgement = { recipients: 0, isSimulated: false, refusal: () => undefined };

const refused = (failure: Failure): Judgement => ({ ...FREE, refusal: () => failure });

/** A request that was admitted this long ago may have come into another minute of the day. */
const STILL_VALID_MS = 1000;

/**
 * Enforces the sending policy of a credential. It is asked about every request that is about to be
 * sent, whichever operation made it: there is no other way to the service.
 */
export class SendingGuard {
	/** Whether the credential has a policy. */
	readonly isOn: boolean;
	private readonly policy: SendingPolicy | Failure | undefined;
	private readonly around: GuardSurroundings;

	constructor(policy: SendingPolicy | Failure | undefined, around: GuardSurroundings) {
		this.isOn = policy !== undefined;
		this.policy = policy;
		this.around = around;
	}

	/** Lets a request go out, and counts its recipients. */
	async admit(request: PostRequest): Promise<Admission | Refused> {
		const { recipients, isSimulated, refusal } = await this.judge(request);
		// Nothing may wait between the look at the count and its change.
		const failure = refusal() ?? this.refusalForCount(recipients, this.reached);
		if (failure !== undefined) return { failure };
		this.count(recipients);
		return { isSimulated, refusal, release: () => this.count(-recipients) };
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
		return {
			/**
			 * Why the next requests may not all go out now; undefined where they may. Their recipients
			 * are one list: `place` counts through all requests.
			 */
			refusalOf: async (requests: readonly PostRequest[]): Promise<Failure | undefined> => {
				const complaints: Complaint[] = [];
				let total = 0;
				let first: Failure | undefined;
				for (const request of requests) {
					const { recipients, refusal } = await this.judge(request);
					const failure = refusal();
					for (const each of failure?.facts.reasons?.filter(isComplaint) ?? []) {
						complaints.push({ ...each, place: total + each.place });
					}
					first ??= failure;
					total += recipients;
				}
				if (complaints.length > 0) return refusedRecipients(complaints, total);
				first ??= this.refusalForCount(total, reached);
				if (first === undefined) reached += total;
				return first;
			},
		};
	}

	/** What the policy says about a request, whose recipients it may have to read first. */
	private async judge(request: PostRequest): Promise<Judgement> {
		const { policy } = this;
		if (policy === undefined) return FREE;
		const reach = request.reaches;
		if (reach.kind === 'nobody') return FREE;
		if (policy instanceof Failure) return refused(policy);
		if (policy.isPaused) return refused(refusedWhilePaused());
		const tooLong = refusalForText(policy.maxMessageParts, request.body?.message);
		if (tooLong !== undefined) return refused(tooLong);
		if (this.lacksZone(policy, reach)) return refused(refusedWithoutZone());
		const known = await this.known(reach);
		if (known === undefined || known.numbers.length === 0) return refused(refusedUnknown(request));
		const screen = await this.screen();
		let checkedAt = -Infinity;
		return {
			recipients: known.numbers.length,
			isSimulated: policy.isSimulated,
			refusal: () => {
				const now = this.around.now();
				if (now - checkedAt <= STILL_VALID_MS) return undefined;
				const timing = timingOf(known, now, this.zone);
				if (timing === undefined) return refusedUnknown(request);
				const rules = new RecipientRules(policy, timing, this.zone);
				const failure = refusedOf(
					known.numbers,
					(number) => screen?.(number) ?? rules.reasonFor(number),
				);
				if (failure === undefined) checkedAt = now;
				return failure;
			},
		};
	}

	/** Why a number is on the list of the credential that no workflow sends to; undefined without one. */
	async screen(): Promise<Screen | undefined> {
		const { policy } = this;
		if (policy === undefined || policy instanceof Failure || policy.doNotContact === undefined) {
			return undefined;
		}
		return await this.around.readScreen(policy.doNotContact);
	}

	/** Why so many recipients more than those reached are too many; undefined where they are not. */
	private refusalForCount(recipients: number, reached: number): Failure | undefined {
		const { policy } = this;
		const max =
			policy !== undefined && 'maxRecipients' in policy ? policy.maxRecipients : undefined;
		if (max === undefined || reached + recipients <= max) return undefined;
		return refusedForCount(max, reached, recipients);
	}

	/**
	 * Tells of each number whether the sending hours allow a request, and when they do next. Its
	 * recipients need not be known yet.
	 * @returns undefined where no hours are set, or the time of the request is not known
	 */
	hoursFor(request: PostRequest): Screen | undefined {
		const { policy } = this;
		if (policy === undefined || policy instanceof Failure || policy.hours === undefined)
			return undefined;
		const reach = request.reaches;
		if (reach.kind !== 'messages' && reach.kind !== 'calls') return undefined;
		const timing = timingOf(reach, this.around.now(), this.zone);
		if (timing === undefined || this.lacksZone(policy, reach)) return undefined;
		const rules = new RecipientRules(policy, timing, this.zone);
		return (number) => rules.hoursOf(number);
	}

	/** The zone of the service's clock; any where nothing depends on it. */
	private get zone(): string {
		return this.around.zone ?? 'utc';
	}

	/**
	 * Whether the hours can be told only by the clock of the service, which the credential does not
	 * say. The zone of the workflow would not do: who edits a workflow could move the hours with it.
	 */
	private lacksZone({ hours, hoursIn }: SendingPolicy, reach: Reach): boolean {
		const needsZone = hours !== undefined && (hoursIn === 'service' || reach.kind === 'calls');
		return needsZone && this.around.zone === undefined;
	}

	/** Who is reached; undefined where nobody can tell. */
	private async known(reach: Reach): Promise<ReachOf<'messages' | 'calls'> | undefined> {
		if (reach.kind === 'messages' || reach.kind === 'calls') return reach;
		if (reach.kind !== 'campaign') return undefined;
		const { start, contacts } = await this.around.readCampaign(reach.path);
		const numbers = contacts.map(({ phoneNumber }) => phoneNumber);
		return { kind: 'messages', numbers, start: reach.start ?? start };
	}
}

/** @param reasonFor why a number may not be reached */
function refusedOf(numbers: readonly unknown[], reasonFor: Screen): Failure | undefined {
	const found: Complaint[] = [];
	numbers.forEach((number, place) => {
		const reason = reasonFor(number);
		if (reason !== undefined) found.push({ ...reason, place, phoneNumber: shownNumber(number) });
	});
	return found.length === 0 ? undefined : refusedRecipients(found, numbers.length);
}

/** Why a text is too long; undefined where it is not, or the request has none. */
function refusalForText(max: number | undefined, message: unknown): Failure | undefined {
	if (max === undefined || typeof message !== 'string') return undefined;
	const { parts } = measure(message);
	return parts <= max ? undefined : refusedForParts(max, parts);
}

function shownNumber(number: unknown): string {
	const text = typeof number === 'string' || typeof number === 'number' ? String(number) : '';
	return text.slice(0, 30);
}
