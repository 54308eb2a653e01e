import { createHmac, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as n8nWorkflow from 'n8n-workflow';
import {
	resolveWebhookDescriptionField,
	type IDataObject,
	type IWebhookDescription,
} from 'n8n-workflow';
import type * as DescriptionModule from '../../nodes/MessagingService/trigger/webhookDescription';
import {
	hookContext,
	receive,
	trigger,
	type DeliveryResult,
	type TriggerSetup,
	workflowWith,
} from '../support/trigger';
import { FakeResponse } from '../support/fakeResponse';
import { holds } from '../support/runs';

const call = {
	webHookType: 0,
	data: {
		clientId: 1001,
		outCome: 1,
		stage: 14,
		startTime: '2026-01-01T10:00:00Z',
		endTime: '2026-01-01T10:01:30Z',
		userInput: '9',
		campaignId: '2001',
		phoneNumber: '+447700900123',
	},
};
const sms = {
	webHookType: 1,
	data: {
		clientId: 1001,
		Id: 7,
		phoneNumberId: 'a-guid',
		phoneNumber: '+447700900456',
		parts: 2,
		dateCreated: '2026-01-01T10:00:00Z',
		lastUpdated: '2026-01-01T10:00:05Z',
		price: 0.08,
		statusCode: 5,
	},
};

const base = {
	events: ['callAttempted', 'smsStatus'],
	filters: {},
	options: {},
};

/** Each setup is a workflow of its own: the trigger keeps state by workflow. */
function setup(parameters: Record<string, unknown> = {}, secret?: string): TriggerSetup {
	return {
		parameters: { ...base, ...parameters } as TriggerSetup['parameters'],
		credential: {
			baseUrl: 'https://service.example.com',
			clientId: '',
			authentication: 'none',
			...(secret === undefined ? {} : { webhookSecret: secret }),
		},
		workflowId: randomUUID(),
	};
}

/** The description of the webhook as n8n 1 gets it, which evaluates expressions. */
function descriptionOfN8n1(): IWebhookDescription {
	const found: IWebhookDescription[] = [];
	jest.isolateModules(() => {
		const missing = { fromParameter: undefined, webhookDescriptionFields: undefined };
		jest.doMock('n8n-workflow', () => ({ ...n8nWorkflow, ...missing }));
		const { webhookDescription } = jest.requireActual<typeof DescriptionModule>(
			'../../nodes/MessagingService/trigger/webhookDescription',
		);
		found.push(webhookDescription);
		jest.dontMock('n8n-workflow');
	});
	const [description] = found;
	if (description === undefined) throw new Error('The description was not loaded');
	return description;
}

const jsonOf = (outputs: { json: unknown }[][] | undefined) =>
	(outputs ?? []).map((items) => items.map(({ json }) => json));

describe('the output', () => {
	it.each([
		['smsStatus', sms, ['delivered', 'messageId'], ['outcome', 'campaignId']],
		['callAttempted', call, ['outcome', 'campaignId'], ['delivered', 'messageId', 'phoneNumberId']],
	])(
		'begins with who and what, and has only the fields of the selected kinds (%s)',
		async (kind, body, itsFields, otherFields) => {
			const trigger = setup({ events: [kind] });
			const [[item]] = jsonOf((await receive(trigger, { body })).outputs) as [[object]];
			expect(Object.entries(item).slice(0, 3)).toEqual([
				['event', kind],
				['phoneNumber', expect.any(String)],
				['result', expect.any(String)],
			]);
			for (const field of itsFields) expect(item).toHaveProperty(field);
			for (const field of otherFields) expect(item).not.toHaveProperty(field);
		},
	);

	it('is one flat record with the same fields for both kinds', async () => {
		const [[first]] = jsonOf((await receive(setup(), { body: call })).outputs) as [[object]];
		const [[second]] = jsonOf((await receive(setup(), { body: sms })).outputs) as [[object]];
		expect(Object.keys(first)).toEqual(Object.keys(second));
		expect(first).toEqual({
			event: 'callAttempted',
			eventId: expect.stringMatching(/^[\da-f]{32}$/),
			eventKey: expect.stringMatching(/^call\/2001\/447700900123\//),
			clientId: 1001,
			campaignId: '2001',
			phoneNumber: '+447700900123',
			result: 'Answered',
			outcomeCode: 1,
			outcome: 'Answered',
			stageCode: 14,
			stage: 'Opt out',
			statusCode: null,
			status: null,
			answered: true,
			optedIn: false,
			optedOut: true,
			delivered: null,
			failed: null,
			startTime: '2026-01-01T10:00:00Z',
			endTime: '2026-01-01T10:01:30Z',
			durationSeconds: 90,
			userInput: '9',
			messageId: null,
			phoneNumberId: null,
			parts: null,
			price: null,
			dateCreated: null,
			lastUpdated: null,
		});
		expect(second).toMatchObject({
			event: 'smsStatus',
			messageId: 7,
			status: 'Undeliverable',
			failed: true,
			delivered: false,
			price: 0.08,
			parts: 2,
		});
	});

	it.each([
		[{}, '2026-07-01T06:00:00'],
		[{ serviceConventions: true, serviceTimeZone: '' }, '2026-07-01T06:00:00'],
		[{ serviceConventions: true, serviceTimeZone: 'Asia/Tokyo' }, '2026-07-01T19:00:00'],
		[{ serviceConventions: false, serviceTimeZone: 'Asia/Tokyo' }, '2026-07-01T06:00:00'],
	])("has the call's time on the clock of the service in its key: %j", async (more, time) => {
		const body = { ...call, data: { ...call.data, startTime: '2026-07-01T10:00:00Z' } };
		const { credential, ...rest } = setup();
		const { outputs } = await receive(
			{ ...rest, credential: { ...credential, ...more } },
			{ body },
		);
		// Without a zone of its own, it is that of the workflow, here New York as in n8n itself.
		expect(outputs?.[0]?.[0]?.json.eventKey).toContain(`/${time}`);
	});

	it('tolerates numbers as strings, other spellings, missing and extra fields', async () => {
		const body = {
			webHookType: '0',
			data: {
				outcome: '13',
				stage: '0',
				campaignId: 2001,
				phoneNumber: 447700900123,
				mood: 'good',
			},
		};
		const [[json]] = jsonOf((await receive(setup(), { body })).outputs) as [[object]];
		expect(json).toMatchObject({
			event: 'callAttempted',
			outcomeCode: 13,
			outcome: 'Invalid Number',
			stage: 'No Action',
			campaignId: '2001',
			phoneNumber: '+447700900123',
			mood: 'good',
			startTime: null,
			durationSeconds: null,
		});
		const lower = { webHookType: 1, data: { id: 9, statusCode: '77' } };
		const [[other]] = jsonOf((await receive(setup(), { body: lower })).outputs) as [[object]];
		expect(other).toMatchObject({ messageId: 9, statusCode: 77, status: 'Code 77', failed: false });
	});

	it('never lets an extra field take the place of one of ours', async () => {
		const body = { webHookType: 1, data: { event: 'fake', eventId: 'fake', delivered: true } };
		const [[json]] = jsonOf((await receive(setup(), { body })).outputs) as [[object]];
		expect(json).toMatchObject({ event: 'smsStatus', delivered: null });
		expect(json).not.toMatchObject({ eventId: 'fake' });
	});

	it('is the body as received when not simplified', async () => {
		const { outputs } = await receive(setup({ simplify: false }), { body: call });
		expect(jsonOf(outputs)).toEqual([[call]]);
	});
});

describe('bodies that are no event', () => {
	it('are told from JSON that is declared as something else', async () => {
		const raw = JSON.stringify(call);
		const asText = await receive(setup(), { body: raw, raw, contentType: 'text/plain' });
		expect(asText.outputs).toHaveLength(1);
		const undeclared = await receive(setup(), { raw, contentType: 'application/octet-stream' });
		expect(undeclared.outputs).toHaveLength(1);
	});
});

describe('random bodies', () => {
	const events = ['callAttempted', 'smsStatus'];
	const anySetup = setup({ events });

	/** What an event is, said independently of the trigger's own code. */
	function isEvent(body: unknown): boolean {
		if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
		const { webHookType, data } = body as { webHookType?: unknown; data?: unknown };
		const isInteger =
			typeof webHookType === 'number'
				? Number.isSafeInteger(webHookType)
				: typeof webHookType === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(webHookType);
		return isInteger && typeof data === 'object' && data !== null && !Array.isArray(data);
	}

	const value = fc.oneof(
		fc.jsonValue(),
		fc.integer({ min: -2, max: 1001 }),
		fc.integer({ min: -2, max: 1001 }).map(String),
		fc.constant(null),
	);
	const real = fc.constantFrom(call, sms);
	const withChange = fc
		.tuple(real, fc.constantFrom(...Object.keys({ ...call.data, ...sms.data }), '__proto__'), value)
		.map(([event, field, change]) => ({
			...event,
			data: Object.fromEntries([...Object.entries(event.data), [field, change]]),
		}));
	const withoutField = fc.tuple(real, fc.nat()).map(([event, position]) => ({
		...event,
		data: Object.fromEntries(
			Object.entries(event.data).filter((_, index, all) => index !== position % all.length),
		),
	}));
	const withType = fc.tuple(real, value).map(([event, webHookType]) => ({ ...event, webHookType }));
	const withData = fc.tuple(real, value).map(([event, data]) => ({ ...event, data }));
	const anything = fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()));
	const body = fc.oneof(real, withChange, withoutField, withType, withData, anything);

	it('start exactly one execution for an event, none but a line in the log for anything else', async () => {
		let started = 0;
		let refused = 0;
		await holds(
			fc.asyncProperty(body, async (generated) => {
				// As it comes out of the wire.
				const delivered: unknown = JSON.parse(JSON.stringify(generated));
				const { outputs, status, log } = await receive(anySetup, { body: delivered });
				if (isEvent(delivered)) {
					started += 1;
					expect(status).toBeUndefined();
					expect(outputs).toHaveLength(1);
					expect(outputs?.[0]).toHaveLength(1);
					expect(() => JSON.stringify(outputs)).not.toThrow();
				} else {
					refused += 1;
					expect(status).toBe(400);
					expect(outputs).toBeUndefined();
					expect(log.map(({ message }) => message)).toEqual([
						expect.stringMatching('A delivery was refused, for it is no event: '),
					]);
				}
			}),
			500,
			{ endOnFailure: true },
		);
		// Both ways were taken often.
		expect(Math.min(started, refused)).toBeGreaterThan((started + refused) / 5);
	}, 120_000);
});

