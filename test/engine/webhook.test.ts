import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';
import { actionSuite, onTheWire } from '../support/actionSuite';

const { credential, describeOperation, run, sandbox } = actionSuite({ concurrentRequests: 1 });

const PATH = '/api/integrations/UpdateWebHook';
const URL = 'https://n8n.example.com/webhook/x?token=a%20b&c=d#e';
const PLAIN = 'https://n8n.example.com/webhook/x';
const ENCODED = encodeURIComponent(URL);

/** Runs with the client ID in a place that service and credential agree on. */
async function withClientIdIn(clientIdPlace: string) {
	await sandbox().settings({ conventions: { clientIdPlace } });
	return credential({ serviceConventions: true, clientIdPlace });
}

describeOperation('webhook', 'set', () => {
	const set = { resource: 'webhook', operation: 'set', webHookUrl: URL };

	it.each([
		['query', `?url=${ENCODED}&clientId=1001`],
		['path', `/1001?url=${ENCODED}`],
	])('registers exactly this URL for the client of the credential (%s)', async (place, ending) => {
		const { items, requests } = await run(set, { credential: await withClientIdIn(place) });
		expect(requests.map(onTheWire)).toEqual([{ line: `POST ${PATH}${ending}`, body: null }]);
		expect(items).toEqual([{ json: { url: URL, success: true }, pairedItem: { item: 0 } }]);
		expect((await sandbox().webhook()).url).toBe(URL);
	});

	it('names the field of the credential where the service wants the client ID elsewhere', async () => {
		await sandbox().settings({ conventions: { clientIdPlace: 'path' } });
		const { error } = await run(set);
		expect(error?.message).toContain('Client ID: The field belongs in the path');
		expect(error?.description).toContain('Service Conventions, Send Client ID In');
	});

	it('adds the token of the credential on demand: the URL of a trigger wants it', async () => {
		const withSecret = credential({ webhookSecret: 'correct horse' });
		await run({ ...set, webHookUrl: PLAIN }, { credential: withSecret });
		await run({ ...set, webHookUrl: PLAIN, addToken: true }, { credential: withSecret });
		const { items } = await run({ ...set, webHookUrl: PLAIN, addToken: true });
		const { history } = await sandbox().webhook();
		expect(history.map(({ url }) => url)).toEqual([
			PLAIN,
			expect.stringMatching(/^https:\/\/n8n\.example\.com\/webhook\/x\?token=[\da-f]{64}$/),
			PLAIN,
		]);
		expect(items[0]?.json).toEqual({ url: PLAIN, success: true });
	});

	it('registers the URLs of several rows in their order, however long each takes', async () => {
		await sandbox().fault({ fault: { kind: 'delay', delayMs: 200 } });
		const urls = ['a', 'b', 'c'].map((end) => `${PLAIN}/${end}`);
		await run(
			{ ...set, webHookUrl: '={{ $json.url }}' },
			{ items: urls.map((url) => ({ url })), credential: credential({ concurrentRequests: 10 }) },
		);
		expect((await sandbox().webhook()).history.map(({ url }) => url)).toEqual(urls);
	});

	it('registers the URL without the blanks and line breaks around it', async () => {
		const { items } = await run({ ...set, webHookUrl: `\t ${PLAIN} \n` });
		expect(items[0]?.json).toEqual({ url: PLAIN, success: true });
		expect((await sandbox().webhook()).url).toBe(PLAIN);
	});

	it('puts the token in the place of an old one', async () => {
		const { items } = await run(
			{ ...set, webHookUrl: `${PLAIN}?token=old&a=b`, addToken: '={{ "TRUE" }}' },
			{ credential: credential({ webhookSecret: 'correct horse' }) },
		);
		expect(items[0]?.json.success).toBe(true);
		expect((await sandbox().webhook()).url).toMatch(/\?token=[\da-f]{64}&a=b$/);
	});

	it('registers for the client of the call before that of the credential', async () => {
		await run({ ...set, additionalFields: { clientId: '1002' } });
		expect((await sandbox().webhook()).clients).toEqual({ 1002: URL });
	});

	it('refuses to add the token to what is no URL, before sending', async () => {
		const { error, requests } = await run(
			{ ...set, webHookUrl: 'n8n.example.com', addToken: true },
			{ credential: credential({ webhookSecret: 'correct horse' }) },
		);
		expect(error?.message).toBe('URL is not a valid URL');
		expect(error?.description).toContain('https://');
		expect(requests).toEqual([]);
	});

	it('refuses the test URL of a workflow, at which nobody would listen later', async () => {
		const { error, requests } = await run({
			...set,
			webHookUrl: 'https://n8n.example.com/webhook-test/4f5e',
		});
		expect(error?.message).toBe('URL is a test URL');
		expect(requests).toEqual([]);
	});

	it("passes the service's complaint about the URL on, with the name of the field", async () => {
		const { error } = await run({ ...set, webHookUrl: 'no-url' });
		expect(error?.message).toBe('URL: The string is not in valid URL format.');
		expect(error?.description).toContain('status 400');
		expect(error).toMatchObject({ httpCode: '400', context: { itemIndex: 0 } });
		expect((await sandbox().webhook()).url).toBeNull();
	});

	it.each(['={{ "" }}', '={{ "  " }}'])(
		'refuses the empty URL %p before sending: that would remove the webhook',
		async (webHookUrl) => {
			await sandbox().registerWebhook('https://n8n.example.com/kept');
			const { error, requests } = await run({ ...set, webHookUrl });
			expect(error?.message).toBe('URL is empty');
			expect(requests).toEqual([]);
			expect((await sandbox().webhook()).url).toBe('https://n8n.example.com/kept');
		},
	);

	it('says where to set a client ID that is missing, and sends nothing', async () => {
		const { error, requests } = await run(set, { credential: credential({ clientId: ' ' }) });
		expect(error?.message).toBe('The Client ID of the credential is empty');
		expect(error?.description).toMatch(/Set the Client ID in the credential/);
		expect(requests).toEqual([]);
	});
});

