import type { IDataObject } from 'n8n-workflow';
import { OperationalError } from 'n8n-workflow';
import type { ServiceClient, ServiceRequest } from '../transport/request';
import {
	findPlaceholders,
	isGsmText,
	measure,
	type MessageLength,
} from '../resources/shared/messageText';
import { listRanges } from '../resources/shared/ranges';
import type { Complaint } from '../recipients/checks';
import type { RecipientKind } from '../recipients/kind';
import { countNumbers } from '../recipients/numberCounts';
import { readNumberOptions } from '../recipients/numberOptions';
import type { RecipientPlan } from '../recipients/plan';
import type { Operation, OperationCall } from '../resources/operation';
import type { ParameterReader } from '../resources/shared/parameters';
import { dryRunField } from '../resources/shared/dryRunField';

/** Recipients that the shown request holds; it says how many there are. */
const MOST_SHOWN = 3;
/** Duplicates and unusable recipients that are listed one by one. */
const MOST_LISTED = 1000;

/**
 * What the service adds for an opt-out link, with a space before it. The interface does not show
 * it: an assumption on the safe side.
 */
const OPT_OUT_LINK_CHARACTERS = 30;

/** Makes the requests of an operation up to the first one that sends, and gives that one back. */
export async function plannedRequest(
	client: ServiceClient,
	run: (client: ServiceClient) => Promise<unknown>,
): Promise<ServiceRequest | undefined> {
	let planned: ServiceRequest | undefined;
	const unlessSending =
		<Answer>(send: (request: ServiceRequest) => Promise<Answer>) =>
		async (request: ServiceRequest) => {
			if (request.method === 'GET') return await send(request);
			planned = request;
			// Ends the operation, which need not know of dry runs.
			throw new OperationalError('Dry run');
		};
	const [outcome] = await Promise.allSettled([
		run({
			settings: client.settings,
			record: unlessSending(client.record),
			records: unlessSending(client.records),
			page: unlessSending(client.page),
			identifier: unlessSending(client.identifier),
			anything: unlessSending(client.anything),
		}),
	]);
	if (planned === undefined && outcome.status === 'rejected') throw outcome.reason;
	return planned;
}

/** Whether the user wants nothing to be sent. @throws InputError unless it is true or false */
export function readDryRun(parameters: ParameterReader): boolean {
	return parameters.read(dryRunField) === true;
}

/** The output of a dry run: what the request would be, and what is remarkable about it. */
export function describePlan(
	request: ServiceRequest | undefined,
	{ recipients: kind, reach }: Operation,
	plan: RecipientPlan | undefined,
	{ batch, parameters }: Pick<OperationCall, 'batch' | 'parameters'>,
): IDataObject {
	const body = request?.body ?? {};
	const output: IDataObject = { dryRun: true, wouldSend: plan?.obstacle === undefined };
	if (plan?.obstacle !== undefined) {
		output.reason = `${plan.obstacle.message}. ${plan.obstacle.description}`;
	}
	// Those of an update, for example, are not known.
	const recipients = (batch?.recipients ?? (reach === 1 ? [body] : undefined)) as
		IDataObject[] | undefined;
	if (recipients !== undefined) {
		const numbers = recipients.map((recipient) => recipient[kind?.numberName ?? 'phoneNumber']);
		output.recipients = recipients.length;
		Object.assign(output, countNumbers(numbers, plan?.numbers ?? readNumberOptions(parameters)));
	}
	if (batch !== undefined && batch.parts > 1) output.campaign = `${batch.part} of ${batch.parts}`;
	if (plan !== undefined && batch?.part === 1) {
		Object.assign(output, listOf('duplicates', plan.duplicates, plan));
		Object.assign(output, listOf('invalid', plan.invalid, plan));
		output.reasons = firstOfEachReason(plan);
		output.skippedCount = plan.skipped.length;
	}
	if (typeof body.message === 'string') {
		Object.assign(output, describeMessage(body.message, body, kind, recipients));
	}
	if (request !== undefined) {
		const { method, path, query } = request;
		output.request = {
			method,
			path,
			...(query === undefined ? {} : { query }),
			...(request.body === undefined ? {} : { body: shortened(request.body, kind) }),
		};
	}
	return output;
}

/** Complaints for an output item: how many, the first of them, and the positions of the others. */
export function listOf(
	name: string,
	complaints: readonly Complaint[],
	{ isItems }: RecipientPlan,
): IDataObject {
	const others = complaints
		.slice(MOST_LISTED)
		.map(({ itemIndex }) => (isItems ? itemIndex : itemIndex + 1));
	return {
		[`${name}Count`]: complaints.length,
		[name]: complaints
			.slice(0, MOST_LISTED)
			.map(({ itemIndex, phoneNumber, reason, nextAllowedTime }) => ({
				...placeOf(itemIndex, isItems),
				phoneNumber,
				reason,
				...(nextAllowedTime === undefined ? {} : { nextAllowedTime }),
			})),
		...(others.length === 0 ? {} : { [`${name}Others`]: listRanges(others, Infinity) }),
	};
}

