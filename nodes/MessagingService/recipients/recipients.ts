import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import type { OperationCall, OperationKind } from '../resources/define';
import { fieldReader } from '../resources/shared/fieldPath';
import { asOptions } from '../resources/shared/fields';
import { InputError } from '../resources/shared/inputError';
import { readPhoneNumber } from '../resources/shared/phoneNumbers';
import { listItems, listRanges } from '../resources/shared/ranges';
import { readInteger } from '../resources/shared/values';

/**
 * What the recipients of a campaign are called and made of: the contacts of an SMS campaign or the
 * phone numbers of a voice campaign.
 */
export interface RecipientKind<Recipient> {
	/** Display name of the list, e.g. "Contacts". */
	label: string;
	/** Display name of one of them, e.g. "Contact". */
	singular: string;
	/** The request's field, e.g. `contacts`; the node's fields are named after it. */
	name: string;
	/** The request's field that holds the phone number, with a sample of the whole as JSON. */
	numberName: string;
	jsonSample: string;
	/** Fields beside the phone number, by the name they have in a candidate. */
	otherFields: Readonly<Record<string, string>>;
	/**
	 * Makes the request's entry from a candidate: its phone number, already read, and its values as
	 * they came. What is wrong is reported, not thrown, so that all bad rows are listed.
	 */
	build(number: string, others: IDataObject, report: (problem: string) => void): Recipient;
}

/** A recipient that something is wrong with. */
export interface Complaint {
	/** Position of the input item, or in the list that the node was given. */
	itemIndex: number;
	phoneNumber: IDataObject[string];
	reason: string;
}

/** The recipients of one request. */
export interface Batch {
	recipients: unknown[];
	/** The input items that they came from. */
	itemIndexes: readonly number[];
	/** Which campaign of how many it is, where a long list is split. */
	part: number;
	parts: number;
}

/** All recipients of a call, checked, and divided into campaigns. */
export interface RecipientPlan {
	batches: Batch[];
	/** Those that cannot be used as they are. */
	unusable: Complaint[];
	/** Those whose number another one before has. */
	duplicates: Complaint[];
	/** Those of both that are left out. */
	skipped: Complaint[];
	/** What forbids sending, because the user wants to stop then. */
	obstacle?: InputError;
}

/** What becomes of recipients that something is wrong with. */
type Policy = 'stop' | 'skip' | 'send';

const sourceName = (kind: RecipientKind<unknown>) => `${kind.name}Source`;
const jsonName = (kind: RecipientKind<unknown>) => `${kind.name}Json`;
const OTHER_FIELDS = 'otherFields';
const NUMBER_FIELD = 'phoneNumberField';
const OPTIONS = 'recipientOptions';
const optionsLabel = ({ singular }: RecipientKind<unknown>) => `${singular} Options`;

const policyField = (
	displayName: string,
	name: string,
	description: string,
	[skip, send]: [string, string],
): INodeProperties => ({
	displayName,
	name,
	type: 'options',
	options: [
		{ name: 'Send Anyway', value: 'send', description: send },
		{ name: 'Skip', value: 'skip', description: skip },
		{ name: 'Stop', value: 'stop', description: 'Send nothing and list them' },
	],
	default: 'stop',
	description,
});

