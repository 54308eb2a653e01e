import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { handleDelivery } from '../../nodes/MessagingService/trigger/delivery';
import { hintAtWaiting, warnOfWaiting } from '../../nodes/MessagingService/trigger/lastNode';
import { sampleItem } from '../../nodes/MessagingService/trigger/samples';
import {
	assertSettings,
	deliveryOptions,
	pathOf,
	registrationOptions,
} from '../../nodes/MessagingService/trigger/settings';
import { thrown } from './support/thrown';

type Problem = [parameters: Record<string, unknown>, message: string];

type Kind = 'callAttempted' | 'smsStatus';

const good = { path: 'events', events: ['smsStatus'] };

const contextWith = (parameters: Record<string, unknown>, more: object = {}) =>
	({
		getNode: () => ({ id: 'n', name: 'Trigger', type: 'x' }),
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
		...more,
	}) as unknown as IHookFunctions;

const withOptions = (options: unknown) => contextWith({ ...good, options });

describe('the options of the trigger', () => {
	test.each([[{}], [undefined], [null], ['none'], [{ batchEvents: 'true', simplify: 'no' }]])(
		'have defaults: %j',
		(options) => {
			expect(deliveryOptions(withOptions(options))).toEqual({
				batch: undefined,
				ipAllowlist: '',
				dropDuplicates: false,
				separateOutputs: false,
				responseMode: 'onReceived',
				isSimplified: true,
			});
			expect(registrationOptions(withOptions(options))).toEqual({
				registration: 'automatic',
				whileListening: 'sample',
				urlToRestore: '',
				whenUnpublished: 'remove',
				replacementUrl: '',
				renewEveryHours: 6,
			});
		},
	);

	test('are read', () => {
		const delivery = { dropDuplicates: true, separateOutputs: true, responseMode: 'lastNode' };
		expect(
			deliveryOptions(withOptions({ ...delivery, simplify: false, ipAllowlist: ' ::1, 10.0.0.1' })),
		).toEqual({ ...delivery, isSimplified: false, ipAllowlist: '::1,10.0.0.1', batch: undefined });
		for (const whileListening of ['sample', 'redirect', 'leave']) {
			for (const whenUnpublished of ['remove', 'keep', 'replace']) {
				const options = { registration: 'manual', whileListening, whenUnpublished };
				const urls = { urlToRestore: ' https://a.example ', replacementUrl: ' https://b.example' };
				expect(registrationOptions(withOptions({ ...options, ...urls }))).toEqual({
					...{ ...options, urlToRestore: 'https://a.example' },
					...{ replacementUrl: 'https://b.example', renewEveryHours: 6 },
				});
			}
		}
	});

	// Only separators are no addresses, but nobody who wrote them wants to let everybody in.
	test.each([
		[undefined, ''],
		['', ''],
		[' , ;', ', ;'],
		['10.0.0.1\n10.0.0.2', '10.0.0.1,10.0.0.2'],
		[['10.0.0.1', '10.0.0.2'], '10.0.0.1,10.0.0.2'],
	])('take the allowlist %j', (ipAllowlist, read) => {
		expect(deliveryOptions(withOptions({ ipAllowlist })).ipAllowlist).toBe(read);
	});

	const batchWith = (options: object) =>
		deliveryOptions(withOptions({ batchEvents: true, ...options })).batch;

	test.each([
		[{}, { size: 100, milliseconds: 1000, quietMilliseconds: 100 }],
		[
			{ batchSize: '7', maxWait: '50', idleTimeout: ' 5 ' },
			{ size: 7, milliseconds: 50, quietMilliseconds: 5 },
		],
		[
			{ batchSize: 5000, maxWait: 1e9, idleTimeout: 1e9 },
			{ size: 1000, milliseconds: 20_000, quietMilliseconds: 20_000 },
		],
		[
			{ batchSize: 0, maxWait: 0, idleTimeout: 0 },
			{ size: 1, milliseconds: 0, quietMilliseconds: 0 },
		],
		[
			{ batchSize: 2.9, maxWait: -1, idleTimeout: 'long' },
			{ size: 2, milliseconds: 1000, quietMilliseconds: 100 },
		],
		[
			{ batchSize: null, maxWait: '', idleTimeout: {} },
			{ size: 100, milliseconds: 1000, quietMilliseconds: 100 },
		],
		[
			{ batchSize: NaN, maxWait: Infinity, idleTimeout: ' ' },
			{ size: 100, milliseconds: 1000, quietMilliseconds: 100 },
		],
	])('keep a batch within its limits: %j', (options, batch) => {
		expect(batchWith(options)).toEqual(batch);
	});

	test.each([
		[0, 0],
		['0.5', 0.5],
		[721, 720],
		[-1, 6],
		[true, 6],
	])('renew every %j hours: %d', (renewEveryHours, hours) => {
		expect(registrationOptions(withOptions({ renewEveryHours })).renewEveryHours).toBe(hours);
	});
});