/** The trigger with a Default Country in its credential. */
const inCountry = (trigger: TriggerSetup, defaultCountry: string): TriggerSetup => ({
	...trigger,
	credential: { ...trigger.credential, defaultCountry },
});

describe('the phone number', () => {
	const shown = async (phoneNumber: string, country = '') => {
		const trigger = inCountry(setup(), country);
		const body = { ...call, data: { ...call.data, phoneNumber } };
		const [[item]] = jsonOf((await receive(trigger, { body })).outputs) as [[IDataObject]];
		return [item.phoneNumber, item.eventKey];
	};

	it.each([
		['447400123456', '', '+447400123456'],
		['00447400123456', '', '+447400123456'],
		['07400123456', 'GB', '+447400123456'],
		['07400123456', '', '07400123456'],
		['withheld', 'GB', 'withheld'],
	])('%s is, with Default Country %j, %s', async (written, country, expected) => {
		expect((await shown(written, country))[0]).toBe(expected);
	});

	it('is one in the eventKey, however it is written', async () => {
		const keys = ['447400123456', '+447400123456', '07400123456'].map(
			async (written) => (await shown(written, 'GB'))[1],
		);
		expect(new Set(await Promise.all(keys)).size).toBe(1);
	});
});

it('a filter reads numbers with the Default Country of the credential', async () => {
	const trigger = inCountry(setup({ filters: { phoneNumbers: '07700 900123' } }), 'GB');
	expect((await receive(trigger, { body: call })).outputs).toBeDefined();
	expect((await receive(trigger, { body: sms })).outputs).toBeUndefined();
});

