import type { IDataObject } from 'n8n-workflow';
import { returnsOf } from '../../nodes/MessagingService/resources/returns';
import type { Fields, FieldSchema } from '../../nodes/MessagingService/returns/fields';
import {
	actionSuite,
	byId,
	sendMessage,
	type ActionOptions,
	type ActionParameters,
} from '../support/actionSuite';
import { pairs, validParameters } from '../support/everyOperation';
import { serversOfTest } from '../support/servers';
import { voiceBody, voiceParameters } from '../support/voiceCampaign';

const { credential, run, sandbox } = actionSuite();
const startServer = serversOfTest();

/** Fields by their paths, those of entries and objects, too. */
function schemasIn(fields: Fields, path = ''): [path: string, schema: FieldSchema][] {
	return Object.entries(fields).flatMap(([name, schema]) => {
		const here = `${path}${name}`;
		const { items, properties } = schema;
		const inner: Fields = items === undefined ? {} : { '[]': items };
		return [
			[here, schema] as [string, FieldSchema],
			...schemasIn(inner, here),
			...schemasIn(properties ?? {}, `${here}.`),
		];
	});
}

/** The types of all values, by their paths. */
function typesIn(value: unknown, path: string, types: Map<string, Set<string>>) {
	if (value === undefined || value === null) return;
	const name = Array.isArray(value) ? 'array' : typeof value;
	types.set(path, (types.get(path) ?? new Set()).add(name));
	if (Array.isArray(value)) for (const each of value) typesIn(each, `${path}[]`, types);
	else if (name === 'object')
		for (const [key, each] of Object.entries(value))
			typesIn(each, path === '' ? key : `${path}.${key}`, types);
}

const typeOf = ({ type }: FieldSchema) => {
	const first = typeof type === 'string' ? type : type[0];
	return first === 'integer' ? 'number' : first;
};

/**
 * Runs an operation, and gives the fields that its definition has and the items do not, or with
 * another type.
 */
async function notReturned(
	parameters: ActionParameters,
	fields: Fields | undefined,
	options: ActionOptions = {},
): Promise<string[]> {
	const { items, error } = await run(parameters, options);
	expect(error).toBeUndefined();
	const types = new Map<string, Set<string>>();
	for (const { json } of items) typesIn(json, '', types);
	return schemasIn(fields ?? {}).flatMap(([path, schema]) =>
		types.get(path)?.has(String(typeOf(schema))) === true ? [] : [path],
	);
}

const fieldsOf = ({ resource, operation }: ActionParameters) =>
	returnsOf(resource, operation).fields;
const otherFieldsOf = ({ resource, operation }: ActionParameters, place = 0) =>
	returnsOf(resource, operation).otherwise?.[place]?.fields;

const post = async <Answer>(path: string, body: IDataObject): Promise<Answer> => {
	const { data } = await sandbox().api.post<Answer>(path, body);
	return data;
};