describe('the path', () => {
	test.each([
		['events', 'events'],
		['/events/', 'events'],
		['a/b', 'a/b'],
		['//a', '/a'],
		[42, '42'],
		[true, ''],
		[undefined, ''],
	])('%j is %j', (path, read) => {
		expect(pathOf(contextWith({ path }))).toBe(read);
	});
});

describe('settings are checked before n8n takes deliveries', () => {
	const problemOf = (parameters: Record<string, unknown>) => {
		const error = thrown(() => {
			assertSettings(contextWith({ ...good, ...parameters }));
		}) as Error & { description: string };
		expect(error.description).toMatch(/^[A-Z].{10,}\.$/);
		return error.message;
	};

	test.each([
		...['a', 'a/b.c', 'a~b_c-d', '...a', 'a/..b', '42'].map((path) => ({ path })),
		...['10.0.0.1', '', ['::1'], undefined].map((ipAllowlist) => ({ options: { ipAllowlist } })),
		...[1, '1', 1000, '', undefined].map((batchSize) => ({ options: { batchSize } })),
		...[0, '0', 20_000].map((maxWait) => ({ options: { maxWait, idleTimeout: maxWait } })),
		...[0, 0.5, '0.5', 720].map((renewEveryHours) => ({ options: { renewEveryHours } })),
		{ options: { whenUnpublished: 'replace', replacementUrl: 'https://a.example' } },
		{ filters: { outcomes: [1], stages: '0', statuses: ['1', 1000] } },
		{ events: 'callAttempted, smsStatus' },
	])('%j is fine', (parameters) => {
		expect(() => {
			assertSettings(contextWith({ ...good, ...parameters }));
		}).not.toThrow();
	});

	test.each<Problem>([
		...[undefined, '', '/', null].map((path): Problem => [{ path }, 'Path is empty']),
		...['a b', '.', 'a/..', 'a//b', 'ä', '/a/b//'].map((path): Problem => [
			{ path },
			`Path cannot be "${path.replace(/^\/|\/$/g, '')}"`,
		]),
		[{ path: 'x y'.repeat(30) }, `Path cannot be "${'x y'.repeat(30).slice(0, 40)}"`],
		[{ events: [] }, 'Trigger On is empty'],
		[{ events: ['smsStatus', 'other'] }, 'Trigger On cannot be "other"'],
		[{ filters: { outcomes: ['x'] } }, 'Call Outcomes cannot be "x"'],
		[{ filters: { outcomes: ['1x'] } }, 'Call Outcomes cannot be "1x"'],
		[{ filters: { stages: [99] } }, 'Call Stages cannot be "99"'],
		[{ filters: { statuses: [1, 99] } }, 'SMS Statuses cannot be "99"'],
		[{ options: { ipAllowlist: ' , ' } }, 'Allowed IP Addresses contains no address'],
		[
			{ options: { ipAllowlist: '10.0.0.1, a.example' } },
			'Allowed IP Addresses contains "a.example"',
		],
		...[0, 1001, 1.5, null, true, [], {}, ' ', 'x'].map((batchSize): Problem => [
			{ options: { batchSize } },
			`Batch Size cannot be "${String(batchSize)}"`,
		]),
		...[-1, 20_001, 0.5, null].map((wait): Problem => [
			{ options: { maxWait: wait } },
			`Max Wait cannot be "${String(wait)}"`,
		]),
		[{ options: { idleTimeout: 20_001 } }, 'Idle Timeout cannot be "20001"'],
		[{ options: { renewEveryHours: 720.5 } }, 'Renew Every (Hours) cannot be "720.5"'],
		[{ options: { renewEveryHours: -0.1 } }, 'Renew Every (Hours) cannot be "-0.1"'],
		[{ options: { whenUnpublished: 'replace' } }, 'Replacement URL is empty'],
		[{ options: { whenUnpublished: 'replace', replacementUrl: ' ' } }, 'Replacement URL is empty'],
	])('%j: %s', (parameters, message) => {
		expect(problemOf(parameters)).toBe(message);
	});
});

