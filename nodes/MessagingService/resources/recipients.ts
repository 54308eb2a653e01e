import get from 'lodash/get';
import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import type { OperationCall, OperationKind } from './define';
import { InputError } from './inputError';
import { listItems } from './parameters';
import { readPhoneNumber } from './phoneNumbers';

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
	 * Makes the request's entry from a candidate: its phone number, already read, and the other
	 * values as they came. What is wrong is reported, not thrown, so that all bad rows are listed.
	 */
	build(number: string, others: IDataObject, report: (problem: string) => void): Recipient;
}

/** One wrong recipient: its position among the candidates and what is wrong. */
interface Complaint {
	position: number;
	problem: string;
}

const sourceName = (kind: RecipientKind<unknown>) => `${kind.name}Source`;
const jsonName = (kind: RecipientKind<unknown>) => `${kind.name}Json`;
const OTHER_FIELDS = 'otherFields';
const NUMBER_FIELD = 'phoneNumberField';

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
	];
}

/** All input items become one campaign when they are the recipients. */
export function recipientsDecideKind(kind: RecipientKind<unknown>) {
	return (context: OperationCall['context']): OperationKind =>
		context.getNodeParameter(sourceName(kind), 0) === 'inputItems' ? 'allItems' : 'perItem';
}

/**
 * The recipients of a campaign, from wherever the user chose.
 * @throws InputError that lists those that cannot be used; nothing has been sent then
 */
export function readRecipients<Recipient>(
	kind: RecipientKind<Recipient>,
	call: OperationCall,
): Recipient[] {
	const source = call.parameters.text(sourceName(kind), `${kind.label} From`);
	const isFromItems = source === 'inputItems';
	const candidates = isFromItems
		? fromInputItems(kind, call)
		: source === 'list'
			? fromList(kind, call)
			: fromJson(kind, call);
	if (candidates.length === 0) {
		throw new InputError(kind.label, 'has no entry', 'Add at least one.');
	}
	const complaints: Complaint[] = [];
	const recipients = candidates.map((candidate, position) => {
		const report = (problem: string) => complaints.push({ position, problem });
		const { [kind.numberName]: value, ...others } = candidate;
		const { number = '', problem } = readPhoneNumber(value);
		if (problem !== undefined) report(`the phone number ${problem}`);
		return kind.build(number, others, report);
	});
	if (complaints.length > 0) {
		throw complaintsAsError(
			kind,
			complaints,
			isFromItems ? call.itemIndexes : undefined,
			candidates.length,
		);
	}
	return recipients;
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

function fromInputItems(kind: RecipientKind<unknown>, call: OperationCall): IDataObject[] {
	const items = call.context.getInputData();
	const { itemIndexes, parameters } = call;
	const paths = Object.entries({
		[kind.numberName]: parameters.requiredText(NUMBER_FIELD, 'Phone Number Field'),
		...parameters.collection(OTHER_FIELDS, `Other ${kind.singular} Fields`),
	})
		.map(([name, path]) => [name, String(path ?? '').trim()] as const)
		.filter(([, path]) => path !== '');
	assertPathExists(paths[0]?.[1] ?? '', items, itemIndexes);
	return itemIndexes.map((index) => {
		const json = items[index]?.json;
		const candidate: IDataObject = {};
		for (const [name, path] of paths) candidate[name] = get(json, path) as IDataObject[string];
		return candidate;
	});
}

/** A field name that no item has is a slip of the user, not a thousand rows without a number. */
function assertPathExists(
	path: string,
	items: readonly INodeExecutionData[],
	indexes: readonly number[],
) {
	if (indexes.some((index) => get(items[index]?.json, path) !== undefined)) return;
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
	itemIndexes: readonly number[] | undefined,
	total: number,
): InputError {
	const places = [...new Set(complaints.map(({ position }) => position))];
	const where =
		itemIndexes === undefined
			? listItems(
					places.map((place) => place + 1),
					'entry',
					'entries',
				)
			: listItems(places.map((place) => itemIndexes[place] ?? place));
	return new InputError(
		kind.label,
		`cannot be used: ${places.length} of ${total} (${where})`,
		`For the first of them, ${complaints[0]?.problem ?? 'something is wrong'}. Nothing was sent: correct or remove these rows and run again.`,
	);
}
