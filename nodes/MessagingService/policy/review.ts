import type { Failure } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';
import { Refused, SendingGuard, type GuardSurroundings } from './guard';
import type { SendingPolicy } from './policy';
import { reachOf } from './reach';
import { RecipientCount } from './recipientCount';
import { refusedForCount, refusedRecipients } from './refusals';
import type { RefusalFailure, RefusedRecipient } from './violation';

/**
 * Asks what the sending policy says about requests that are going to be sent one after the other.
 * Nothing is sent, and nothing is added to the count of the node, which other calls look at
 * meanwhile: for Max Recipients, each request counts for the next ones of the same review.
 */
export class PolicyReview {
	private readonly guard: SendingGuard;
	private readonly count = new RecipientCount({});
	private readonly maxRecipients: number | undefined;

	constructor(policy: SendingPolicy | Failure | undefined, around: GuardSurroundings) {
		const { count } = this;
		count.add(around.count.reached);
		this.guard = new SendingGuard(policy, { ...around, count });
		this.maxRecipients =
			policy !== undefined && 'maxRecipients' in policy ? policy.maxRecipients : undefined;
	}

	/** Why the next request would be refused now; undefined where it would not. */
	async refusalOf(request: ServiceRequest): Promise<RefusalFailure | undefined> {
		const [outcome] = await Promise.allSettled([this.guard.admit(request)]);
		if (outcome.status === 'fulfilled') return undefined;
		if (outcome.reason instanceof Refused) return outcome.reason.failure;
		throw outcome.reason;
	}

	/**
	 * Why the next requests may not all go out now; undefined where they may. Their recipients are
	 * one list: `position` counts through all requests.
	 */
	async refusalOfAll(requests: readonly ServiceRequest[]): Promise<RefusalFailure | undefined> {
		const { reached } = this.count;
		const refused: RefusedRecipient[] = [];
		let total = 0;
		let refusal: RefusalFailure | undefined;
		for (const request of requests) {
			const failure = await this.refusalOf(request);
			for (const each of failure?.refusal?.recipients ?? []) {
				refused.push({ ...each, position: total + each.position });
			}
			refusal ??= failure;
			total += recipientsOf(request);
		}
		if (refused.length > 0) return refusedRecipients(refused, total);
		const isCount = refusal?.refusal?.rule === 'maxRecipients';
		return isCount && this.maxRecipients !== undefined
			? refusedForCount(this.maxRecipients, reached, total)
			: refusal;
	}
}

function recipientsOf(request: ServiceRequest): number {
	const reach = reachOf(request);
	return 'numbers' in reach ? reach.numbers.length : 0;
}
