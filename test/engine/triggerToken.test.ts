import { createHmac, randomUUID } from 'node:crypto';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { readSettings } from '../../nodes/MessagingService/transport/settings';
import type * as MemoryModule from '../../nodes/MessagingService/trigger/memory';
import { holdMemory, releaseMemory, triggerKey } from '../../nodes/MessagingService/trigger/memory';
import type * as TokenModule from '../../nodes/MessagingService/trigger/token';
import { noteToken } from '../../nodes/MessagingService/trigger/token';
import { hookContext, receive, workflowWith, type TriggerSetup } from '../support/trigger';

const sms = { webHookType: 1, data: { Id: 7, phoneNumber: '+447700900123', statusCode: 1 } };
const call = {
	webHookType: 0,
	data: { campaignId: '1', phoneNumber: '1', startTime: '2026-07-01T10:00:00Z' },
};
const MINUTE = 60_000;

const tokenOf = (secret: string) =>
	createHmac('sha256', secret).update('messaging-service-webhook').digest('hex');

beforeEach(() => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
});
afterEach(() => {
	jest.useRealTimers();
});

/** What this process does with a trigger that is published. */
const thisProcess = { holdMemory, noteToken };

/** A published trigger whose credential is counted each time that it is read. */
function published(webhookSecret = '', more: IDataObject = {}) {
	const state = { reads: 0, isAway: false, staticData: {} as IDataObject };
	const credential: ICredentialDataDecryptedObject = {
		baseUrl: 'https://service.example.com',
		clientId: '1001',
		webhookSecret,
		...more,
	};
	const workflowId = randomUUID();
	const setup = (): TriggerSetup => ({
		parameters: { events: ['callAttempted', 'smsStatus'], filters: {}, options: {} },
		workflowId,
		staticData: state.staticData,
		readCredential: async () => {
			state.reads += 1;
			if (state.isAway) throw new Error('Database is not ready!');
			return await Promise.resolve(credential as IDataObject);
		},
	});
	/** What publishing and starting do with the credential. */
	function publish(process = thisProcess) {
		const place = workflowWith(setup());
		const context = hookContext(setup(), place, 'trigger', 'activate');
		process.holdMemory(context);
		process.noteToken(context, readSettings(credential).webhookToken);
		if (process !== thisProcess) releaseMemory(triggerKey(context));
		state.staticData = { ...context.getWorkflowStaticData('node') };
	}
	publish();
	const deliver = async (
		token: string | undefined,
		{ body = sms, draft }: { body?: object; draft?: TriggerSetup } = {},
	) => {
		const test = { mode: 'manual' as const, isTest: true, credentialId: randomUUID(), ...draft };
		return await receive(
			{ ...setup(), ...(draft === undefined ? {} : test) },
			{ body, query: token === undefined ? {} : { token } },
		);
	};
	const isAccepted = async (token: string | undefined) =>
		(await deliver(token)).outputs !== undefined;
	return { state, credential, publish, deliver, isAccepted };
}

describe('the credential', () => {
	it('is read once a second, however many deliveries come', async () => {
		// Spaces count: the token must stay the same over all versions.
		const { state, isAccepted } = published(' a secret ');
		for (let tenths = 0; tenths < 50; tenths++) {
			expect(await isAccepted(tokenOf(' a secret '))).toBe(true);
			expect(await isAccepted(tokenOf('guess'))).toBe(false);
			jest.advanceTimersByTime(100);
		}
		expect(state.reads).toBe(5);
	});

	it('is read again for the next delivery where it could not be read', async () => {
		const { state, deliver, isAccepted } = published('secret');
		state.isAway = true;
		expect(await deliver(tokenOf('secret'))).toMatchObject({ status: 503 });
		state.isAway = false;
		expect(await isAccepted(tokenOf('secret'))).toBe(true);
	});

	it('has the Service Time Zone of event keys, also after a change without publishing', async () => {
		const { credential, deliver } = published('secret', { serviceConventions: true });
		const keyIn = async (serviceTimeZone: string) => {
			Object.assign(credential, { serviceTimeZone });
			jest.advanceTimersByTime(1000);
			const { outputs } = await deliver(tokenOf('secret'), { body: call });
			return outputs?.[0]?.[0]?.json.eventKey;
		};
		expect(await keyIn('Asia/Tokyo')).toContain('/2026-07-01T19:00:00');
		expect(await keyIn('UTC')).toContain('/2026-07-01T10:00:00');
	});
});

describe('a changed Webhook Secret', () => {
	it('ends the token before it once the new one is registered', async () => {
		const { credential, publish, isAccepted } = published('old');
		credential.webhookSecret = 'new';
		jest.advanceTimersByTime(MINUTE);
		expect(await isAccepted(tokenOf('old'))).toBe(true);
		publish();
		expect(await isAccepted(tokenOf('old'))).toBe(false);
		expect(await isAccepted(tokenOf('new'))).toBe(true);
	});

	it('ends the old one also where another process of n8n has published', async () => {
		const { credential, publish, isAccepted } = published('old');
		expect(await isAccepted(tokenOf('old'))).toBe(true);
		jest.advanceTimersByTime(MINUTE);
		credential.webhookSecret = 'new';
		jest.isolateModules(() => {
			publish({
				...jest.requireActual<typeof TokenModule>('../../nodes/MessagingService/trigger/token'),
				...jest.requireActual<typeof MemoryModule>('../../nodes/MessagingService/trigger/memory'),
			});
		});
		jest.advanceTimersByTime(11 * MINUTE);
		expect(await isAccepted(tokenOf('old'))).toBe(false);
		expect(await isAccepted(tokenOf('new'))).toBe(true);
	});

	it('ends the old one also where another node writes the old static data back', async () => {
		const { credential, publish, isAccepted, state } = published('old');
		const before = state.staticData;
		jest.advanceTimersByTime(MINUTE);
		credential.webhookSecret = 'new';
		publish();
		state.staticData = before;
		jest.advanceTimersByTime(11 * MINUTE);
		expect(await isAccepted(tokenOf('old'))).toBe(false);
		expect(await isAccepted(tokenOf('new'))).toBe(true);
	});

	it.each([
		['what publishing has stored', undefined],
		['nothing: another trigger of the workflow has written its own static data', {}],
	])('counts before publishing too, as does the one that is registered: %s', async (_, data) => {
		const { state, credential, isAccepted } = published('old');
		state.staticData = data ?? state.staticData;
		credential.webhookSecret = 'new';
		jest.advanceTimersByTime(60 * MINUTE);
		expect(await isAccepted(tokenOf('new'))).toBe(true);
		expect(await isAccepted(tokenOf('old'))).toBe(true);
	});

	it('that is the first one ends deliveries without a token', async () => {
		const { credential, publish, isAccepted } = published('');
		expect(await isAccepted(undefined)).toBe(true);
		credential.webhookSecret = 'secret';
		publish();
		jest.advanceTimersByTime(1000);
		expect(await isAccepted(undefined)).toBe(false);
		expect(await isAccepted('')).toBe(false);
		expect(await isAccepted(tokenOf('secret'))).toBe(true);
	});
});

it('a test event of a draft without a secret opens the live URL to nobody', async () => {
	const { deliver, isAccepted } = published('secret');
	const draft = { readCredential: async () => await Promise.resolve({ baseUrl: 'https://x' }) };
	expect((await deliver(undefined, { draft })).outputs).toBeDefined();
	expect(await isAccepted(undefined)).toBe(false);
});