describe('selection and filters', () => {
	const start = async (parameters: Record<string, unknown>, body: { webHookType: number }) => {
		const { status, body: answer, outputs } = await receive(setup(parameters), { body });
		const ignored = { 0: 'callAttempted', 1: 'smsStatus' }[body.webHookType] ?? 'unknown';
		if (outputs === undefined) expect([status, answer]).toEqual([200, { ignored }]);
		return outputs !== undefined;
	};

	it.each([
		['another kind', { events: ['smsStatus'] }, call, false],
		['the selected kind', { events: ['callAttempted'] }, call, true],
		['an unknown kind with all selected', {}, { webHookType: 5, data: {} }, true],
		[
			'an unknown kind with one selected',
			{ events: ['smsStatus'] },
			{ webHookType: 5, data: {} },
			false,
		],
		['a campaign that fits', { filters: { campaignIds: '1, 2001' } }, call, true],
		['a campaign that does not fit', { filters: { campaignIds: '2002' } }, call, false],
		['an SMS event beside a campaign filter', { filters: { campaignIds: '2002' } }, sms, true],
		['an outcome that fits', { filters: { outcomes: [1, 3] } }, call, true],
		['an outcome that does not fit', { filters: { outcomes: [3] } }, call, false],
		['a stage that fits', { filters: { stages: [14] } }, call, true],
		['a stage that does not fit', { filters: { stages: [13] } }, call, false],
		['a stage with the code of the outcome', { filters: { stages: [1] } }, call, false],
		['an outcome with the code of the stage', { filters: { outcomes: [14] } }, call, false],
		['campaigns between semicolons', { filters: { campaignIds: '1; 2001' } }, call, true],
		['a status that fits', { filters: { statuses: [5] } }, sms, true],
		['a status that does not fit', { filters: { statuses: [1] } }, sms, false],
		['any failure, of a message that failed', { filters: { statuses: ['failed'] } }, sms, true],
		[
			'any failure, of a message that arrived',
			{ filters: { statuses: ['failed'] } },
			{ ...sms, data: { ...sms.data, statusCode: 1 } },
			false,
		],
		['a key that was pressed', { filters: { userInputs: '1, 9' } }, call, true],
		[
			'one of several keys that were pressed',
			{ filters: { userInputs: 7 } },
			{ ...call, data: { ...call.data, userInput: '1,7' } },
			true,
		],
		['another key', { filters: { userInputs: '1' } }, call, false],
		['a number however written', { filters: { phoneNumbers: '(0044) 7700-900123' } }, call, true],
		['a number without its +', { filters: { phoneNumbers: '447700900123' } }, call, true],
		[
			'the number of an event without +',
			{ filters: { phoneNumbers: '+447700900123' } },
			{ ...call, data: { ...call.data, phoneNumber: '447700900123' } },
			true,
		],
		['another number', { filters: { phoneNumbers: '+447700900999' } }, sms, false],
		['a part of the number', { filters: { phoneNumbers: '7700900456' } }, sms, false],
		[
			'an unknown kind beside a filter for numbers',
			{ filters: { phoneNumbers: '+447700900999' } },
			{ webHookType: 5, data: {} },
			true,
		],
		['numbers as a list', { filters: { phoneNumbers: ['+447700900456'] } }, sms, true],
		['a number as a number', { filters: { phoneNumbers: 447700900456 } }, sms, true],
		['campaigns on lines', { filters: { campaignIds: '1\n2001' } }, call, true],
		['a part of the campaign', { filters: { campaignIds: '200, 1' } }, call, false],
		['codes as a text', { filters: { outcomes: '3, 1' } }, call, true],
		['one code', { filters: { outcomes: 1 } }, call, true],
		['empty filters', { filters: { outcomes: [], campaignIds: ' , ' } }, call, true],
		['an event without the value', { filters: { outcomes: [1] } }, { ...call, data: {} }, false],
	])('%s', async (_name, parameters, body, expected) => {
		expect(await start(parameters, body)).toBe(expected);
	});
});