/** The node's fields that say where the recipients come from. */
export function recipientFields(kind: RecipientKind<unknown>): INodeProperties[] {
	const { jsonSample, label, singular } = kind;
	const lowerLabel = label.toLowerCase();
	const onlyFor = (source: string) => ({ show: { [sourceName(kind)]: [source] } });
	const others = Object.entries(kind.otherFields).sort(([, a], [, b]) => a.localeCompare(b));
	return [
		{
			displayName: `${label} From`,
			name: sourceName(kind),
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'All Input Items',
					value: 'inputItems',
					description: `Every input item is one ${singular.toLowerCase()}; all together become one campaign`,
				},
				{
					name: 'JSON',
					value: 'json',
					description: `An array of ${lowerLabel}; each input item makes one campaign`,
				},
				{
					name: 'List Below',
					value: 'list',
					description: `Enter the ${lowerLabel} here; each input item makes one campaign`,
				},
			],
			default: 'inputItems',
			description: `Where the ${lowerLabel} of the campaign come from`,
		},
		{
			displayName: 'Phone Number Field',
			name: NUMBER_FIELD,
			type: 'string',
			requiresDataPath: 'single',
			default: 'phoneNumber',
			required: true,
			placeholder: 'e.g. phoneNumber',
			description:
				'Name of the input field that holds the phone number. Dots lead into nested fields: customer.phone.',
			displayOptions: onlyFor('inputItems'),
		},
		{
			displayName: `Other ${singular} Fields`,
			name: OTHER_FIELDS,
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: `Names of the input fields that hold more about the ${singular.toLowerCase()}`,
			displayOptions: onlyFor('inputItems'),
			options: others.map(([name, displayName]): INodeProperties => ({
				displayName: `${displayName} Field`,
				name,
				type: 'string',
				requiresDataPath: 'single',
				default: '',
				placeholder: `e.g. ${name}`,
			})),
		},
		{
			displayName: label,
			name: kind.name,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, multipleValueButtonText: `Add ${singular}` },
			default: {},
			required: true,
			displayOptions: onlyFor('list'),
			options: [
				{
					displayName: singular,
					name: 'entry',
					values: [
						{
							displayName: 'Phone Number',
							name: kind.numberName,
							type: 'string',
							default: '',
							placeholder: 'e.g. +447700900123',
						},
						...others.map(([name, displayName]): INodeProperties => ({
							displayName,
							name,
							type: 'string',
							default: '',
						})),
					],
				},
			],
		},
		{
			displayName: `${label} (JSON)`,
			name: jsonName(kind),
			type: 'json',
			default: jsonSample,
			description: `JSON array of ${lowerLabel}, with the field names of the service`,
			displayOptions: onlyFor('json'),
		},
		{
			displayName: optionsLabel(kind),
			name: OPTIONS,
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: asOptions([
				policyField(
					'Duplicates',
					'duplicates',
					`What to do with ${lowerLabel} that have the same number`,
					['Send to the first of them only', 'Send to each of them'],
				),
				{
					displayName: `${label} per Campaign`,
					name: 'perCampaign',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: 10_000,
					description: 'Most in one campaign: a longer list becomes several campaigns',
				},
				policyField(
					`Unusable ${label}`,
					'unusable',
					`What to do with ${lowerLabel} without a number, with a damaged number, or with a field that does not fit`,
					['Send to the others only', 'Send them as they are, for the service to decide'],
				),
			]),
		},
	];
}

/** All input items become one campaign when they are the recipients. */
export function recipientsDecideKind(kind: RecipientKind<unknown>) {
	return (context: OperationCall['context']): OperationKind =>
		context.getNodeParameter(sourceName(kind), 0) === 'inputItems' ? 'allItems' : 'perItem';
}

/**
 * The recipients of the request that a call makes.
 * @throws InputError that lists those that cannot be used; nothing has been sent then
 */
export function readRecipients(kind: RecipientKind<unknown>, call: OperationCall): unknown[] {
	if (call.batch !== undefined) return call.batch.recipients;
	const { batches, obstacle } = planRecipients(kind, call);
	if (obstacle !== undefined) throw obstacle;
	return batches.flatMap(({ recipients }) => recipients);
}