describe('a workflow that waits', () => {
	const child = (more: object) => ({
		name: 'x',
		type: 'y',
		disabled: false,
		parameters: {},
		...more,
	});

	test.each([
		['lastNode', [child({ type: 'n8n-nodes-base.wait' })], 1],
		['lastNode', [child({ type: 'n8n-nodes-base.form' })], 1],
		['lastNode', [child({}), child({ parameters: { operation: 'sendAndWait' } })], 1],
		['lastNode', [child({ type: 'n8n-nodes-base.wait', disabled: true })], 0],
		['lastNode', [child({ parameters: { operation: 'send' } })], 0],
		['lastNode', [child({ parameters: undefined })], 0],
		['lastNode', [], 0],
		['onReceived', [child({ type: 'n8n-nodes-base.wait' })], 0],
	])('responds %s after %j: %d warnings', (responseMode, children, count) => {
		const [warn, addExecutionHints] = [jest.fn(), jest.fn()];
		const more = {
			// Without their parameters, n8n would not say which nodes send and wait.
			getChildNodes: (name: string, options?: { includeNodeParameters?: boolean }) =>
				name === 'Trigger' && options?.includeNodeParameters === true ? children : [],
			getWorkflow: () => ({ id: 'w' }),
			logger: { warn },
			addExecutionHints,
		};
		warnOfWaiting(contextWith({ options: { responseMode } }, more));
		const message = expect.stringContaining('a node that waits');
		expect(warn.mock.calls).toEqual(count === 1 ? [[message, { workflowId: 'w' }]] : []);
		for (const mode of ['manual', 'webhook']) {
			const context = contextWith({}, { ...more, getMode: () => mode });
			hintAtWaiting(context as never, responseMode);
		}
		// Where somebody looks at the editor only.
		const hint = { message, location: 'outputPane', type: 'warning' };
		expect(addExecutionHints.mock.calls).toEqual(count === 1 ? [[hint]] : []);
	});
});

describe('a delivery that cannot be received', () => {
	const receivedWith = async (headersSent: boolean) => {
		const [status, json, error] = [jest.fn(), jest.fn(), jest.fn()];
		const response = { headersSent, status, json };
		status.mockReturnValue(response);
		const context = contextWith(
			{},
			{
				getNodeParameter: () => {
					throw new Error('No engine');
				},
				getResponseObject: () => response,
				getWorkflow: () => ({ id: 'w' }),
				logger: { error },
			},
		);
		const result = await handleDelivery(context as unknown as IWebhookFunctions);
		expect(result).toEqual({ noWebhookResponse: true });
		expect(error).toHaveBeenCalledWith(expect.stringContaining('No engine'), {
			...{ workflowId: 'w', nodeName: 'Trigger' },
		});
		return status.mock.calls;
	};

	test('is to be delivered again, and starts no execution', async () => {
		expect(await receivedWith(false)).toEqual([[503]]);
	});

	test('is not responded to twice', async () => {
		expect(await receivedWith(true)).toEqual([]);
	});
});

describe('a sample event', () => {
	const now = new Date('2030-05-17T09:00:00Z');
	const sample = (kind: Kind, isSimplified: boolean, filters = {}) =>
		sampleItem(kind, { isSimplified, filters }, now);

	test.each<Kind>(['callAttempted', 'smsStatus'])('has a value in each field of %s', (kind) => {
		const { data, ...event } = sample(kind, false);
		for (const value of Object.values({ ...event, ...(data as object) })) {
			expect([undefined, null, '', 'Invalid Date']).not.toContain(value);
		}
		const { sample: isSample, ...decoded } = sample(kind, true);
		expect(isSample).toBe(true);
		expect(decoded).toMatchObject({ event: kind, phoneNumber: '+447700900123' });
		// What one kind has is null in the other one.
		const texts = Object.values(decoded).filter((value) => typeof value === 'string');
		expect(texts).not.toContain('');
	});

	test('passes the filters of the trigger', () => {
		const filters = { phoneNumbers: '+491, +492', campaignIds: [7], outcomes: [3], stages: '4' };
		expect(sample('callAttempted', true, filters)).toMatchObject({
			...{ phoneNumber: '+491', campaignId: '7', outcomeCode: 3, stageCode: 4, userInput: '1' },
		});
		expect(sample('smsStatus', true, { statuses: [5] })).toMatchObject({ statusCode: 5 });
		expect(sample('callAttempted', true)).toMatchObject({ outcomeCode: 1, stageCode: 10 });
		expect(sample('smsStatus', true)).toMatchObject({ statusCode: 1, price: 0.04, parts: 1 });
	});

	test('happened in the last minute, in its order', () => {
		const { data: call } = sample('callAttempted', false) as { data: Record<string, string> };
		expect([call.startTime, call.endTime]).toEqual([
			...['2030-05-17T08:59:30.000Z', '2030-05-17T08:59:59.000Z'],
		]);
		const { data: sms } = sample('smsStatus', false) as { data: Record<string, string> };
		expect([sms.dateCreated, sms.lastUpdated]).toEqual([
			...['2030-05-17T08:59:00.000Z', '2030-05-17T08:59:59.000Z'],
		]);
	});
});
