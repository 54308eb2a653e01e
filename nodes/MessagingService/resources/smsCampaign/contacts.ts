import get from 'lodash/get';
import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import type { OperationCall } from '../define';
import { InputError } from '../inputError';
import { listItems } from '../parameters';
import { readPhoneNumber } from '../phoneNumbers';

/** An element of `contacts` in the create request (interface, "SMS campaign contact"). */
export interface Contact extends IDataObject {
	phoneNumber: string;
	name?: string;
	custom1?: string;
	custom2?: string;
	contactGroupId?: string;
}

/** The contact's fields beside its phone number, with their display names. */
const OTHER_FIELDS = {
	contactGroupId: 'Contact Group ID',
	custom1: 'Custom 1',
	custom2: 'Custom 2',
	name: 'Name',
} as const;

const CONTACTS = 'Contacts';
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const onlyFor = (source: string) => ({ show: { contactsSource: [source] } });

/** The contact fields of the list in the node, by the interface's names. */
const listFields: INodeProperties[] = [
	{
		displayName: 'Phone Number',
		name: 'phoneNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. +447700900123',
	},
	...Object.entries(OTHER_FIELDS).map(([name, displayName]): INodeProperties => ({
		displayName,
		name,
		type: 'string',
		default: '',
	})),
];

/** Where the contacts come from: the fields of the node that say it. */
export const contactFields: INodeProperties[] = [
	{
		displayName: 'Contacts From',
		name: 'contactsSource',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'All Input Items',
				value: 'inputItems',
				description: 'Every input item is one contact; all together become one campaign',
			},
			{
				name: 'List Below',
				value: 'list',
				description: 'Enter the contacts here; each input item makes one campaign',
			},
			{
				name: 'JSON',
				value: 'json',
				description: 'An array of contacts; each input item makes one campaign',
			},
		],
		default: 'inputItems',
		description: 'Where the contacts of the campaign come from',
	},
	{
		displayName: 'Phone Number Field',
		name: 'phoneNumberField',
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
		displayName: 'Other Contact Fields',
		name: 'otherContactFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'Names of the input fields that hold more about the contact',
		displayOptions: onlyFor('inputItems'),
		options: Object.entries(OTHER_FIELDS).map(([name, displayName]): INodeProperties => ({
			displayName: `${displayName} Field`,
			name,
			type: 'string',
			requiresDataPath: 'single',
			default: '',
			placeholder: `e.g. ${name}`,
		})),
	},
	{
		displayName: CONTACTS,
		name: 'contacts',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Contact' },
		default: {},
		displayOptions: onlyFor('list'),
		options: [{ displayName: 'Contact', name: 'contact', values: listFields }],
	},
	{
		displayName: CONTACTS,
		name: 'contactsJson',
		type: 'json',
		default: '[\n  { "phoneNumber": "+447700900123", "name": "Ada" }\n]',
		description:
			'JSON array of contacts, each with phoneNumber and, if you like, name, custom1, custom2 and contactGroupId',
		displayOptions: onlyFor('json'),
	},
];

/** A candidate contact as it came, and where from, for the messages. */
interface Candidate {
	phoneNumber: unknown;
	others: Partial<Record<keyof typeof OTHER_FIELDS, unknown>>;
}

/** One wrong contact: its position among the candidates and what is wrong. */
interface Complaint {
	position: number;
	problem: string;
}

/**
 * The contacts of a campaign, from wherever the user chose.
 * @throws InputError that lists the contacts that cannot be used; nothing has been sent then
 */
export function readContacts(call: OperationCall): Contact[] {
	const source = call.parameters.text('contactsSource', 'Contacts From');
	const isFromItems = source === 'inputItems';
	const candidates = isFromItems
		? fromInputItems(call)
		: source === 'list'
			? fromList(call)
			: fromJson(call);
	if (candidates.length === 0) {
		throw new InputError(CONTACTS, 'has no entry', 'Add at least one contact.');
	}
	const complaints: Complaint[] = [];
	const contacts = candidates.map((candidate, position) =>
		toContact(candidate, (problem) => complaints.push({ position, problem })),
	);
	if (complaints.length > 0) {
		throw complain(complaints, isFromItems ? call.itemIndexes : undefined, candidates.length);
	}
	return contacts;
}