/** Reads and checks all recipients of a call, from wherever the user chose, before any is sent to. */
export function planRecipients(kind: RecipientKind<unknown>, call: OperationCall): RecipientPlan {
	const source = call.parameters.text(sourceName(kind), `${kind.label} From`);
	const candidates =
		source === 'inputItems'
			? fromInputItems(kind, call)
			: listed(source === 'list' ? fromList(kind, call) : fromJson(kind, call));
	if (candidates.count === 0) throw new InputError(kind.label, 'has no entry', 'Add at least one.');
	const options = call.parameters.collection(OPTIONS, optionsLabel(kind));
	const policies = {
		unusable: policyOf(options.unusable),
		duplicate: policyOf(options.duplicates),
	};

	const recipients: unknown[] = [];
	const places: number[] = [];
	const unusable: Complaint[] = [];
	const duplicates: Complaint[] = [];
	const skipped: Complaint[] = [];
	const seen = new Map<string, number>();
	let problem: string | undefined;
	const report = (otherProblem: string) => {
		problem ??= otherProblem;
	};
	/** Whether a recipient that something is wrong with is left out. */
	const isLeftOut = (policy: Policy, list: Complaint[], complaint: Complaint) => {
		list.push(complaint);
		if (policy === 'skip') skipped.push(complaint);
		return policy !== 'send';
	};
	for (let position = 0; position < candidates.count; position++) {
		const candidate = candidates.at(position);
		const place = candidates.isItems ? (call.itemIndexes[position] ?? position) : position;
		const phoneNumber = candidate[kind.numberName];
		const reading = readPhoneNumber(phoneNumber);
		problem = reading.problem === undefined ? undefined : `the phone number ${reading.problem}`;
		const number = reading.number ?? rawText(phoneNumber);
		const recipient = kind.build(number, candidate, report);
		const complaint = (reason: string): Complaint => ({ itemIndex: place, phoneNumber, reason });
		if (problem !== undefined) {
			if (isLeftOut(policies.unusable, unusable, complaint(problem))) continue;
		} else {
			const key = comparable(number);
			const first = seen.get(key);
			if (first === undefined) seen.set(key, place);
			else {
				const name = `${candidates.noun} ${first + (candidates.isItems ? 0 : 1)}`;
				const repeats = `the phone number is that of ${name} again`;
				if (isLeftOut(policies.duplicate, duplicates, complaint(repeats))) continue;
			}
		}
		recipients.push(recipient);
		places.push(place);
	}

	const stopping = [
		...(policies.unusable === 'stop' ? unusable : []),
		...(policies.duplicate === 'stop' ? duplicates : []),
	].sort((a, b) => a.itemIndex - b.itemIndex);
	const obstacle =
		stopping.length > 0
			? complaintsAsError(kind, stopping, candidates)
			: recipients.length === 0
				? new InputError(kind.label, 'has no entry that can be used', 'All of them were skipped.')
				: undefined;
	const size =
		options.perCampaign === undefined
			? recipients.length
			: readInteger(options.perCampaign, `${kind.label} per Campaign`, { min: 1 });
	return { batches: toBatches(recipients, places, size), unusable, duplicates, skipped, obstacle };

	function toBatches(all: unknown[], itemIndexes: number[], most: number): Batch[] {
		const indexesOf = (part: number[]) => (candidates.isItems ? part : call.itemIndexes);
		if (all.length <= most) {
			return [{ recipients: all, itemIndexes: indexesOf(itemIndexes), part: 1, parts: 1 }];
		}
		const parts = Math.ceil(all.length / most);
		return Array.from({ length: parts }, (_, index) => {
			const from = index * most;
			return {
				recipients: all.slice(from, from + most),
				itemIndexes: indexesOf(itemIndexes.slice(from, from + most)),
				part: index + 1,
				parts,
			};
		});
	}
}

/** The same number in its usual spellings: `+44 7700 900123`, `00447700900123`, `447700900123`. */
function comparable(number: string): string {
	// The usual form first, as it is: of many thousands, each copy counts.
	if (/^\+[1-9]\d*$/.test(number)) return number;
	const digits = number.replace(/\D/g, '').replace(/^00/, '');
	return digits === '' ? number : `+${digits}`;
}

function policyOf(value: unknown): Policy {
	return value === 'skip' || value === 'send' ? value : 'stop';
}

function rawText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Text of a candidate's value, or undefined where there is none: unset fields are left out. */
export function textOf(
	value: unknown,
	label: string,
	report: (problem: string) => void,
): string | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	if (typeof value !== 'object') return String(value);
	report(`${label} is neither text nor a number`);
	return undefined;
}

