import type { Batch } from '../recipients/batch';
import type { RecipientPlan } from '../recipients/plan';
import type { OperationCall } from '../resources/operation';
import { toNodeApiError, type Failure } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';
import { plannedRequest } from './dryRun';
import type { Run } from './runState';
import { hashOf, type RecordedCall } from './sentRecord';

/** A campaign of a call that was not sent yet, and its request. */
interface Open {
	batch: Batch;
	recorded: RecordedCall;
	request: ServiceRequest;
}

/** Campaigns of a call that the sending policy refuses together. */
export interface RefusedCampaigns {
	failure: Failure;
	/** Their keys in the record. */
	keys: ReadonlySet<string>;
	/** What they came to: where each recipient is an input item, the recipients are one list. */
	parts: {
		itemIndexes: readonly number[];
		batch: Batch;
		failure: { cause: unknown; isCertain: true; isEarlier: false };
	}[];
}

/**
 * Asks the sending policy about all campaigns of a call before the first one is sent: one refused
 * recipient refuses all of them. Those that an earlier try has sent are not asked about.
 * @returns undefined where they may be sent, or there is only one, which the gate refuses as a whole
 */
export async function reviewCampaigns(
	run: Run,
	call: OperationCall,
	plan: RecipientPlan | undefined,
	planned: readonly RecordedCall[],
): Promise<RefusedCampaigns | undefined> {
	const { connection, context, sent } = run;
	if (plan === undefined || plan.batches.length < 2 || !connection.hasPolicy) return undefined;
	const review = async (campaigns: readonly Open[]) =>
		await connection.startReview().refusalOfAll(campaigns.map(({ request }) => request));
	let open = await openCampaigns(run, call, plan.batches, planned);
	let failure = await review(open);
	if (failure !== undefined && sent.claims !== undefined) {
		// Another retry may have sent some of them.
		open = await claimed(run, open);
		failure = await review(open);
	}
	const [first] = open;
	if (failure === undefined || first === undefined) return undefined;
	const cause = toNodeApiError(context.getNode(), failure);
	const refused = { cause, isCertain: true, isEarlier: false } as const;
	const rows = open.flatMap(({ recorded }) => recorded.rows);
	return {
		failure,
		keys: new Set(open.map(({ recorded }) => recorded.key)),
		parts: plan.isItems
			? [{ itemIndexes: rows, batch: first.batch, failure: refused }]
			: open.map(({ batch, recorded }) => ({
					itemIndexes: recorded.rows,
					batch,
					failure: refused,
				})),
	};
}

async function openCampaigns(
	{ connection, operation, sent }: Run,
	call: OperationCall,
	batches: readonly Batch[],
	planned: readonly RecordedCall[],
): Promise<Open[]> {
	const open: Open[] = [];
	for (const [index, batch] of batches.entries()) {
		const recorded = planned[index];
		const request = await plannedRequest(connection, async (client) =>
			operation.run({ ...call, client, batch }),
		);
		if (recorded === undefined || request === undefined) continue;
		const isKnown = sent.has(sent.isTool ? hashOf(request) : recorded.key);
		if (!isKnown && !connection.isRepeat(request)) open.push({ batch, recorded, request });
	}
	return open;
}

/** Those that no other retry has claimed. */
async function claimed({ sent }: Run, open: readonly Open[]): Promise<Open[]> {
	const claims = await Promise.all(
		open.map(async ({ recorded }) => await sent.claims?.claim([recorded.key])),
	);
	return open.filter((_, index) => claims[index]?.[0] === 'ours');
}