function fromInputItems(call: OperationCall): Candidate[] {
	const items = call.context.getInputData();
	const phonePath = call.parameters.requiredText('phoneNumberField', 'Phone Number Field').trim();
	const otherPaths = Object.entries(
		call.parameters.collection('otherContactFields', 'Other Contact Fields'),
	).filter((entry): entry is [keyof typeof OTHER_FIELDS, string] => {
		const [, path] = entry;
		return typeof path === 'string' && path.trim() !== '';
	});
	assertPathExists(phonePath, items, call.itemIndexes);
	return call.itemIndexes.map((index) => {
		const json = items[index]?.json ?? {};
		return {
			phoneNumber: get(json, phonePath),
			others: Object.fromEntries(otherPaths.map(([name, path]) => [name, get(json, path.trim())])),
		};
	});
}

/** A field name that no item has is a slip of the user, not a thousand rows without a number. */
function assertPathExists(
	path: string,
	items: readonly INodeExecutionData[],
	indexes: readonly number[],
) {
	if (indexes.some((index) => get(items[index]?.json, path) !== undefined)) return;
	const [first] = indexes;
	const available = Object.keys(items[first ?? 0]?.json ?? {})
		.slice(0, 10)
		.join(', ');
	throw new InputError(
		'Phone Number Field',
		`names "${path}", a field that no input item has`,
		`Enter the name of the field (as fixed text, not its value). The first item has: ${available || 'no fields'}.`,
	);
}

function fromList(call: OperationCall): Candidate[] {
	const { contact } = call.parameters.collection('contacts', CONTACTS);
	return Array.isArray(contact) ? contact.map(toCandidate) : [];
}

function fromJson(call: OperationCall): Candidate[] {
	const value = call.parameters.value('contactsJson', CONTACTS);
	const parsed =
		typeof value === 'string'
			? jsonParse<unknown>(value, { fallbackValue: () => undefined })
			: value;
	if (!Array.isArray(parsed)) {
		throw new InputError(
			CONTACTS,
			'is not a JSON array',
			'Write it like [{ "phoneNumber": "+447700900123", "name": "Ada" }].',
		);
	}
	return parsed.map(toCandidate);
}

function toCandidate(entry: unknown): Candidate {
	const { phoneNumber, ...others } =
		typeof entry === 'object' && entry !== null
			? (entry as IDataObject)
			: { phoneNumber: entry as IDataObject[string] };
	return { phoneNumber, others };
}

function toContact(candidate: Candidate, complain: (problem: string) => void): Contact {
	const { number, problem } = readPhoneNumber(candidate.phoneNumber);
	if (problem !== undefined) complain(`the phone number ${problem}`);
	const contact: Contact = { phoneNumber: number ?? '' };
	for (const [name, label] of Object.entries(OTHER_FIELDS)) {
		const value = candidate.others[name as keyof typeof OTHER_FIELDS];
		// Fields that are not there, or empty, are left out: the service has its own defaults.
		if (value === undefined || value === null || value === '') continue;
		if (typeof value === 'object') {
			complain(`${label} is neither text nor a number`);
		} else if (name === 'contactGroupId' && !GUID.test(String(value))) {
			complain(`${label} is not a GUID (${String(value)})`);
		} else {
			contact[name] = String(value);
		}
	}
	return contact;
}

function complain(
	complaints: readonly Complaint[],
	itemIndexes: readonly number[] | undefined,
	total: number,
): InputError {
	const places = [...new Set(complaints.map(({ position }) => position))];
	const where =
		itemIndexes === undefined
			? listItems(places.map((place) => place + 1))
					.replace(/^item/, 'entry')
					.replace('entrys', 'entries')
			: listItems(places.map((place) => itemIndexes[place] ?? place));
	const [first] = complaints;
	return new InputError(
		CONTACTS,
		`cannot be used: ${places.length} of ${total} (${where})`,
		`For the first of them, ${first?.problem ?? 'something is wrong'}. Nothing was sent: correct or remove these rows and run again.`,
	);
}
