import { FilePass } from '../recipients/file/blocks';
import type { Problems } from '../recipients/file/problems';
import { toNodeApiError, type Failure } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';
import { plannedRequest } from './dryRun';
import { nobodyLeft, refusedRows } from './fileObstacles';
import { campaignsOf, recordedCampaign, type FilePlan, type PlannedCampaign } from './filePlan';
import { isOver } from './parts';
import type { RecordedCall } from './sentRecord';

/** What a file is, read from start to end with nothing sent. */
export interface CheckedFile {
	pass: FilePass;
	/** Why nothing may be sent. */
	obstacle: Error | undefined;
	/** What the record must know of its campaigns. */
	parts: RecordedCall[];
}

/** Looks at each campaign of a file, and at its request where that was planned. */
export type Observe = (campaign: PlannedCampaign, request: ServiceRequest | undefined) => void;

/**
 * Reads a whole file and checks all that can be checked before anything is sent.
 * @throws InputError and FileError for what is wrong with the fields or the file
 */
export async function checkFile(
	plan: FilePlan,
	problems: Problems,
	observe?: Observe,
): Promise<CheckedFile> {
	const { run, recipients } = plan;
	const pass = new FilePass(recipients, problems);
	const parts: RecordedCall[] = [];
	let refusal: Failure | undefined;
	const review = run.connection.startReview();
	for await (const campaign of campaignsOf(plan, pass, 'checked')) {
		if (isOver(run)) break;
		const { batch, lines } = campaign;
		const recorded = recordedCampaign(plan, campaign, 0);
		parts.push(recorded);
		const isKnown = run.sent.has(recorded.key);
		const request = batch.part === 1 || !isKnown ? await requestOf(plan, campaign) : undefined;
		observe?.(campaign, request);
		if (isKnown || request === undefined) {
			pass.release(batch.recipients);
			continue;
		}
		const failure = await review.refusalOf(request);
		pass.release(batch.recipients);
		refusal ??= failure;
		for (const { position, phoneNumber, reason, allowed } of failure?.refusal?.recipients ?? []) {
			const about = { itemIndex: lines[position] ?? 0, phoneNumber, advice: allowed };
			const complaint = { ...about, reason: `the phone number ${reason}` };
			problems.add({ ...complaint, code: 'sendingPolicy' }, undefined);
		}
	}
	await problems.storeFile();
	return { pass, parts, obstacle: obstacleOf(plan, pass, problems, refusal, parts.length) };
}

/** The request of a campaign, where it may be wrong: its fields are those of the first one. */
async function requestOf({ run, call }: FilePlan, { batch }: PlannedCampaign) {
	const { operation, connection } = run;
	if (batch.part > 1 && !connection.hasPolicy) return undefined;
	return await plannedRequest(connection, async (client) =>
		operation.run({ ...call, client, batch }),
	);
}

function obstacleOf(
	{ run, recipients }: FilePlan,
	pass: FilePass,
	problems: Problems,
	refusal: Failure | undefined,
	campaigns: number,
): Error | undefined {
	const { firstStopping: first } = problems;
	if (first !== undefined) return refusedRows(recipients, pass, problems, first);
	if (refusal !== undefined) return toNodeApiError(run.context.getNode(), refusal);
	return campaigns === 0 ? nobodyLeft(recipients, pass, problems) : undefined;
}