/** Where a recipient comes from: items have their index, the entries of a list are counted from 1. */
function placeOf(itemIndex: number, isItems: boolean): IDataObject {
	return isItems ? { itemIndex } : { entry: itemIndex + 1 };
}

/** How many recipients are invalid for the same reason, and the first of them. */
function firstOfEachReason({ invalid, isItems }: RecipientPlan): IDataObject[] {
	const reasons = new Map<string, IDataObject & { count: number }>();
	for (const { code, itemIndex, phoneNumber, reason, advice } of invalid) {
		const known = reasons.get(code);
		if (known === undefined) {
			const first: IDataObject = { ...placeOf(itemIndex, isItems), phoneNumber, reason };
			if (advice !== undefined) first.advice = advice;
			reasons.set(code, { code, count: 1, first });
		} else known.count++;
	}
	return [...reasons.values()];
}

function describeMessage(
	message: string,
	body: IDataObject,
	kind: RecipientKind<unknown> | undefined,
	recipients: readonly IDataObject[] | undefined,
): IDataObject {
	const fields = Object.keys(kind?.otherFields ?? {});
	const placeholders = findPlaceholders(message).map(({ placeholder, name }) => {
		const field = fields.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
		return { placeholder, ...extremesOf(field, recipients ?? []) };
	});
	const optOutLinkCharacters = Number(body.optOutLinkId ?? 0) > 0 ? OPT_OUT_LINK_CHARACTERS : 0;
	const suffix = '-'.repeat(optOutLinkCharacters);
	const described = { ...worstCase(message, suffix, placeholders), optOutLinkCharacters };
	// Of an update, only the text is known: what the placeholders become is not.
	if (recipients === undefined) {
		return { message: described, placeholders: placeholders.map((each) => each.placeholder) };
	}
	return {
		message: { ...described, partsInAll: described.parts * recipients.length },
		unfilledPlaceholders: placeholders
			.filter(({ empty }) => empty > 0)
			.map(({ placeholder, empty }) => ({ placeholder, recipients: empty })),
	};
}

/** The values of a field that decide how long a message can become. */
interface Extremes {
	/** The longest of those in GSM-7, and of all. */
	longestGsm: string;
	longest: string;
	/** Whether any is not in GSM-7. */
	needsUcs2: boolean;
	/** How many recipients have no value. */
	empty: number;
}

function extremesOf(field: string | undefined, recipients: readonly IDataObject[]): Extremes {
	const extremes: Extremes = { longestGsm: '', longest: '', needsUcs2: false, empty: 0 };
	let units = 0;
	for (const recipient of recipients) {
		const text = field === undefined ? '' : String(recipient[field] ?? '');
		if (text === '') extremes.empty++;
		if (text.length > extremes.longest.length) extremes.longest = text;
		if (!isGsmText(text)) extremes.needsUcs2 = true;
		// A character of GSM-7 takes at most two units.
		else if (text.length * 2 > units && measure(text).units > units) {
			units = measure(text).units;
			extremes.longestGsm = text;
		}
	}
	return extremes;
}

/**
 * The most parts that a message can have. One character that GSM-7 lacks makes the whole message
 * UCS-2, of which a part holds less than half, so a short value may make the longest message.
 */
function worstCase(
	message: string,
	suffix: string,
	placeholders: readonly (Extremes & { placeholder: string })[],
): MessageLength {
	const filled = (valueOf: (extremes: Extremes) => string) =>
		placeholders.reduce((text, each) => {
			const value = valueOf(each);
			return value === '' ? text : text.replaceAll(each.placeholder, () => value);
		}, message) + suffix;
	const gsm = measure(filled(({ longestGsm }) => longestGsm));
	const isUcs2 = gsm.encoding === 'UCS-2' || placeholders.some(({ needsUcs2 }) => needsUcs2);
	if (!isUcs2) return gsm;
	const ucs2 = measure(
		filled(({ longest }) => longest),
		false,
	);
	return ucs2.parts >= gsm.parts ? ucs2 : gsm;
}

/** The body with the first recipients only. */
function shortened(body: IDataObject, kind: RecipientKind<unknown> | undefined): IDataObject {
	const list = kind === undefined ? undefined : body[kind.name];
	if (kind === undefined || !Array.isArray(list) || list.length <= MOST_SHOWN) return body;
	return { ...body, [kind.name]: [...list.slice(0, MOST_SHOWN), `... ${list.length} in all`] };
}
