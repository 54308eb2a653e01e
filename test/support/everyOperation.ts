import { set } from 'lodash';
import type { ICredentialDataDecryptedObject, IDataObject, INodeProperties } from 'n8n-workflow';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { resources } from '../../nodes/MessagingService/resources';
import type { ReceivedRequest } from './servers';

/** Every operation of the action node, with values with which it runs: read off its description. */

/** Values that a field needs where its definition does not tell one. */
const SAMPLES: Readonly<Record<string, unknown>> = {
	allowedTypes: ['mobile', 'unknown'],
	attemptCount: 2,
	campaignId: '7',
	contactGroupId: '5f0e2b1c-7a3d-4a55-9a7e-2f6f6a1d9c10',
	defaultCountry: 'GB',
	contacts: { entry: [{ phoneNumber: '+447700900123' }] },
	date: '2999-01-12',
	finishTime: '17:00',
	interval: 30,
	invalidPhoneNumbers: 'ignore',
	number: '+447700900123',
	phoneNumber: '+447700900123',
	phoneNumbers: { entry: [{ number: '+447700900123' }] },
	startDate: '2999-01-10',
	startDateTime: '2999-01-10T09:00:00',
	startTime: '09:00',
	trackLinkUrl: 'https://example.com/sale',
	webHookUrl: 'https://example.com/hook',
	payloadJson: { parameter1: 'b' },
};

export const { properties } = new MessagingService().description;

/** A resource locator in its "By ID" mode. */
export const locator = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** In the form, a number is the ID of a voice campaign. */
const isOfSmsCampaigns = ({ modes = [] }: INodeProperties) =>
	modes.some(({ typeOptions }) => typeOptions?.searchListMethod === 'searchSmsCampaigns');

/** A value that the service takes. */
export function sampleOf(field: INodeProperties): unknown {
	const sample = SAMPLES[field.name];
	if (field.type === 'resourceLocator') return locator(isOfSmsCampaigns(field) ? 'c7' : '7');
	if (sample !== undefined) return sample;
	if (field.type === 'string' && field.default === '') return '7';
	return field.default;
}

/** The fields of a pair with its display conditions beside the two menus. */
function fieldsOf(pair: IDataObject): INodeProperties[] {
	return properties.filter(
		({ displayOptions }) =>
			displayOptions?.show?.resource?.includes(pair.resource as string) === true &&
			displayOptions.show.operation?.includes(pair.operation as string) === true &&
			// The form of an agent's tool.
			displayOptions.show['@tool'] === undefined,
	);
}

/** The values of other fields with which a field is shown. */
function conditionsOf({ displayOptions }: INodeProperties): IDataObject {
	const shown = Object.entries(displayOptions?.show ?? {})
		.map(([name, values]) => [name, values?.[0]])
		// A field that only has to be set has its usual value.
		.filter(([, value]) => typeof value !== 'object');
	return Object.fromEntries(shown) as IDataObject;
}

/** A node whose fields are all set to values that the service takes. */
export function validParameters(pair: IDataObject): IDataObject {
	const parameters: IDataObject = { ...pair };
	for (const field of fieldsOf(pair)) {
		if (field.type === 'collection' || field.type === 'notice') continue;
		if (field.type === 'fixedCollection' && !(field.name in SAMPLES)) continue;
		parameters[field.name] = sampleOf(field) as IDataObject;
	}
	const list = fieldsOf(pair).some(({ name }) => name === 'contactsSource');
	const voice = fieldsOf(pair).some(({ name }) => name === 'phoneNumbersSource');
	if (list) parameters.contactsSource = 'list';
	if (voice) parameters.phoneNumbersSource = 'list';
	return { ...parameters, updateFields: { message: 'Hi' } };
}

/** What the placeholder of a field, or of its mode for IDs, shows as an example. */
export function exampleOf({ placeholder, modes = [] }: INodeProperties): string | undefined {
	const placeholders = [placeholder, ...modes.map((mode) => mode.placeholder)].join('\n');
	return /^e\.g\. (.+?)(?:, from the service operator|\. Empty: .*)?$/m.exec(placeholders)?.[1];
}

/** One field of an operation, however deep, that a user can set. */
export interface FieldCase {
	/** Where its value is in the node's parameters, as lodash writes it. */
	path: string;
	field: INodeProperties;
	/** Fields of the node without which it is not shown. */
	parameters: IDataObject;
}

