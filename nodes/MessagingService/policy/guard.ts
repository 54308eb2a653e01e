import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';
import type { SendingPolicy } from './policy';
import { reachOf, type Reach } from './reach';
import type { RecipientCount } from './recipientCount';
import { RecipientRules, type Timing } from './recipientRules';
import { refusedForCount, refusedRecipients, refusedUnknown, refusedWithoutZone } from './refusals';
import { timingOfCalls, timingOfMessages } from './timing';
import type { RefusalFailure, RefusedRecipient, Violation } from './violation';

/** What the guard asks of n8n and of the service. */
export interface GuardSurroundings {
	count: RecipientCount;
	/** IANA zone of the service's times; undefined where the credential does not say it. */
	zone: string | undefined;
	/** Milliseconds since 1970. */
	now(): number;
	/** Reads a campaign and all its contacts. */
	readCampaign(path: string): Promise<{ start: unknown; contacts: readonly IDataObject[] }>;
}

/** A request that may go out. */
export interface Admission {
	/** Nothing may be sent, though everything is in order. */
	isSimulated: boolean;
	/** Checks the recipients again, perhaps much later: why they may not be reached any more. */
	refusal(): RefusalFailure | undefined;
	/** To be called where it is certain that the request was not accepted. */
	release(): void;
}

/** The request is refused; `failure` says why and what would be allowed. */
export class Refused extends Error {
	readonly failure: RefusalFailure;

	constructor(failure: RefusalFailure) {
		super(failure.message);
		this.name = 'Refused';
		this.failure = failure;
	}
}

/** Why the sending hours do not allow a number now; undefined where they do. */
export type HoursOfNumber = (number: unknown) => Violation | undefined;

const nothing = () => undefined;
const FREE: Admission = { isSimulated: false, refusal: nothing, release: nothing };

/** A request that was admitted this long ago may have come into another minute of the day. */
const STILL_VALID_MS = 1000;

/** Who gets a message or a call, and when, by the clock at the time of asking. */
interface Recipients {
	numbers: readonly unknown[];
	timingAt(now: number): Timing | undefined;
}

/**
 * Enforces the sending policy of a credential. It is asked about every request that is about to be
 * sent, whichever operation made it: there is no other way to the service.
 */
export class SendingGuard {
	private readonly policy: SendingPolicy | Failure | undefined;
	private readonly around: GuardSurroundings;

	constructor(policy: SendingPolicy | Failure | undefined, around: GuardSurroundings) {
		this.policy = policy;
		this.around = around;
	}

	/** @throws Refused when the policy forbids the request */
	async admit(request: ServiceRequest): Promise<Admission> {
		const { policy } = this;
		if (policy === undefined) return FREE;
		const reach = reachOf(request);
		if (reach.kind === 'nobody') return FREE;
		if ('sent' in policy) throw new Refused(policy);
		if (this.lacksZone(policy, reach)) throw new Refused(refusedWithoutZone());
		const recipients = await this.recipientsOf(reach, request);
		const { length } = recipients.numbers;
		let checkedAt = this.around.now();
		const check = () => {
			checkedAt = this.around.now();
			const timing = recipients.timingAt(checkedAt);
			if (timing === undefined) return refusedUnknown(request);
			return this.refusedOf(policy, recipients.numbers, timing);
		};
		const refusal = check();
		if (refusal !== undefined) throw new Refused(refusal);
		// Nothing may wait between the look at the count and its change.
		this.assertCount(policy, length);
		this.around.count.add(length);
		return {
			isSimulated: policy.isSimulated,
			refusal: () => (this.around.now() - checkedAt > STILL_VALID_MS ? check() : undefined),
			release: () => {
				this.around.count.remove(length);
			},
		};
	}

	/**
	 * Tells of each number whether the sending hours allow a request, and when they do next. Its
	 * recipients need not be known yet.
	 * @returns undefined where no hours are set, or the time of the request is not known
	 */
	hoursFor(request: ServiceRequest): HoursOfNumber | undefined {
		const { policy } = this;
		if (policy === undefined || 'sent' in policy || policy.hours === undefined) return undefined;
		const reach = reachOf(request, true);
		const timing = this.timingOf(reach, this.around.now());
		if (timing === undefined || this.lacksZone(policy, reach)) return undefined;
		const rules = new RecipientRules(policy, timing, this.zone);
		return (number) => rules.hoursOf(number);
	}

	private timingOf(reach: Reach, now: number): Timing | undefined {
		if (reach.kind === 'messages') return timingOfMessages(reach.start, now);
		return reach.kind === 'calls' ? timingOfCalls(reach.days, this.zone) : undefined;
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

	private async recipientsOf(
		reach: Exclude<Reach, { kind: 'nobody' }>,
		request: ServiceRequest,
	): Promise<Recipients> {
		switch (reach.kind) {
			case 'messages':
			case 'calls':
				return { ...reach, timingAt: (now) => this.timingOf(reach, now) };
			case 'campaign': {
				const { start, contacts } = await this.around.readCampaign(reach.path);
				if (contacts.length === 0) throw new Refused(refusedUnknown(request));
				return {
					numbers: contacts.map(({ phoneNumber }) => phoneNumber),
					timingAt: (now) => timingOfMessages(reach.start ?? start, now),
				};
			}
			case 'unknown':
				throw new Refused(refusedUnknown(request));
		}
	}

	private refusedOf(policy: SendingPolicy, numbers: readonly unknown[], timing: Timing) {
		const rules = new RecipientRules(policy, timing, this.zone);
		const found: RefusedRecipient[] = [];
		numbers.forEach((number, position) => {
			const violation = rules.violationOf(number);
			if (violation === undefined) return;
			found.push({ ...violation, position, phoneNumber: shownNumber(number) });
		});
		return found.length === 0 ? undefined : refusedRecipients(found, numbers.length);
	}

	private assertCount({ maxRecipients }: SendingPolicy, recipients: number) {
		const { reached } = this.around.count;
		if (maxRecipients === undefined || reached + recipients <= maxRecipients) return;
		throw new Refused(refusedForCount(maxRecipients, reached, recipients));
	}
}

function shownNumber(number: unknown): string {
	const text = typeof number === 'string' || typeof number === 'number' ? String(number) : '';
	return text.slice(0, 30);
}
