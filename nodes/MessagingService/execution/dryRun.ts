import { countBy, uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { present } from '../json';
import { estimatedCost, measure } from '../messageText';
import { classify } from '../numbers/plans';
import { internationalForm, type NumberOptions } from '../numbers/readNumber';
import type { OperationInput } from '../parameters/operationInput';
import { numbersIn } from '../reach';
import { clauseOf, isComplaint, type Complaint } from '../reason';
import type { RecipientKind } from '../recipients/kind';
import { readRecipientNumber, readNumberOptions } from '../recipients/phoneNumber';
import type { RecipientPlan } from '../recipients/plan';
import type { ServiceRequest } from '../transport/request';
import type { Job, Planned } from './job';
import { describeFirst, complaintList, placeIn } from './settle';
import { inputFor, type SendingRun } from './start';

/** The output of a single message that is a dry run: what a person checks comes first. */
export async function describeMessage(run: SendingRun, job: Job): Promise<void> {
	const [planned] = job.requests;
	if (planned === undefined) return;
	const { request, leftOut } = planned;
	const { body } = request;
	const obstacle =
		leftOut === undefined
			? await run.review.refusalOf([request])
			: new Failure(clauseOf(leftOut), leftOut.advice ?? '');
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
			: { isRow: true, recipients: 0, isStopping: obstacle.isInput && !run.failuresAreItems },
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
function sentenceOf(text: string): string {
	const start = text.slice(0, 1).toUpperCase() + text.slice(1);
	return /[.!?]$/.test(start) ? start : `${start}.`;
}

/** Recipients that the shown request holds; it says how many there are. */
const MOST_SHOWN = 3;

/** The output of a dry run that is not of a single message: one item, also for a list that would be divided. */
export async function describeJob(run: SendingRun, job: Job): Promise<void> {
	const { requests, plan, itemIndexes, warnings } = job;
	const preview = new Preview(run, inputFor(run, itemIndexes));
	for (const planned of requests) preview.add(planned);
	const record = preview.record(
		plan?.obstacle ?? (await run.review.refusalOf(requests.map(({ request }) => request))),
		plan === undefined ? {} : describePlan(plan),
	);
	const records = [record];
	describeFirst(records, { warnings, columns: plan?.columns });
	run.rows.set(itemIndexes, { sent: 'no', records });
}

/** What would be sent, over all requests of a job. Nothing is kept of their other recipients. */
export class Preview {
	private readonly run: SendingRun;
	private readonly numbers: NumberOptions;
	/** ISO 3166-1 alpha-2; `international` for numbers of no country, `unknown` without country code. */
	private readonly byCountry = new Map<string, number>();
	private readonly byType = new Map<string, number>();
	private campaigns = 0;
	/** Undefined where they are not known, those of an update, for example. */
	private recipients: number | undefined = 0;
	private message: unknown;
	private request: IDataObject | undefined;

	constructor(run: SendingRun, input: OperationInput) {
		this.run = run;
		// A number of a type that is not allowed is counted as well.
		this.numbers = { ...readNumberOptions(input), allowedTypes: undefined };
	}

	/** Looks at a request. */
	add({ request }: Planned): void {
		const { operation, notes } = this.run;
		const { body = {}, reaches } = request;
		const numbers = numbersIn(reaches);
		// Without recipients, the one request of a list is only shown.
		if (numbers !== undefined && numbers.length > 0) this.campaigns++;
		this.recipients = numbers && (this.recipients ?? 0) + numbers.length;
		for (const each of numbers ?? []) this.count(each);
		notes.addSender(body.sender);
		if (this.request !== undefined) return;
		this.message = body.message;
		this.request = shownRequest(request, operation.recipients);
	}

	/** @param rows what there is to say of the rows that the recipients come from */
	record(obstacle: Failure | undefined, rows: IDataObject): IDataObject {
		const { recipients, run, byCountry, byType } = this;
		const { totals, about } = this.aboutMessage();
		run.notes.addDryRun(
			obstacle === undefined
				? { isRow: false, recipients, ...totals }
				: { isRow: false, recipients: 0 },
		);
		return present({
			...verdict(obstacle),
			campaigns: run.operation.recipients === undefined ? undefined : this.campaigns,
			recipients,
			byCountry: recipients === undefined ? undefined : mostFirst(byCountry),
			byType: recipients === undefined ? undefined : mostFirst(byType),
			...rows,
			...about,
			request: this.request,
		});
	}

	/** Counts a number by its country and its type, as it is sent. */
	private count(number: unknown): void {
		const reading = readRecipientNumber(number, this.numbers);
		const e164 = reading.problem === undefined ? reading.e164 : undefined;
		const found = e164 === undefined ? undefined : classify(e164);
		const country = found === undefined ? 'unknown' : (found.country ?? 'international');
		const type = found?.type ?? 'unknown';
		this.byCountry.set(country, (this.byCountry.get(country) ?? 0) + 1);
		this.byType.set(type, (this.byType.get(type) ?? 0) + 1);
	}

	/** How long the message is, as it is written, and what it costs. */
	private aboutMessage(): { about: IDataObject; totals: { parts?: number; cost?: number } } {
		const { message, recipients, run } = this;
		if (typeof message !== 'string') return { about: {}, totals: {} };
		const length = measure(message);
		if (recipients === undefined) return { about: { message: length }, totals: {} };
		const parts = length.parts * recipients;
		const cost = estimatedCost(run.client.settings, message, recipients);
		return {
			about: { message: { ...length, partsInAll: parts }, ...cost },
			totals: { parts, cost: cost.estimatedCost },
		};
	}
}

function verdict(obstacle: Failure | undefined): IDataObject {
	if (obstacle === undefined) return { dryRun: true, wouldSend: true };
	const { message, description } = obstacle;
	return {
		dryRun: true,
		wouldSend: false,
		reason: sentenceOf(message),
		advice: description || undefined,
	};
}

function mostFirst(counts: ReadonlyMap<string, number>): Record<string, number> {
	return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

/** The rows of a list that something is wrong with; of each reason, the first. */
function describePlan(plan: RecipientPlan): IDataObject {
	const { invalid, duplicates, skipped, isItems } = plan;
	const counts = countBy(invalid, 'code');
	const reasons = uniqBy(invalid, 'code').map((complaint) => {
		const { code, phoneNumber, advice } = complaint;
		const reason = clauseOf(complaint);
		const first = present({ ...placeIn(complaint, isItems), phoneNumber, reason, advice });
		return { code, count: counts[code] ?? 0, first };
	});
	return {
		...complaintList('duplicates', duplicates, plan),
		...complaintList('invalid', invalid, plan),
		reasons,
		skippedCount: skipped.length,
	};
}

/** A request, with the first recipients only. */
function shownRequest(
	{ method, path, query, body }: ServiceRequest,
	kind: RecipientKind | undefined,
): IDataObject {
	const list = kind === undefined ? undefined : body?.[kind.name];
	const shown = body && present(body);
	if (kind === undefined || !Array.isArray(list)) {
		return present({ method, path, query, body: shown });
	}
	const more = list.length > MOST_SHOWN ? [`... ${list.length} in all`] : [];
	const some = { ...shown, [kind.name]: [...list.slice(0, MOST_SHOWN), ...more] };
	return present({ method, path, query, body: some });
}
