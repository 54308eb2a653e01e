import type { IDataObject } from 'n8n-workflow';
import { present } from '../json';
import { classify } from '../numbers/classify';
import type { NumberOptions } from '../numbers/readNumber';
import { leftOutFields, type FilePass, type FileRecipients } from '../recipients/file/blocks';
import type { Problems } from '../recipients/file/problems';
import type { RecipientKind } from '../recipients/kind';
import { readRecipientNumber } from '../recipients/number';
import { readNumberOptions } from '../recipients/numberOptions';
import type { RecipientPlan } from '../recipients/plan';
import { estimatedCost } from '../resources/shared/cost';
import { measure } from '../resources/shared/messageText';
import type { ServiceRequest } from '../transport/request';
import type { ServiceSettings } from '../transport/settings';
import type { Call, Planned } from './planned';
import type { Result } from './rows';
import { describeFirst, listOf, placeIn } from './settle';
import { callFor, type SendingRun } from './start';

/** Recipients that the shown request holds; it says how many there are. */
const MOST_SHOWN = 3;

type Kind = RecipientKind | undefined;

/** The output of a call that is a dry run: one item for each request that would be sent. */
export async function describeCall(run: SendingRun, call: Call): Promise<void> {
	const { requests, plan } = call;
	const refusal = await run.policy.startReview().refusalOf(requests.map(({ request }) => request));
	const records: IDataObject[] = [];
	for (const planned of requests) {
		const { request, leftOut } = planned;
		run.notes.addSender(request.body?.sender);
		if (leftOut !== undefined) {
			records.push({ dryRun: true, wouldSend: false, reason: leftOut.reason });
			continue;
		}
		const obstacle = plan?.obstacle ?? refusal;
		records.push({ ...verdict(obstacle), ...describePlanned(run, plan, planned) });
	}
	const result: Result = { sent: 'no', records };
	describeFirst([result], call, false);
	run.rows.set(call.itemIndexes, result);
}

/** @param obstacle why nothing would be sent */
function verdict(obstacle: { message: string; description?: unknown } | undefined): IDataObject {
	if (obstacle === undefined) return { dryRun: true, wouldSend: true };
	const { message, description } = obstacle;
	const reason = typeof description === 'string' ? `${message}. ${description}` : message;
	return { dryRun: true, wouldSend: false, reason };
}

/** What a request would be, and what is remarkable about it. */
function describePlanned(
	run: SendingRun,
	plan: RecipientPlan | undefined,
	{ request, batch, itemIndexes }: Planned,
): IDataObject {
	const { recipients: kind, reach } = run.operation;
	const body = request.body ?? {};
	// Those of an update, for example, are not known.
	const recipients = batch?.recipients ?? (reach === 1 ? [body] : undefined);
	const counts = new NumberCounts(plan?.numbers ?? readNumberOptions(callFor(run, itemIndexes)));
	counts.add(recipients ?? [], kind);
	const isDivided = batch?.parts !== undefined && batch.parts > 1;
	return present({
		recipients: recipients?.length,
		...(recipients === undefined ? {} : counts.fields()),
		campaign: isDivided ? `${batch.part} of ${batch.parts}` : undefined,
		...(plan !== undefined && batch?.part === 1 ? describePlan(plan) : {}),
		...describeMessage(body, recipients?.length, run.client.settings, reach === 1),
		request: describeRequest(request, kind),
	});
}

/** How many numbers there are of each country and of each type, as they are sent. */
class NumberCounts {
	private readonly options: NumberOptions;
	/** ISO 3166-1 alpha-2; `international` for numbers of no country, `unknown` without country code. */
	private readonly byCountry = new Map<string, number>();
	private readonly byType = new Map<string, number>();

	constructor(options: NumberOptions) {
		this.options = { ...options, allowedTypes: undefined };
	}

