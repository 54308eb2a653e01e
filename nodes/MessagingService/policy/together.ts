import type { Failure } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';
import { Refused, SendingGuard, type GuardSurroundings } from './guard';
import type { SendingPolicy } from './policy';
import { reachOf } from './reach';
import { RecipientCount } from './recipientCount';
import { refusedForCount, refusedRecipients } from './refusals';
import type { RefusedRecipient } from './violation';

/**
 * Why requests that belong together may not go out now; undefined where all of them may. Their
 * recipients are one list, also for Max Recipients: `position` counts through all requests. Nothing
 * is added to the count of the node, which other calls look at meanwhile.
 */
export async function refusalOfAll(
	policy: SendingPolicy | Failure | undefined,
	around: GuardSurroundings,
	requests: readonly ServiceRequest[],
): Promise<Failure | undefined> {
	if (policy === undefined) return undefined;
	if ('sent' in policy) return policy;
	const { maxRecipients } = policy;
	const count = new RecipientCount({});
	const guard = new SendingGuard({ ...policy, maxRecipients: undefined }, { ...around, count });
	const refused: RefusedRecipient[] = [];
	let total = 0;
	for (const request of requests) {
		const failure = await refusalOf(guard, request);
		const recipients = failure?.refusal?.recipients ?? [];
		if (failure !== undefined && recipients.length === 0) return failure;
		for (const each of recipients) refused.push({ ...each, position: total + each.position });
		total += recipientsOf(request);
	}
	if (refused.length > 0) return refusedRecipients(refused, total);
	const { reached } = around.count;
	if (maxRecipients === undefined || reached + count.reached <= maxRecipients) return undefined;
	return refusedForCount(maxRecipients, reached, count.reached);
}

async function refusalOf(
	guard: SendingGuard,
	request: ServiceRequest,
): Promise<Failure | undefined> {
	const [outcome] = await Promise.allSettled([guard.admit(request)]);
	if (outcome.status === 'fulfilled') return undefined;
	if (outcome.reason instanceof Refused) return outcome.reason.failure;
	throw outcome.reason;
}

function recipientsOf(request: ServiceRequest): number {
	const reach = reachOf(request);
	return 'numbers' in reach ? reach.numbers.length : 0;
}