describe('every field of the definition is in the items of', () => {
	test('voice campaigns', async () => {
		const { id } = await post<{ id: number }>(
			'/api/campaigns/voice',
			voiceBody({
				...{ smsOnBusy: 1, attempts: [{ interval: 30, attemptNumber: 1 }] },
				runoverDays: [{ date: '2999-01-11', startTime: '09:30', finishTime: '17:30' }],
				// Answered; busy, which gets an SMS; one with the values of its message.
				phoneNumbers: ['123', '703', '814'].map((end) => ({
					...{ number: `+447700900${end}`, name: 'Ada' },
					parameters: [{ parameter: 1, value: 'Monday' }],
				})),
			}) as IDataObject,
		);
		await sandbox().advanceTo('2999-01-10T16:00:00Z');
		const of = (operation: string, more: IDataObject = {}) => ({
			...{ resource: 'voiceCampaign', operation, campaignId: byId(id), ...more },
		});
		const full = { simple: false };
		expect(await notReturned(of('get', full), fieldsOf(of('get')))).toEqual([]);
		for (const list of ['getAll', 'getAllUnpaged'])
			expect(await notReturned(of(list, full), fieldsOf(of(list)))).toEqual([]);
		const numbers = of('getPhoneNumbers');
		const ofNumbers = await notReturned(numbers, fieldsOf(numbers));
		expect(ofNumbers.filter((path) => !path.startsWith('calls[].userInput'))).toEqual([]);
		for (const [place, output] of ['calls', 'smss'].entries()) {
			const missing = await notReturned({ ...numbers, output }, otherFieldsOf(numbers, place));
			expect(missing.filter((path) => path !== 'userInput')).toEqual([]);
		}
		// Of the credential.
		expect(await notReturned(of('getSummary'), fieldsOf(of('getSummary')))).toEqual(['currency']);
	});

	test.each(['create', 'createForClient'])(
		'a voice campaign that is made (%s)',
		async (operation) => {
			const made = {
				...{ ...voiceParameters, operation, phoneNumbersSource: 'json' },
				phoneNumbersJson: JSON.stringify([{ number: '+447700900123', name: 'Ada' }]),
				additionalFields: { attempts: { attempt: [{ interval: 60, attemptNumber: 1 }] } },
			};
			expect(await notReturned(made, fieldsOf(made))).toEqual([]);
		},
	);

	test('SMS campaigns and messages', async () => {
		const contacts = ['123', '905'].map((end) => ({
			...{ phoneNumber: `+447700900${end}`, name: 'Ada' },
			...{ custom1: 'x', custom2: 'x' },
		}));
		const start = '2999-01-10T09:00:00Z';
		const body = { startDateTime: start, sender: 'Shop', message: 'Hi', optOutLinkId: 501 };
		const id = await post<string>('/api/Campaigns', {
			...{ ...body, trackLinkUrl: 'https://shop.example.com/sale', contacts },
		});
		expect(id).toEqual(expect.any(String));
		const message = await run(sendMessage);
		await sandbox().advanceTo('2999-01-10T10:00:00Z');
		const of = (operation: string) => ({
			...{ resource: 'smsCampaign', operation, campaignId: byId(id), returnAll: true },
		});
		for (const operation of ['get', 'getAll', 'getContacts', 'getSummary'])
			expect([operation, await notReturned(of(operation), fieldsOf(of(operation)))]).toEqual([
				...[operation, operation === 'getSummary' ? ['currency'] : []],
			]);
		const messageId = byId(String(message.items[0]?.json.newId));
		for (const operation of ['get', 'getAll']) {
			const parameters = { resource: 'smsMessage', operation, messageId, returnAll: true };
			const simple = await notReturned({ ...parameters, simple: true }, fieldsOf(parameters));
			const whole = await notReturned({ ...parameters, simple: false }, otherFieldsOf(parameters));
			// The list has the messages of the campaign as well.
			const missing = operation === 'get' ? ['campaignId'] : [];
			expect([simple, whole]).toEqual([missing, missing]);
		}
	});

	test('what is sent, stored and set', async () => {
		const priced = { credential: credential({ pricePerPart: 0.04, currency: 'EUR' }) };
		expect(await notReturned(sendMessage, fieldsOf(sendMessage), priced)).toEqual([]);
		const create = { resource: 'phoneNumberStorage', operation: 'create' };
		const stored = { ...create, storageID: 'a', number: '+447700900123' };
		// Only where the service does not repeat what it has stored.
		expect(await notReturned(stored, fieldsOf(create))).toEqual(['success']);
		const set = { resource: 'webhook', operation: 'set', webHookUrl: 'https://example.com/x' };
		expect(await notReturned(set, fieldsOf(set))).toEqual([]);
		const remove = { resource: 'webhook', operation: 'remove' };
		expect(await notReturned(remove, fieldsOf(remove))).toEqual([]);
	});
});

/** Those whose response is not documented: it is passed on, unless there is nothing in it. */
const undocumented = pairs
	.map((pair) => validParameters(pair) as ActionParameters)
	.filter(({ resource, operation }) => returnsOf(resource, operation).isOpen === true);

test.each(
	undocumented.flatMap((parameters) => ['', '{}', 'null'].map((body) => ({ body, parameters }))),
)(
	'a response with nothing in it ($body) gives the fields of the definition: $parameters.resource $parameters.operation',
	async ({ body, parameters }) => {
		const { url } = await startServer((_request, response) => {
			response.end(body);
		});
		const options = { credential: credential({ baseUrl: url }) };
		expect(await notReturned(parameters, fieldsOf(parameters), options)).toEqual([]);
	},
);

test('there are five of them', () => {
	expect(undocumented).toHaveLength(5);
});