	add(recipients: readonly IDataObject[], kind: Kind): void {
		const { byCountry, byType } = this;
		for (const recipient of recipients) {
			const number = recipient[kind?.numberName ?? 'phoneNumber'];
			const reading = readRecipientNumber(number, this.options);
			const e164 = reading.problem === undefined ? reading.e164 : undefined;
			const found = e164 === undefined ? undefined : classify(e164);
			const country = found === undefined ? 'unknown' : (found.country ?? 'international');
			const type = found?.type ?? 'unknown';
			byCountry.set(country, (byCountry.get(country) ?? 0) + 1);
			byType.set(type, (byType.get(type) ?? 0) + 1);
		}
	}

	fields(): IDataObject {
		return { byCountry: mostFirst(this.byCountry), byType: mostFirst(this.byType) };
	}
}

function mostFirst(counts: ReadonlyMap<string, number>): Record<string, number> {
	return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

/** The rows of a list that something is wrong with. */
function describePlan(plan: RecipientPlan): IDataObject {
	return {
		...listOf('duplicates', plan.duplicates, plan),
		...listOf('invalid', plan.invalid, plan),
		reasons: firstOfEachReason(plan),
		skippedCount: plan.skipped.length,
	};
}

/** How many recipients are invalid for the same reason, and the first of them. */
function firstOfEachReason({ invalid, isItems }: RecipientPlan): IDataObject[] {
	const reasons = new Map<string, IDataObject & { count: number }>();
	for (const complaint of invalid) {
		const { code, phoneNumber, reason, advice } = complaint;
		const known = reasons.get(code);
		if (known !== undefined) known.count++;
		else {
			const first = present({ ...placeIn(complaint, isItems), phoneNumber, reason, advice });
			reasons.set(code, { code, count: 1, first });
		}
	}
	return [...reasons.values()];
}

/** How long the message of a request is, as it is written, and what it costs. */
function describeMessage(
	{ message }: IDataObject,
	recipients: number | undefined,
	settings: ServiceSettings,
	isSingle = false,
): IDataObject {
	if (typeof message !== 'string') return {};
	const length = measure(message);
	if (recipients === undefined) return { message: length };
	return {
		message: { ...length, partsInAll: length.parts * recipients },
		...estimatedCost(settings, message, isSingle ? undefined : recipients),
	};
}

/** A request, with the first recipients only. */
function describeRequest({ method, path, query, body }: ServiceRequest, kind: Kind): IDataObject {
	const list = kind === undefined ? undefined : body?.[kind.name];
	if (kind === undefined || !Array.isArray(list)) return present({ method, path, query, body });
	const more = list.length > MOST_SHOWN ? [`... ${list.length} in all`] : [];
	const shown = { ...body, [kind.name]: [...list.slice(0, MOST_SHOWN), ...more] };
	return present({ method, path, query, body: shown });
}

/** What the campaigns of a file would be. Nothing is kept of its rows. */
export class FileDescription {
	private readonly recipients: FileRecipients;
	private readonly counts: NumberCounts;
	private people = 0;
	private campaigns = 0;
	private first: IDataObject = {};
	private shown: IDataObject | undefined;

	constructor(recipients: FileRecipients) {
		this.recipients = recipients;
		this.counts = new NumberCounts(recipients.options.numbers);
	}

	/** Looks at a campaign. */
	add({ request, batch }: Planned): void {
		const { kind } = this.recipients;
		const { recipients = [] } = batch ?? {};
		this.campaigns++;
		this.people += recipients.length;
		this.counts.add(recipients, kind);
		if (this.shown !== undefined) return;
		this.first = { message: request.body?.message };
		this.shown = describeRequest(request, kind);
	}

	/** @param obstacle why nothing would be sent */
	record(
		pass: FilePass,
		problems: Problems,
		obstacle: Error | undefined,
		settings: ServiceSettings,
	): IDataObject {
		return present({
			...verdict(obstacle),
			rows: pass.rows,
			campaigns: this.campaigns,
			recipients: this.people,
			...this.counts.fields(),
			...leftOutFields(pass.leftOutInAll),
			reasons: [...problems.reasons].map(([code, reason]) => ({ code, ...reason })),
			...describeMessage(this.first, this.people, settings),
			request: this.shown,
		});
	}
}
