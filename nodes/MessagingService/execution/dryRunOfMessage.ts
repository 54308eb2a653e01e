import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { present } from '../json';
import { classify } from '../numbers/classify';
import { internationalForm } from '../numbers/readNumber';
import { clauseOf, isComplaint, type Complaint } from '../reason';
import { estimatedCost } from '../resources/shared/cost';
import { measure } from '../messageText';
import type { Job } from './job';
import { describeFirst } from './settle';
import { inputFor, type SendingRun } from './start';

/** The output of a single message that is a dry run: what a person checks comes first. */
export async function describeMessage(run: SendingRun, job: Job): Promise<void> {
	const [planned] = job.requests;
	if (planned === undefined) return;
	const { request, leftOut } = planned;
	const refusal = await run.policy.startReview().refusalOf([request]);
	const { body } = request;
	const obstacle =
		leftOut === undefined ? refusal : new Failure(clauseOf(leftOut), leftOut.advice ?? '');
	run.notes.addSender(body?.sender);
	noteRow(run, job.itemIndexes, obstacle, {
		...present({ phoneNumber: body?.phoneNumber, message: body?.message }),
		warnings: job.warnings,
		sender: body?.sender,
	});
}

/** The output of a dry run whose message cannot be made: the other rows are not concerned. */
export function describeInvalid(
	run: SendingRun,
	itemIndexes: readonly number[],
	cause: unknown,
): void {
	noteRow(run, itemIndexes, Failure.of(cause), writtenIn(run, itemIndexes));
}

/** The number and the text as the row has them, as far as they can be read. */
function writtenIn(run: SendingRun, itemIndexes: readonly number[]): IDataObject {
	const { parameters } = inputFor(run, itemIndexes);
	const entries = ['phoneNumber', 'message'].map((name) => {
		try {
			return [name, parameters.value(name, name)] as const;
		} catch {
			return [name, undefined] as const;
		}
	});
	return present(Object.fromEntries(entries) as IDataObject);
}

function noteRow(
	run: SendingRun,
	itemIndexes: readonly number[],
	obstacle: Failure | undefined,
	{ phoneNumber, message, warnings, ...others }: IDataObject,
): void {
	const wouldSend = obstacle === undefined;
	const text = typeof message === 'string' ? message : undefined;
	const { parts, encoding } = text === undefined ? {} : measure(text);
	const cost = text === undefined ? {} : estimatedCost(run.client.settings, text);
	const e164 = internationalForm(phoneNumber);
	const { country, type } = (e164 === undefined ? undefined : classify(e164)) ?? {};
	const record = present({
		// A panel of n8n shows four columns, in the order of the first row's fields. An empty text is red.
		wouldSend,
		phoneNumber,
		reason: obstacle === undefined ? 'OK' : reasonOfRow(obstacle, phoneNumber),
		message,
		parts,
		...cost,
		advice: obstacle && (complaintOf(obstacle)?.advice ?? (obstacle.description || undefined)),
		sent: 'no',
		dryRun: true,
		encoding,
		country,
		type,
		...others,
	});
	run.notes.addDryRun(
		wouldSend
			? { isRow: true, recipients: 1, parts, cost: cost.estimatedCost }
			: { isRow: true, recipients: 0 },
	);
	const records = [record];
	describeFirst(records, { warnings: (warnings ?? []) as string[], columns: undefined });
	run.rows.set(itemIndexes, { sent: 'no', records });
}

/** Why a row would not be sent. Its number stands beside it: as a long word, it makes a column wide. */
function reasonOfRow(obstacle: Failure, phoneNumber: unknown): string {
	const complaint = complaintOf(obstacle);
	const text = complaint === undefined ? obstacle.message : clauseOf(complaint);
	return sentenceOf(text.replace(` (${String(phoneNumber)})`, ''));
}

function complaintOf({ facts: { reasons = [] } }: Failure): Complaint | undefined {
	return reasons.find(isComplaint);
}

/** A title or a clause as one sentence. */
export function sentenceOf(text: string): string {
	const start = text.slice(0, 1).toUpperCase() + text.slice(1);
	return /[.!?]$/.test(start) ? start : `${start}.`;
}