/** What may become recipients. They are made one at a time: no second copy of a long list. */
interface Candidates {
	count: number;
	at(position: number): IDataObject;
	/** Whether each is an input item. */
	isItems: boolean;
	/** What one is called in messages. */
	noun: 'item' | 'entry';
}

function listed(entries: IDataObject[]): Candidates {
	return {
		count: entries.length,
		at: (position) => entries[position] ?? {},
		isItems: false,
		noun: 'entry',
	};
}

function fromInputItems(kind: RecipientKind<unknown>, call: OperationCall): Candidates {
	const items = call.context.getInputData();
	const { itemIndexes, parameters } = call;
	const numberPath = parameters.requiredText(NUMBER_FIELD, 'Phone Number Field').trim();
	const otherPaths = parameters.collection(OTHER_FIELDS, `Other ${kind.singular} Fields`);
	const names = Object.keys(kind.otherFields).filter((name) => Object.hasOwn(otherPaths, name));
	const readers = [
		[kind.numberName, numberPath] as const,
		...names.map((name) => [name, otherPaths[name]] as const),
	]
		.map(([name, path]) => [name, String(path ?? '').trim()] as const)
		.filter(([, path]) => path !== '')
		.map(([name, path]) => ({ name, read: fieldReader(path) }));
	assertPathExists(numberPath, items, itemIndexes);
	return {
		count: itemIndexes.length,
		at(position) {
			const json = items[itemIndexes[position] ?? -1]?.json;
			const candidate: IDataObject = {};
			for (const { name, read } of readers) candidate[name] = read(json) as IDataObject[string];
			return candidate;
		},
		isItems: true,
		noun: 'item',
	};
}

/** A field name that no item has is a slip of the user, not a thousand rows without a number. */
function assertPathExists(
	path: string,
	items: readonly INodeExecutionData[],
	indexes: readonly number[],
) {
	const read = fieldReader(path);
	if (indexes.some((index) => read(items[index]?.json) !== undefined)) return;
	const available = Object.keys(items[indexes[0] ?? 0]?.json ?? {})
		.slice(0, 10)
		.join(', ');
	throw new InputError(
		'Phone Number Field',
		`names "${path}", a field that no input item has`,
		`Enter the name of the field (as fixed text, not its value). The first item has: ${available || 'no fields'}.`,
	);
}

function fromList(kind: RecipientKind<unknown>, call: OperationCall): IDataObject[] {
	const { entry } = call.parameters.collection(kind.name, kind.label);
	return Array.isArray(entry) ? (entry as IDataObject[]) : [];
}

function fromJson(kind: RecipientKind<unknown>, call: OperationCall): IDataObject[] {
	const value = call.parameters.value(jsonName(kind), kind.label);
	const parsed =
		typeof value === 'string'
			? jsonParse<unknown>(value, { fallbackValue: () => undefined })
			: value;
	if (!Array.isArray(parsed)) {
		throw new InputError(
			`${kind.label} (JSON)`,
			'is not a JSON array',
			`Write it like ${kind.jsonSample.replace(/\s+/g, ' ')}.`,
		);
	}
	return parsed.map((entry): IDataObject =>
		typeof entry === 'object' && entry !== null
			? (entry as IDataObject)
			: { [kind.numberName]: entry as IDataObject[string] },
	);
}

function complaintsAsError(
	kind: RecipientKind<unknown>,
	complaints: readonly Complaint[],
	{ count, noun }: Candidates,
): InputError {
	// Entries of a list are counted from 1, as people do; items have their index.
	const offset = noun === 'item' ? 0 : 1;
	const places = complaints.map(({ itemIndex }) => itemIndex + offset);
	const [first] = complaints;
	const plural = noun === 'item' ? 'items' : 'entries';
	return new InputError(
		kind.label,
		`cannot be used: ${places.length} of ${count} (${listItems(places, noun, plural)})`,
		`For the first of them, ${first?.reason ?? 'something is wrong'}. Nothing was sent: correct or remove these rows and run again, or choose under "${optionsLabel(kind)}" what to do with them. All of them: ${plural} ${listRanges(places)}.`,
	);
}