describe('trust', () => {
	const secret = 'correct horse battery staple';
	const token = createHmac('sha256', secret).update('messaging-service-webhook').digest('hex');

	it('takes the right token, and puts it into no output', async () => {
		for (const simplify of [true, false]) {
			const { outputs } = await receive(setup({ simplify }, secret), {
				body: call,
				query: { token },
			});
			expect(outputs).toHaveLength(1);
			expect(JSON.stringify(outputs)).not.toContain(token);
		}
	});

	it('asks for another delivery when the credential cannot be read, and says so in the log', async () => {
		const broken: TriggerSetup = {
			...setup(),
			readCredential: async () => await Promise.reject(new Error('The credential store is away')),
		};
		const refused = await receive(broken, { body: call, query: { token } });
		expect(refused).toMatchObject({
			status: 503,
			body: { error: 'n8n could not take the event over: deliver it again' },
			outputs: undefined,
		});
		expect(refused.log).toEqual([
			{
				message: 'An event could not be received: The credential store is away',
				details: { workflowId: broken.workflowId, nodeName: 'Messaging Service Trigger' },
			},
		]);
		const answered = Object.assign(new FakeResponse(), { headersSent: true, writableEnded: true });
		const late = await receive(broken, { body: call, query: { token } }, answered);
		expect(late.outputs).toBeUndefined();
	});
});