describe.each(['set', 'remove'])('under a sending policy, %s', (operation) => {
	const change = { resource: 'webhook', operation, webHookUrl: PLAIN };
	const policy = { sendingPolicy: true };
	const REGISTERED = 'https://n8n.example.com/kept';

	const attempt = async (rules: IDataObject, mode: WorkflowExecuteMode = 'manual') => {
		await sandbox().registerWebhook(REGISTERED);
		const settings = { mode, onError: 'continueErrorOutput' as const };
		const result = await run(change, { credential: credential(rules as never), ...settings });
		const { url } = await sandbox().webhook();
		const [item] = [...result.items, ...result.errorItems];
		return { item: item?.json, isChanged: url !== REGISTERED };
	};

	it.each([
		['alone', policy],
		['that pauses sending', { ...policy, pauseSending: true }],
		['that limits the numbers', { ...policy, onlyTheseNumbers: '+447700900123' }],
		['with a switch that nobody understands', { ...policy, allowWebhookChanges: 'yes' }],
		['that cannot be read', { ...policy, maxRecipients: -1, allowWebhookChanges: true }],
	])('is refused: %s', async (_, rules) => {
		const { item, isChanged } = await attempt(rules);
		expect(isChanged).toBe(false);
		expect(item).toMatchObject({ sent: 'no', error: expect.stringMatching(/^Sending Policy: /) });
	});

	it('says how it is allowed', async () => {
		const { item } = await attempt(policy);
		expect(item).toMatchObject({
			error: 'Sending Policy: the webhook URL may not be changed',
			policyRule: 'allowWebhookChanges',
			allowed: 'Allowed: after Allow Webhook Changes is switched on in the credential.',
		});
	});

	it('is done where a switch allows it, and where there is no policy', async () => {
		const allowing = { ...policy, allowWebhookChanges: true, pauseSending: true };
		expect((await attempt(allowing)).isChanged).toBe(true);
		expect((await attempt({})).isChanged).toBe(true);
	});

	it('is simulated by Simulate, and in an evaluation', async () => {
		const simulating = { ...policy, allowWebhookChanges: true, simulate: true };
		for (const { item, isChanged } of [
			await attempt(simulating),
			await attempt({}, 'evaluation'),
		]) {
			expect(isChanged).toBe(false);
			expect(item).toMatchObject({ simulated: true, sent: 'no' });
		}
	});
});

describeOperation('webhook', 'remove', () => {
	const remove = { resource: 'webhook', operation: 'remove' };

	it.each([
		['query', `${PATH}?url=&clientId=1001`, null],
		['path', `${PATH}/1001?url=`, null],
		['body', `${PATH}?url=`, { clientId: 1001 }],
	])('removes the URL with the client ID in the %s', async (place, url, body) => {
		await sandbox().registerWebhook('https://n8n.example.com/webhook/x');
		const { items, requests } = await run(remove, { credential: await withClientIdIn(place) });
		expect(requests.map(onTheWire)).toEqual([{ line: `POST ${url}`, body }]);
		expect(items).toEqual([{ json: { deleted: true }, pairedItem: { item: 0 } }]);
		expect((await sandbox().webhook()).url).toBeNull();
	});

	it('removes the URL of the client of the call', async () => {
		await sandbox().registerWebhook('https://n8n.example.com/second', 1002);
		await run({ ...remove, additionalFields: { clientId: 1002 } });
		expect((await sandbox().webhook()).clients).toEqual({});
	});
});
