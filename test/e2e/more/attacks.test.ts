import { createHmac, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import http from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CredentialSummary } from '../../../host/n8nClient.ts';
import { loopback } from '../../../host/ports.ts';
import { poll } from '../../../host/poll.ts';
import { serversOfTest } from '../../support/servers.ts';
import { host } from '../support/host.ts';
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
		N8N_PAYLOAD_SIZE_MAX: '4',
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
		await n8n.end();
	});

	/** Publishes a trigger that registers nothing; the test ends with n8n, so it stays. */
	async function published(parameters: Record<string, unknown> = {}) {
		const name = `attacks-${randomUUID()}`;
		const { id } = await n8n.client.createWorkflow(
			triggerWorkflow(name, credential, {
				path: name,
				options: { registration: 'manual' },
				...parameters,
			}),
		);
		expect(await n8n.client.activateWorkflow(id)).toMatchObject({ status: 'published' });
		return { id, path: `/webhook/${name}?token=${TOKEN}` };
	}

	const stored = (id: string) => storedExecutions('n8n-attacks', id, triggerName);

	/** Posts these bytes; n8n may cut the connection instead of answering. */
	async function post(
		target: string,
		body: Buffer | string,
		headers: Record<string, string> = {},
	): Promise<number | 'cut'> {
		return await new Promise((resolve) => {
			const request = http.request(
				n8n.url + target,
				{
					method: 'POST',
					headers: { 'content-type': 'application/json', ...headers },
					// A connection of its own: one that is kept may be closed just then.
					agent: false,
				},
				(response) => {
					response.resume();
					resolve(response.statusCode ?? 0);
				},
			);
			request.on('error', () => resolve('cut'));
			request.end(body);
		});
	}

	/** One event goes through, and is the only one so far. */
	async function expectOnly(trigger: { id: string; path: string }, count = 1) {
		expect(await post(trigger.path, JSON.stringify(sms))).toBe(200);
		await poll(async () => (stored(trigger.id).count >= count ? true : undefined), {
			what: 'the execution of the event',
			timeout: 120_000,
		});
		expect(stored(trigger.id)).toMatchObject({ count });
	}

	describe('on the trigger', () => {
		const eventOf = (bytes: number) =>
			JSON.stringify({ ...sms, data: { ...sms.data, extra: 'x'.repeat(bytes) } });
		const MEGABYTE = 1024 * 1024;

		it('an event of many megabytes below the limit is executed, one above it is not', async () => {
			const trigger = await published();
			expect(await post(trigger.path, eventOf(3 * MEGABYTE))).toBe(200);
			for (const bytes of [4 * MEGABYTE, 40 * MEGABYTE]) {
				const answer = await post(trigger.path, eventOf(bytes));
				expect(answer === 'cut' || answer >= 400).toBe(true);
			}
			await expectOnly(trigger, 2);
		});

		it('a small event that unpacks to more than the limit is not executed', async () => {
			const trigger = await published();
			const bomb = gzipSync(eventOf(100 * MEGABYTE));
			expect(bomb.length).toBeLessThan(MEGABYTE);
			for (const contentType of ['application/json', 'application/octet-stream']) {
				const headers = { 'content-encoding': 'gzip', 'content-type': contentType };
				const answer = await post(trigger.path, bomb, headers);
				expect(answer === 'cut' || answer >= 400).toBe(true);
			}
			await expectOnly(trigger);
		});

		it('bodies that come byte by byte hold up nobody else', async () => {
			const trigger = await published();
			const { port } = new URL(n8n.url);
			const slow = Array.from({ length: 200 }, () => {
				const socket = connect(Number(port), loopback);
				socket.on('error', () => socket.destroy());
				socket.write(
					`POST ${trigger.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
				);
				return socket;
			});
			const dripping = setInterval(() => {
				for (const socket of slow) socket.write(' ');
			}, 100);
			try {
				await expectOnly(trigger, 1);
				await expectOnly(trigger, 2);
			} finally {
				clearInterval(dripping);
				for (const socket of slow) socket.destroy();
			}
			await expectOnly(trigger, 3);
		});

		it('bodies nested 100,000 levels deep are refused with every content type', async () => {
			const trigger = await published({ simplify: false });
			const lists = '['.repeat(100_000) + ']'.repeat(100_000);
			const objects = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000);
			for (const body of [
				...[lists, objects, `{"webHookType":1,"data":${objects}}`],
				...[`{"webHookType":1,"data":{"x":${lists}}}`, `{"webHookType":1,"data":{},"x":${lists}}`],
			]) {
				for (const contentType of ['application/json', 'text/plain', 'application/octet-stream']) {
					const answer = await post(trigger.path, body, { 'content-type': contentType });
					expect({ contentType, answer }).toEqual({ contentType, answer: 400 });
				}
			}
			await expectOnly(trigger);
		});

		it('bodies that are no JSON, and forms, are refused', async () => {
			const trigger = await published();
			const form =
				'--x\r\nContent-Disposition: form-data; name="webHookType"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name="data"; filename="a"\r\n\r\n{}\r\n--x--\r\n';
			for (const [contentType, body] of [
				['multipart/form-data; boundary=x', form],
				['application/x-www-form-urlencoded', 'webHookType=1&data[statusCode]=1'],
				['application/xml', '<webHookType>1</webHookType>'],
				['application/json', '{"webHookType":1,"data":{}'],
				['application/json; charset=utf-16', '{"webHookType":1,"data":{}}'],
			] as const) {
				const answer = await post(trigger.path, body, { 'content-type': contentType });
				expect({
					contentType,
					isRefused: answer !== 'cut' && answer >= 400 && answer < 500,
				}).toEqual({
					contentType,
					isRefused: true,
				});
			}
			await expectOnly(trigger);
		});

		it('forged events are refused, also with the token in another place', async () => {
			const trigger = await published();
			const [bare = ''] = trigger.path.split('?');
			const body = JSON.stringify({ ...sms, token: TOKEN });
			for (const [target, headers] of [
				[bare, {}],
				[bare, { authorization: `Bearer ${TOKEN}`, token: TOKEN, cookie: `token=${TOKEN}` }],
				[`${bare}?token[]=${TOKEN}`, {}],
				[`${bare}?token[x]=${TOKEN}`, {}],
				[`${bare}?token=${TOKEN}&token=${TOKEN}`, {}],
				[`${bare}?token=${TOKEN}%00`, {}],
				[`${bare}?Token=${TOKEN}`, {}],
				[`${bare}?__proto__[token]=${TOKEN}`, {}],
			] as const) {
				expect({ target, answer: await post(target, body, headers) }).toEqual({
					target,
					answer: 401,
				});
			}
			await expectOnly(trigger);
		});
	});

	describe('on the action node and the credential', () => {
		const SECRET = 'top secret&4711/+';
		const kinds: [string, Record<string, unknown>][] = [
			['header', { authentication: 'header', headerName: 'X-Key', headerSecret: SECRET }],
			['bearer', { authentication: 'bearer', token: SECRET }],
			['basicAuth', { authentication: 'basicAuth', username: 'ann', password: SECRET }],
			['query', { authentication: 'query', queryName: 'key', querySecret: SECRET }],
			[
				'customJson',
				{
					authentication: 'customJson',
					secretJson: JSON.stringify({ headers: { 'X-Key': SECRET }, qs: { key: SECRET } }),
				},
			],
		];
		const forms = [SECRET, `ann:${SECRET}`, WEBHOOK_SECRET, TOKEN].flatMap((secret) => [
			secret,
			encodeURIComponent(secret),
			encodeURIComponent(secret).replaceAll('%20', '+'),
			JSON.stringify(secret).slice(1, -1),
			Buffer.from(secret).toString('base64').replace(/=+$/, ''),
		]);

		/** Everything that n8n has written: logs and database, its write-ahead log included. */
		function written(): { file: string; text: string }[] {
			const folder = path.join(host().folder, 'n8n-attacks', '.n8n');
			const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
				.map((name) => path.join(folder, name))
				.filter((file) => /(\.log|\.sqlite|-wal)$/.test(file) && statSync(file).isFile());
			return [...files, n8n.logFile].map((file) => ({
				file: path.basename(file),
				text: readFileSync(file, 'latin1'),
			}));
		}

		itOnN8n2('its own log of a failed credential test holds the answer of the service')(
			'no secret gets into logs at debug level, outputs or the database',
			async () => {
				const echo = (status: number) =>
					startServer((request, response) => {
						response.writeHead(status, { location: `http://login.example/?to=${request.url}` });
						response.end(
							JSON.stringify({
								id: 'x',
								url: request.url,
								headers: Object.values(request.headers),
							}),
						);
					});
				const cut = await startServer((_request, response) => void response.destroy());
				// A successful response is the user's data: it is passed on as it is.
				const services = [
					...(await Promise.all([302, 400, 401, 500].map(echo))).map(({ url }) => url),
					...[cut.url, `http://${loopback}:1`, 'http://messaging.invalid', `http://${BLOCKED}:1`],
					...[
						cut.url.replace('http', 'https'),
						`http://ann:${encodeURIComponent(SECRET)}@x.example`,
					],
				];
				for (const [kind, values] of kinds) {
					for (const [index, baseUrl] of services.entries()) {
						const data = { webhookSecret: WEBHOOK_SECRET, ...values, baseUrl };
						const own = await createCredential(n8n.client, `${kind} ${String(index)}`, data);
						const get = {
							resource: 'phoneNumberStorage',
							operation: 'get',
							simple: false,
						};
						const set = { resource: 'webhook', operation: 'set', addToken: true };
						const id = { __rl: true, mode: 'id', value: 'x' };
						for (const parameters of [
							{ ...get, storageId: id },
							{ ...set, webHookUrl: 'https://n8n.example.com/x' },
						]) {
							const { id: workflow } = await n8n.client.createWorkflow(
								actionWorkflow(`${kind} ${String(index)}`, own, [{}], parameters),
							);
							await n8n.client.runWorkflow(workflow, 'Start');
						}
						const answer = await n8n.client.testCredential(own, data);
						expect(forms.filter((form) => JSON.stringify(answer).includes(form))).toEqual([]);
					}
				}
				const everything = written();
				const names = everything.map(({ file }) => file);
				expect(names).toEqual(expect.arrayContaining(['n8n-attacks.log', 'database.sqlite']));
				// The executions are in what was read, and the logs are those at debug level.
				expect(everything.some(({ text }) => text.includes('with status 500'))).toBe(true);
				expect(everything.some(({ file, text }) => /log$/.test(file) && /debug/.test(text))).toBe(
					true,
				);
				const found = everything.flatMap(({ file, text }) =>
					forms
						.filter((form) => text.includes(Buffer.from(form).toString('latin1')))
						.map((form) => ({
							file,
							form,
							around: text.slice(Math.max(0, text.indexOf(form) - 200), text.indexOf(form) + 60),
						})),
				);
				expect(found).toEqual([]);
			},
		);

		it('the test of the credential follows no redirect', async () => {
			const other = await startServer((_request, response) => void response.end('{"items":[]}'));
			for (const status of [301, 302, 303, 307, 308]) {
				const server = await startServer((request, response) => {
					response.writeHead(status, { location: other.url + request.url }).end();
				});
				const data = { authentication: 'bearer', token: SECRET, baseUrl: server.url };
				expect(await n8n.client.testCredential(credential, data)).toMatchObject({
					status: 'Error',
				});
				expect(server.received).toHaveLength(1);
			}
			expect(other.received).toEqual([]);
		});

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