describe('an event of another client', () => {
	const setupOf = (clientId: string): TriggerSetup => {
		const { credential, ...rest } = setup();
		return { ...rest, credential: { ...credential, clientId } };
	};

	it.each([1002, '1002', ' 1002 '])('is ignored, with a line in the log: %j', async (clientId) => {
		const result = await receive(setupOf('1001'), {
			body: { ...call, data: { ...call.data, clientId } },
		});
		expect(result).toMatchObject({ status: 200, body: { ignored: 'clientId' } });
		expect(result.outputs).toBeUndefined();
		expect(result.log).toEqual([
			expect.objectContaining({ message: expect.stringMatching(/another clientId/) }),
		]);
	});

	it.each([
		[1001, '1001'],
		['1001', ' 1001 '],
		[1002, ''],
		[undefined, '1001'],
		[null, '1001'],
	])('is none where it has %j and the credential has %j', async (clientId, own) => {
		const { outputs, log } = await receive(setupOf(own), {
			body: { ...call, data: { ...call.data, clientId } },
		});
		expect([outputs?.length, log]).toEqual([1, []]);
	});
});

describe('batches', () => {
	const batched = () => setup({ options: { batchEvents: true, batchSize: 3 } });
	const numbered = Array.from({ length: 3 }, (_, index) => ({
		webHookType: 1,
		data: { ...sms.data, Id: index },
	}));

	it.each([
		[200, [200, 200, 200]],
		[500, [500, 503, 503]],
	])('start one execution, whose response %d all get', async (status, expected) => {
		const fixed = batched();
		const results = numbered.map(async (body) => await receive(fixed, { body }));
		const carrier = await Promise.race(results);
		expect(carrier.outputs?.[0]?.map(({ json }) => json.messageId)).toEqual([0, 1, 2]);
		carrier.response.status(status).end();
		const all = await Promise.all(results);
		expect(all.filter(({ outputs }) => outputs !== undefined)).toHaveLength(1);
		expect(all.map(({ response }) => response.statusCode).sort()).toEqual(expected);
	});

	it('hold no more events than the form says where Batch Size is not added', async () => {
		const size = Number(
			trigger.description.properties
				.flatMap(({ options = [] }) => options)
				.flatMap((option) =>
					'default' in option && option.name === 'batchSize' ? option.default : [],
				)[0],
		);
		expect(size).toBeGreaterThan(1);
		const fixed = setup({ options: { batchEvents: true } });
		const many = Array.from({ length: size + 20 }, (_, Id) => ({
			webHookType: 1,
			data: { ...sms.data, Id },
		}));
		const results = many.map(async (body) => {
			const result = await receive(fixed, { body });
			if (result.outputs !== undefined) result.response.status(200).end();
			return result;
		});
		const lengths = (await Promise.all(results)).map(({ outputs }) => outputs?.[0]?.length ?? 0);
		expect(Math.max(...lengths)).toBeLessThanOrEqual(size);
		expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(many.length);
	});

	it('do not mix the events of two triggers in one workflow', async () => {
		const one = batched();
		const other = { ...one, nodeId: 'other-trigger' };
		const [sent, kept] = await Promise.all([
			receive(one, { body: numbered[0] }),
			receive(other, { body: numbered[1] }),
		]);
		expect(jsonOf(sent.outputs)).toMatchObject([[{ messageId: 0 }]]);
		expect(jsonOf(kept.outputs)).toMatchObject([[{ messageId: 1 }]]);
	});

	it('are not made while the editor listens', async () => {
		const fixed = { ...batched(), mode: 'manual' as const };
		const results = await Promise.all(
			[sms, call].map(async (body) => await receive(fixed, { body })),
		);
		expect(results.map(({ outputs }) => outputs?.[0]?.length)).toEqual([1, 1]);
	});
});

