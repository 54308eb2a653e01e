import { countBy, difference, uniq, uniqBy, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { present } from '../json';
import { estimatedCost, measure, type EstimatedCost } from '../messageText';
import { classify } from '../numbers/plans';
import { internationalForm, type NumberOptions } from '../numbers/readNumber';
import type { OperationInput } from '../parameters/operationInput';
import { numbersIn } from '../reach';
import { isAboutRow, isComplaint, listed, type Complaint } from '../reason';
import { onProblemLabels } from '../recipients/fields';
import type { RecipientKind } from '../recipients/kind';
import { readRecipientNumber, readNumberOptions } from '../recipients/phoneNumber';
import type { RecipientPlan } from '../recipients/plan';
import { messageColumns } from '../resources/shared/outcomes';
import { sentenceOf } from '../texts';
import type { ServiceRequest } from '../transport/request';
import { describeFigures } from './hints';
import type { PlannedRequest } from './planned';
import { failureReason, leftOutReason } from './errorItem';
import { complaintList, describeFirst, placeIn } from './items';
import { leftOutBy } from './send';
import { inputFor, type CredentialRun, type Job } from './start';

/** The output of a single message that is a dry run. */
export async function describeMessage(job: Job): Promise<void> {
	const { run, requests } = job;
	const [planned] = requests;
	if (planned === undefined) return;
	const { request, leftOut } = planned;
	const { body } = request;
	// Whoever is left out does not count for the policy.
	const failure =
		leftOut === undefined ? await run.policy.rehearse([request], run.rehearsal) : undefined;
	const refusal = leftOut ?? (failure && leftOutBy(failure)) ?? failure;
	run.hints.addSender(body?.sender);
	noteRow(job, present({ ...body }), refusal);
}

/** The output of a dry run whose message is not made: the other rows are not concerned. */
export function describeUnmade(job: Job, refusal: Complaint | Failure): void {
	const [row = 0] = job.itemIndexes;
	const { rows } = job.run;
	const message = rows.messageOf(row)?.message as IDataObject[string];
	const phoneNumber = rows.phoneNumberOf(row) ?? '';
	noteRow({ ...job, warnings: [] }, { phoneNumber, message }, refusal);
}

/**
 * Describes a message, as its request has it, or its row.
 * @param refusal why it would not be sent
 */
function noteRow(
	{ run, itemIndexes, warnings }: Job,
	{ phoneNumber, message, sender }: IDataObject,
	refusal: Complaint | Failure | undefined,
): void {
	const wouldSend = refusal === undefined;
	const reason = reasonOfRow(refusal, phoneNumber);
	const columns = messageColumns(run.client.settings, {
		phoneNumber,
		message,
		sent: 'no',
		reason,
		isFree: !wouldSend,
	});
	const e164 = internationalForm(phoneNumber);
	const { country, type } = (e164 === undefined ? undefined : classify(e164)) ?? {};
	const records = [
		present({
			...columns,
			wouldSend,
			dryRun: true,
			encoding: typeof message === 'string' ? measure(message).encoding : undefined,
			country,
			type,
			sender,
		}),
	];
	const figures = {
		recipients: wouldSend ? 1 : 0,
		parts: wouldSend ? Number(columns.parts) : 0,
		cost: Number(columns.estimatedCost ?? 0),
		currency: run.client.settings.currency,
	};
	run.hints.addDryRun({ noun: 'row', reason, figures, isStopping: stops(run, refusal) });
	describeFirst(records, { warnings, columns: undefined });
	run.rows.set(itemIndexes, { sent: 'no', records });
}

/** Whether a real run would stop at this: what is left out on purpose stops nothing. */
function stops(run: CredentialRun, refusal: Complaint | Failure | undefined): boolean {
	return refusal instanceof Failure && !refusal.facts.isLeftOut && !run.failuresAreItems;
}

function reasonOfRow(refusal: Complaint | Failure | undefined, phoneNumber: unknown): string {
	if (refusal === undefined) return 'Would be sent';
	return refusal instanceof Failure
		? failureReason(refusal, 'no', phoneNumber)
		: leftOutReason(refusal);
}

/** Recipients that the shown request holds; it says how many there are. */
const MOST_SHOWN = 3;

/** The output of a dry run that is not of a single message: one item, also for a list that would be divided. */
export async function describeJob(job: Job): Promise<void> {
	const { run, requests, plan, itemIndexes, warnings } = job;
	const preview = new Preview(run, inputFor(run, itemIndexes));
	for (const planned of requests) preview.add(planned);
	const asked = requests.map(({ request }) => request);
	const record = preview.record(
		plan?.obstacle ?? (await run.policy.rehearse(asked, run.rehearsal)),
		plan === undefined ? {} : describePlan(plan),
		plan && stoppingRows(run.operation.recipients, plan),
	);
	const records = [record];
	if (plan !== undefined && record.wouldSend === true) {
		run.hints.addLeftOut(Number(record.recipients), countBy(plan.leftOut, 'code'));
	}
	describeFirst(records, { warnings, columns: plan?.columns });
	run.rows.set(itemIndexes, { sent: 'no', records });
}

/** What would be sent, over all requests of a job. Nothing is kept of their other recipients. */
export class Preview {
	private readonly run: CredentialRun;
	private readonly numbers: NumberOptions;
	/** ISO 3166-1 alpha-2; `international` for numbers of no country, `unknown` without country code. */
	private readonly byCountry = new Map<string, number>();
	private readonly byType = new Map<string, number>();
	private campaigns = 0;
	/** Undefined where they are not known, those of an update, for example. */
	private recipients: number | undefined = 0;
	private message: unknown;
	private request: IDataObject | undefined;

	constructor(run: CredentialRun, input: OperationInput) {
		this.run = run;
		// A number of a type that is not allowed is counted as well.
		this.numbers = { ...readNumberOptions(input), allowedTypes: undefined };
	}

	/** Looks at a request. */
	add({ request }: PlannedRequest): void {
		const { operation, hints } = this.run;
		const { body = {}, reaches } = request;
		const numbers = numbersIn(reaches);
		if (numbers !== undefined) this.campaigns++;
		this.recipients = numbers && (this.recipients ?? 0) + numbers.length;
		for (const each of numbers ?? []) this.count(each);
		hints.addSender(body.sender);
		if (this.request !== undefined) return;
		this.message = body.message;
		this.request = shownRequest(request, operation.recipients);
	}

	/**
	 * The item: what would happen, for people; then the rest.
	 * @param rows what there is to say of the rows that the recipients come from
	 * @param stopping the rows that stop the list, for people
	 */
	record(obstacle: Failure | undefined, rows: IDataObject, stopping?: string): IDataObject {
		const { recipients, run, byCountry, byType } = this;
		const { message, parts, cost } = this.aboutMessage();
		const { estimatedCost: amount, currency } = cost;
		const figures = { recipients, parts, cost: amount, currency };
		const reason = reasonOfCampaign(describeFigures(figures), obstacle, stopping);
		run.hints.addDryRun({
			noun: 'campaign',
			reason,
			figures: obstacle === undefined ? figures : { recipients: 0 },
			isStopping: stops(run, obstacle),
		});
		return present({
			recipients,
			sent: 'no',
			reason,
			campaigns: run.operation.recipients === undefined ? undefined : this.campaigns,
			estimatedCost: amount,
			currency,
			estimatedCostIsMinimum: cost.estimatedCostIsMinimum,
			wouldSend: obstacle === undefined,
			dryRun: true,
			details: present({
				message,
				byCountry: recipients === undefined ? undefined : mostFirst(byCountry),
				byType: recipients === undefined ? undefined : mostFirst(byType),
				...rows,
				request: this.request,
			}),
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
	private aboutMessage(): { message?: IDataObject; parts?: number; cost: EstimatedCost } {
		const { message, recipients, run } = this;
		if (typeof message !== 'string') return { cost: {} };
		const length = { ...measure(message) };
		if (recipients === undefined) return { message: length, cost: {} };
		const parts = length.parts * recipients;
		const cost = estimatedCost(run.client.settings, message, recipients);
		return { message: { ...length, partsInAll: parts }, parts, cost };
	}
}

/** What would happen to a list, e.g. "Would be sent: 4 people, 4 SMS parts, 0.16 EUR." */
function reasonOfCampaign(
	figures: string,
	obstacle: Failure | undefined,
	stopping: string | undefined,
): string {
	if (obstacle === undefined) {
		return figures === '' ? 'Would be sent' : `Would be sent: ${figures}`;
	}
	const what =
		stopping ??
		`nothing would be sent. ${sentenceOf(obstacle.message)} ${obstacle.description}`.trim();
	return figures === '' ? upperFirst(what) : `${figures}; ${what}`;
}

/** Rows that the reason of a list names. */
const MOST_NAMED = 3;

/** "2 rows stop the campaign: item 2 is empty, item 4 is a duplicate of item 0." Undefined where no row does. */
function stoppingRows(
	kind: RecipientKind | undefined,
	{ isItems, obstacle }: RecipientPlan,
): string | undefined {
	const { reasons = [], isLeftOut = false } = obstacle?.facts ?? {};
	const rows = reasons.filter(isComplaint).filter(({ code }) => isAboutRow(code));
	if (kind === undefined || rows.length === 0 || isLeftOut) return undefined;
	const named = rows.slice(0, MOST_NAMED).map(({ place, text, code }) => {
		const name = isItems ? `item ${place}` : `entry ${place + 1}`;
		return code === 'field' ? `in ${name}, ${text}` : `${name} ${text}`;
	});
	const more = rows.length > MOST_NAMED ? [`${rows.length - MOST_NAMED} more`] : [];
	const stop = rows.length === 1 ? 'row stops' : 'rows stop';
	return `${rows.length} ${stop} the campaign: ${[...named, ...more].join(', ')}. Fix or remove them, or choose what to do with them under ${onProblemLabels(kind)} in Options.`;
}

function mostFirst(counts: ReadonlyMap<string, number>): Record<string, number> {
	return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

/** The rows of a list that are left out or stop it; of each reason but duplicates, the first. */
function describePlan(plan: RecipientPlan): IDataObject {
	const { invalid, duplicates, leftOut, isItems } = plan;
	const others = uniq([...invalid, ...difference(leftOut, duplicates)]);
	const counts = countBy(others, 'code');
	const reasons = uniqBy(others, 'code').map((complaint) => {
		const { code } = complaint;
		return {
			code,
			count: counts[code] ?? 0,
			first: listed(complaint, placeIn(complaint, isItems)),
		};
	});
	return {
		...complaintList('duplicates', duplicates, plan),
		...complaintList('invalid', invalid, plan),
		reasons,
		skippedCount: leftOut.length,
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
