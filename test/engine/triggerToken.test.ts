import { createHmac, randomUUID } from 'node:crypto';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { readSettings } from '../../nodes/MessagingService/transport/settings';
import { noteCredential } from '../../nodes/MessagingService/trigger/token';
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
		parameters: { path: 'x', events: ['callAttempted', 'smsStatus'], filters: {}, options: {} },
		workflowId,
		staticData: state.staticData,
		readCredential: async () => {
			state.reads += 1;
			if (state.isAway) throw new Error('Database is not ready!');
			return await Promise.resolve(credential as IDataObject);
		},
	});
	/** What publishing and starting do with the credential. */
	function publish() {
		const place = workflowWith(setup());
		const context = hookContext(setup(), place, 'trigger', 'activate');
		noteCredential(context, readSettings(credential));
		state.staticData = { ...context.getWorkflowStaticData('node') };
	}
	publish();
	const deliver = async (
		token: string | undefined,
		{ body = sms, isTest = false }: { body?: object; isTest?: boolean } = {},
	) =>
		await receive(
			{ ...setup(), ...(isTest ? { mode: 'manual' as const, isTest } : {}) },
			{ body, query: token === undefined ? {} : { token } },
		);
	const isAccepted = async (token: string | undefined) =>
		(await deliver(token)).outputs !== undefined;
	return { state, credential, publish, deliver, isAccepted };
}

describe('a delivery with a known token', () => {
	it('reads no credential, even while the database is away', async () => {
		// Spaces count: the token must stay the same over all versions.
		const { state, isAccepted } = published(' a secret ');
		state.isAway = true;
		for (let count = 0; count < 20; count++) {
			expect(await isAccepted(tokenOf(' a secret '))).toBe(true);
			jest.advanceTimersByTime(MINUTE);
		}
		expect(state.reads).toBe(0);
	});

	it.each([
		['nothing', {}],
		['what it had read before', { publishedAt: 1 }],
	])(
		'reads none either after another node of the workflow has written %s to the static data',
		async (_what, staticData) => {
			const { state, isAccepted } = published('secret');
			state.staticData = staticData;
			expect(await isAccepted(tokenOf('secret'))).toBe(true);
			expect(state.reads).toBe(0);
		},
	);

	it('has the time on the clock of the Service Time Zone in its event key', async () => {
		const conventions = { serviceConventions: true, serviceTimeZone: 'Asia/Tokyo' };
		const { state, deliver } = published('secret', conventions);
		const { outputs } = await deliver(tokenOf('secret'), { body: call });
		expect(outputs?.[0]?.[0]?.json.eventKey).toContain('/2026-07-01T19:00:00');
		expect(state.reads).toBe(0);
	});
});

describe('a changed Webhook Secret', () => {
	it('accepts the token before it for ten minutes after publishing, and no longer', async () => {
		const { credential, publish, isAccepted } = published('old');
		credential.webhookSecret = 'new';
		publish();
		jest.advanceTimersByTime(10 * MINUTE - 1);
		expect(await isAccepted(tokenOf('old'))).toBe(true);
		expect(await isAccepted(tokenOf('new'))).toBe(true);
		jest.advanceTimersByTime(2);
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

	it('counts before publishing too: the credential is read when a token is not known', async () => {
		const { credential, isAccepted } = published('old');
		credential.webhookSecret = 'new';
		expect(await isAccepted(tokenOf('new'))).toBe(true);
		expect(await isAccepted(tokenOf('old'))).toBe(true);
	});

	it('that is the first one ends deliveries without a token', async () => {
		const { credential, publish, isAccepted } = published('');
		expect(await isAccepted(undefined)).toBe(true);
		credential.webhookSecret = 'secret';
		publish();
		expect(await isAccepted(undefined)).toBe(false);
		expect(await isAccepted('')).toBe(false);
		expect(await isAccepted(tokenOf('secret'))).toBe(true);
	});
});

it('a flood of wrong tokens reads the credential once a second', async () => {
	const { state, isAccepted } = published('secret');
	for (let tenths = 0; tenths < 50; tenths++) {
		expect(await isAccepted(tokenOf('guess'))).toBe(false);
		jest.advanceTimersByTime(100);
	}
	expect(state.reads).toBe(5);
});

it('a test event of a draft without a secret opens the live URL to nobody', async () => {
	const { credential, deliver, isAccepted } = published('secret');
	credential.webhookSecret = '';
	expect((await deliver(undefined, { isTest: true })).outputs).toBeDefined();
	credential.webhookSecret = 'secret';
	expect(await isAccepted(undefined)).toBe(false);
});