describe('samples', () => {
	/** Listens as the editor does, and delivers what n8n sends to its own test URL. */
	async function listen(parameters: Record<string, unknown>) {
		const listening = { ...setup(parameters, 'a secret'), mode: 'manual' as const, isTest: true };
		const context = hookContext(listening, workflowWith(listening), 'manual', 'manual');
		let answer: Promise<DeliveryResult> | undefined;
		let body: unknown;
		const request = new Promise<void>((resolve) => {
			const httpRequest = async (options: { body: unknown }) => {
				body = options.body;
				answer = receive(listening, options);
				resolve();
				return await answer;
			};
			Object.defineProperty(context, 'helpers', { value: { httpRequest } });
		});
		await trigger.webhookMethods.default.create.call(context);
		await request;
		const { outputs } = (await answer) ?? {};
		return { body, outputs };
	}

	it.each<[Record<string, unknown>, unknown[]]>([
		[
			{ options: { batchEvents: true } },
			[
				{ event: 'callAttempted', outcome: 'Answered', sample: true },
				{ event: 'smsStatus', status: 'Delivered', sample: true },
			],
		],
		[{ events: ['smsStatus'] }, [{ event: 'smsStatus', sample: true }]],
		[
			{ simplify: false },
			[
				{ webHookType: 0, data: { outCome: 1 }, sample: true },
				{ webHookType: 1, data: { statusCode: 1 }, sample: true },
			],
		],
	])('have the shape that the settings ask for: %j', async (parameters, expected) => {
		const { outputs } = await listen(parameters);
		expect(jsonOf(outputs)).toMatchObject([expected]);
	});

	it.each([{}, { events: ['smsStatus'] }, { events: ['callAttempted'] }])(
		'have the fields of an event, and times of the last minute: %j',
		async (parameters) => {
			const [samples = []] = jsonOf((await listen(parameters)).outputs) as IDataObject[][];
			expect(samples.length).toBeGreaterThan(0);
			for (const { sample, ...item } of samples) {
				const body = item.event === 'smsStatus' ? sms : call;
				const [[event = {}] = []] = jsonOf(
					(await receive(setup(parameters), { body })).outputs,
				) as IDataObject[][];
				expect([sample, Object.keys(item)]).toEqual([true, Object.keys(event)]);
				const times = [item.startTime, item.endTime, item.dateCreated, item.lastUpdated];
				const ages = times.flatMap((time) =>
					typeof time === 'string' ? [Date.now() - Date.parse(time)] : [],
				);
				expect(ages).toHaveLength(2);
				expect(Math.min(...ages)).toBeGreaterThanOrEqual(1000);
				expect(Math.max(...ages)).toBeGreaterThanOrEqual(30_000);
				expect(Math.max(...ages)).toBeLessThan(120_000);
			}
		},
	);

	it('come from the test URL only', async () => {
		const { body } = await listen({});
		expect((await receive(setup(), { body })).status).toBe(400);
	});
});

describe('an event while the editor listens', () => {
	const listening = (options: IDataObject): TriggerSetup => ({
		...setup({ options }),
		...{ mode: 'manual', isTest: true },
		// Where nobody responds.
		addresses: { webhookBaseUrl: 'http://127.0.0.1:1/webhook' },
	});

	it.each([{}, { path: 'events' }])(
		'needs no token without a Webhook Secret: %j',
		async (options) => {
			expect((await receive(listening(options), { body: call })).outputs).toHaveLength(1);
		},
	);

	it('is handed on to no published workflow', async () => {
		const other = { path: 'other', kinds: base.events, workflow: 'Other', publishedAt: 1 };
		const staticData = { others: [other] };
		const { outputs, log } = await receive({ ...listening({}), staticData }, { body: call });
		expect([outputs?.length, log]).toEqual([1, []]);
	});
});

describe('the response', () => {
	// Without a path, n8n 1 takes the webhook ID.
	it.each([
		[{}, '', 'onReceived'],
		[{ responseMode: 'lastNode', path: 'events' }, 'events', 'lastNode'],
	])(
		'and the address are what the options say in n8n 1 as well: %j',
		async (options, ...expected) => {
			const { path, responseMode } = descriptionOfN8n1();
			const { workflow, node } = workflowWith(setup({ options }));
			const { expression } = workflow;
			await expression.acquireIsolate();
			const values = [path, responseMode].map((value) =>
				expression.getSimpleParameterValue(node, value, 'internal', {}),
			);
			await expression.releaseIsolate();
			expect(values).toEqual(expected);
		},
	);

	it.each([
		[{}, 'onReceived'],
		[{ options: { responseMode: 'lastNode' } }, 'lastNode'],
	])(
		'is given when the user wants it, found without the expression engine: %j',
		(parameters, mode) => {
			const [description] = trigger.description.webhooks ?? [];
			const { node } = workflowWith(setup(parameters));
			expect(
				description && resolveWebhookDescriptionField(node, description, 'responseMode'),
			).toEqual({ resolved: true, value: mode });
		},
	);

	it.each([
		['a trigger as it is added is at an address that nobody can guess', {}, 'webhook-id'],
		['a trigger with a Path is there', { path: 'events' }, 'events'],
	])('%s', (_what, options, last) => {
		const place = workflowWith(setup({ options }));
		const url = hookContext(setup(), place, 'trigger').getNodeWebhookUrl('default');
		expect(url).toBe(`https://n8n.example.com/webhook/${last}`);
	});
});
