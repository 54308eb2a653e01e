import { createHmac } from 'node:crypto';
import axios from 'axios';
import type { CredentialSummary } from '../../../host/n8nClient.ts';
import { loopback } from '../../../host/ports.ts';
import { poll } from '../../../host/poll.ts';
import { serversOfTest } from '../../support/servers.ts';
import { OwnN8n } from '../support/ownN8n.ts';
import { storedExecutions } from '../support/storedEvents.ts';
import { itOnN8n2 } from '../support/versions.ts';
import {
	actionWorkflow,
	createCredential,
	triggerName,
	triggerWorkflow,
} from '../support/workflows.ts';

const WEBHOOK_SECRET = 'webhook-secret-4711';
const TOKEN = createHmac('sha256', WEBHOOK_SECRET)
	.update('messaging-service-webhook')
	.digest('hex');

/** An address of this machine that n8n's protection blocks here, as it blocks all private ones. */
const BLOCKED = '127.0.0.2';

const sms = { webHookType: 1, data: { statusCode: 1, phoneNumber: '+447700900124' } };

describe('attacks on a real n8n', () => {
	const n8n = new OwnN8n('n8n-attacks', {
		N8N_LOG_LEVEL: 'debug',
		N8N_LOG_OUTPUT: 'console,file',
		N8N_SSRF_PROTECTION_ENABLED: 'true',
		N8N_SSRF_ALLOWED_IP_RANGES: `${loopback}/32`,
	});
	const startServer = serversOfTest();
	let credential: CredentialSummary;

	beforeAll(async () => {
		await n8n.start();
		credential = await createCredential(n8n.client, 'Attacks', { webhookSecret: WEBHOOK_SECRET });
	});

	afterAll(async () => {
		await n8n.stop();
	});

	/** Posts a body as it is. */
	async function post(target: string, body: string, headers: Record<string, string> = {}) {
		const { status } = await axios.post(n8n.url + target, body, {
			headers: { 'content-type': 'application/json', ...headers },
			...{ proxy: false, validateStatus: () => true, transformRequest: (data: string) => data },
		});
		return status;
	}

	it('what is forged, nested 100,000 levels deep or no JSON starts nothing, and the next event does', async () => {
		const { id } = await n8n.client.createWorkflow(
			triggerWorkflow('attacks', credential, {
				...{ path: 'attacks', options: { registration: 'manual' } },
			}),
		);
		await n8n.client.activateWorkflow(id);
		const bare = '/webhook/attacks';
		const signed = `${bare}?token=${TOKEN}`;
		const body = JSON.stringify({ ...sms, token: TOKEN });
		const forged: [string, Record<string, string>][] = [
			[bare, { authorization: `Bearer ${TOKEN}`, token: TOKEN, cookie: `token=${TOKEN}` }],
			...[`token[]=${TOKEN}`, `token[x]=${TOKEN}`, `token=${TOKEN}&token=${TOKEN}`].map(
				(query): [string, Record<string, string>] => [`${bare}?${query}`, {}],
			),
		];
		for (const [target, headers] of forged) {
			expect([target, await post(target, body, headers)]).toEqual([target, 401]);
		}
		const deep = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000);
		const form = '--x\r\nContent-Disposition: form-data; name="webHookType"\r\n\r\n1\r\n--x--\r\n';
		for (const [contentType, text] of [
			['application/json', deep],
			['text/plain', `{"webHookType":1,"data":${deep}}`],
			['application/json', '{"webHookType":1,"data":{}'],
			['application/xml', '<webHookType>1</webHookType>'],
			['application/x-www-form-urlencoded', 'webHookType=1&data[statusCode]=1'],
			['multipart/form-data; boundary=x', form],
		] as const) {
			const status = await post(signed, text, { 'content-type': contentType });
			expect([contentType, Math.floor(status / 100)]).toEqual([contentType, 4]);
		}
		expect(await post(signed, JSON.stringify(sms))).toBe(200);
		const count = () => storedExecutions('n8n-attacks', id, triggerName).count;
		await poll(async () => (count() > 0 ? true : undefined), {
			what: 'the execution of the event',
			timeout: 120_000,
		});
		expect(count()).toBe(1);
	});

	describe('on the action node and the credential', () => {
		const SECRET = 'top secret&4711/+';
		const kinds = [
			{ authentication: 'header', headerName: 'X-Key', headerSecret: SECRET },
			{ authentication: 'basicAuth', username: 'ann', password: SECRET },
			{ authentication: 'query', queryName: 'key', querySecret: SECRET },
		];
		const forms = [SECRET, `ann:${SECRET}`, WEBHOOK_SECRET, TOKEN].flatMap((secret) => [
			secret,
			encodeURIComponent(secret),
			encodeURIComponent(secret).replaceAll('%20', '+'),
			JSON.stringify(secret).slice(1, -1),
			Buffer.from(secret).toString('base64').replace(/=+$/, ''),
		]);

		/** Services that fail, and write back what they received. */
		async function failingServices(): Promise<string[]> {
			const echoes = [302, 401, 500].map(async (status) => {
				const { url } = await startServer(({ url: place, headers }, response) => {
					response.writeHead(status, { location: `http://login.example/?to=${place}` });
					response.end(JSON.stringify({ id: 'x', place, headers: Object.values(headers) }));
				});
				return url;
			});
			const cut = await startServer((_request, response) => void response.destroy());
			return [...(await Promise.all(echoes)), cut.url, cut.url.replace('http', 'https')];
		}

		itOnN8n2('its own log of a failed credential test holds the answer of the service')(
			'no secret gets into logs at debug level, outputs or the database',
			async () => {
				const id = { __rl: true, mode: 'id', value: 'x' };
				const webHookUrl = 'https://n8n.example.com/x';
				const actions = [
					{ resource: 'phoneNumberStorage', operation: 'get', simple: false, storageId: id },
					{ resource: 'webhook', operation: 'set', addToken: true, webHookUrl },
				];
				for (const baseUrl of await failingServices()) {
					for (const kind of kinds) {
						const data = { webhookSecret: WEBHOOK_SECRET, ...kind, baseUrl };
						const own = await createCredential(n8n.client, 'Secret', data);
						for (const parameters of actions) {
							const { id: workflow } = await n8n.client.createWorkflow(
								actionWorkflow('Secret', own, [{}], parameters),
							);
							await n8n.client.runWorkflow(workflow, 'Start');
						}
						const answer = JSON.stringify(await n8n.client.testCredential(own, data));
						expect(forms.filter((form) => answer.includes(form))).toEqual([]);
					}
				}
				const everything = n8n.written();
				const names = everything.map(({ file }) => file);
				expect(names).toEqual(expect.arrayContaining(['n8n-attacks.log', 'database.sqlite']));
				// The executions are in what was read, and the logs are those at debug level.
				for (const known of [/with status 500/, /debug/]) {
					expect(everything.some(({ bytes }) => known.test(bytes.toString('latin1')))).toBe(true);
				}
				const found = everything.flatMap(({ file, bytes }) =>
					forms.filter((form) => bytes.includes(form)).map((form) => ({ file, form })),
				);
				expect(found).toEqual([]);
			},
		);

		itOnN8n2('it has no such protection')('an address that n8n blocks is not called', async () => {
			const own = await createCredential(n8n.client, 'Blocked', { baseUrl: `http://${BLOCKED}:1` });
			const { id } = await n8n.client.createWorkflow(
				actionWorkflow('Blocked', own, [{}], { resource: 'smsCampaign', operation: 'getAll' }),
			);
			const { status, error } = await n8n.client.runWorkflow(id, 'Start');
			expect(status).toBe('error');
			expect(error?.message).toBe(`n8n is not allowed to call ${BLOCKED}:1`);
			expect(error?.description).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
		});
	});
});