/** The parameters with which a field has a value. */
export const withValue = ({ path, parameters }: FieldCase, value: unknown): IDataObject =>
	set(structuredClone(parameters), path, value);

/** All fields of an operation, but for those of a file: fileRecipients.test.ts has those. */
export function casesOf(pair: IDataObject): FieldCase[] {
	const valid = validParameters(pair);
	const visit = (field: INodeProperties, path: string, parameters: IDataObject): FieldCase[] => {
		if (field.type === 'notice') return [];
		const options = (field.options ?? []) as INodeProperties[];
		if (field.type === 'collection') {
			return options.flatMap((option) => visit(option, `${path}.${option.name}`, parameters));
		}
		if (field.type === 'fixedCollection') {
			return options.flatMap((group) => {
				const { values = [] } = group as unknown as { values?: INodeProperties[] };
				const entry = Object.fromEntries(values.map((value) => [value.name, sampleOf(value)]));
				const place = `${path}.${group.name}[0]`;
				const filled = set(structuredClone(parameters), place, entry);
				return values.flatMap((value) => visit(value, `${place}.${value.name}`, filled));
			});
		}
		return [{ path, field, parameters }];
	};
	return fieldsOf(pair).flatMap((field) => {
		if (Object.values(conditionsOf(field)).includes('file')) return [];
		return visit(field, field.name, { ...valid, ...conditionsOf(field) });
	});
}

/** What a user fills in, or adds, as one: fields, and members of collections, lists among them. */
export function wholesOf(pair: IDataObject): FieldCase[] {
	const valid = validParameters(pair);
	return fieldsOf(pair).flatMap((field) => {
		const conditions = conditionsOf(field);
		if (field.type === 'notice' || Object.values(conditions).includes('file')) return [];
		const parameters = { ...valid, ...conditions };
		if (field.type !== 'collection') return [{ path: field.name, field, parameters }];
		return ((field.options ?? []) as INodeProperties[]).map((member) => ({
			...{ path: `${field.name}.${member.name}`, field: member, parameters },
		}));
	});
}

/** Get Summary reads the campaign, then its list. Of stored numbers, the first page is found out. */
export const requestCountOf = ({ resource, operation }: (typeof pairs)[number]): number => {
	// It stores the number, and reads the list of stored numbers.
	if (operation === 'undoOptOut') return 3;
	const isOfTwo =
		operation === 'getSummary' || `${resource} ${operation}` === 'phoneNumberStorage getAll';
	return isOfTwo ? 2 : 1;
};

const GUID = 'c56a4180-65aa-42ec-a945-5fd21dec0538';

/** What any endpoint of the service may respond with, as JSON. */
export function respond({ method, url }: ReceivedRequest): unknown {
	const { pathname } = new URL(url, 'http://service');
	if (method === 'POST') return /voice/i.test(pathname) ? { id: 1 } : GUID;
	const numbers = { number: '+447700900123', phoneNumber: '+447700900123' };
	const records = [{ id: 1, storageID: '1', ...numbers, calls: [], smss: [] }];
	if (/phonenumbers/.test(pathname)) return [];
	// The list of stored numbers starts with page 1.
	if (/PhoneNumberStorageItem\/\d+\/0$/.test(pathname)) return { items: [] };
	if (/voice$/.test(pathname)) return records;
	const page = { pageIndex: 1, totalPages: 1, totalRecords: 1, items: records };
	// The record that was asked for: its ID ends the path.
	const id = decodeURIComponent(pathname.replace(/^.*(\/|SMSMessages)/, ''));
	return { ...page, id, storageID: id };
}

/** What the credential has for an operation, beside how the service is reached. */
export const credentialFor = ({ operation }: IDataObject): ICredentialDataDecryptedObject =>
	operation === 'optOut' || operation === 'undoOptOut'
		? { sendingPolicy: true, doNotContactParameter: 'parameter9', doNotContactValue: 'Opt out' }
		: {};

/** Every resource with each of its operations that makes a request for its fields: the checks have none, or make many. */
export const pairs = resources
	.flatMap(({ value: resource, operations }) =>
		operations.map(({ value: operation }) => ({ resource, operation })),
	)
	.filter(({ operation }) => operation !== 'check');
