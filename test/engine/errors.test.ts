import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { findOperation } from '../../nodes/MessagingService/resources';
import { isChanging } from '../../nodes/MessagingService/resources/operation';
import type { ActionResult } from '../support/actionSuite';
import { actionSuite, byId, sendMessage, retryingAtOnce } from '../support/actionSuite';
import { pairs, validParameters } from '../support/everyOperation';
import { expectNoSecret } from '../support/secrets';
import { forward, serversOfTest } from '../support/servers';
import { voiceBody } from '../support/voiceCampaign';

const { credential, run: runWithRetries, sandbox } = actionSuite();
const run = retryingAtOnce(runWithRetries);
const startServer = serversOfTest();

const send = sendMessage;
const list = { resource: 'smsMessage', operation: 'getAll' };
const getAllUnpaged = { resource: 'voiceCampaign', operation: 'getAllUnpaged' };

const MAYBE_ACCEPTED = 'may have been accepted: check in the service before sending it again';

/** Checks an error that a user is to read: what happened, what to do, which item, no secret. */
function expectHelpful(
	{ error, items, run: data }: ActionResult,
	expected: { message: string | RegExp; description: string | RegExp; httpCode?: string },
) {
	expect(error?.message).toEqual(
		typeof expected.message === 'string'
			? expected.message
			: expect.stringMatching(expected.message),
	);
	expect(error?.description).toEqual(
		typeof expected.description === 'string'
			? expect.stringContaining(expected.description)
			: expect.stringMatching(expected.description),
	);
	expect(error?.description).not.toMatch(/\.\.|  /);
	expect(error?.context?.itemIndex).toBe(0);
	if (expected.httpCode !== undefined) {
		expect(error).toMatchObject({ httpCode: expected.httpCode, name: 'NodeApiError' });
	}
	expect(items).toEqual([]);
	expectNoSecret([error, data], [sandbox().apiKey]);
}

/** Responds with this body. */
const answering =
	(status: number, body: string, headers: Record<string, string> = {}) =>
	(_request: unknown, response: ServerResponse) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(body);
	};

const at = (baseUrl: string, changes: IDataObject = {}) => ({
	credential: credential({ baseUrl, ...changes } as never),
});

describe('a response with status', () => {
	it.each([
		[401, 'The service did not accept the authentication', 'secret in the credential'],
		[402, 'The service asks for payment', 'Ask the operator whether the account has credit'],
		[403, 'The service does not allow this request', 'Ask the service operator'],
		[404, 'The service found nothing at this address', 'Check the ID, if this node has one'],
		[407, 'The proxy between n8n and the service asks for a login', 'set HTTPS_PROXY to http://'],
		[408, 'The service waited too long for the request', MAYBE_ACCEPTED],
		[
			429,
			'The service is receiving too many requests',
			'Nothing was sent by this run of the node.',
		],
		[500, 'The service failed to process the request', MAYBE_ACCEPTED],
		[503, 'The service failed to process the request', MAYBE_ACCEPTED],
	])('%p says what happened and what to do', async (status, message, advice) => {
		await sandbox().fault({
			times: 'always',
			fault: { kind: 'status', status, body: { message: 'Because of this.' } },
		});
		const result = await run(send);
		expectHelpful(result, {
			message: `${message}: Because of this.`,
			description: advice,
			httpCode: String(status),
		});
		expect(result.error?.description).toContain(
			`The service responded to POST /api/SMSMessages with status ${status}.`,
		);
		// That nothing was sent is said once.
		expect(result.error?.description).not.toContain('was not accepted');
	});

	it.each([
		[401, 'The service did not accept the authentication'],
		[500, 'The service failed to process the request'],
		[400, 'The service rejected the request as invalid'],
	])('%p without a readable body still says what happened', async (status, message) => {
		for (const body of ['', '<html><body>Sorry</body></html>', '{}', 'null']) {
			const server = await startServer(answering(status, body));
			expectHelpful(await run(send, at(server.url)), {
				message,
				description: new RegExp(`with status ${status}(\\.| and )`),
				httpCode: String(status),
			});
		}
	});

	it('5xx of a reading request does not speak of accepting', async () => {
		await sandbox().fault({ times: 'always', fault: { kind: 'status', status: 500 } });
		const result = await run(list);
		expectHelpful(result, { message: /^The service failed/, description: 'ask the operator' });
		expect(result.error?.description).not.toContain('accepted');
	});

	it.each(
		pairs.filter(({ resource, operation }) => {
			const found = findOperation(resource, operation);
			return found !== undefined && !isChanging(found);
		}),
	)('that $resource $operation reads does not speak of sending', async (pair) => {
		await sandbox().fault({ times: 'always', fault: { kind: 'status', status: 403 } });
		const { error } = await run(validParameters(pair) as typeof pair, { items: [{}, {}] });
		expect(error?.message).toMatch(/^The service does not allow this request/);
		expect(error?.description).not.toMatch(/\bsen[dt]\b/i);
	});
});

test('an operation that does not exist: that there is none, and nothing of sending', async () => {
	const { error } = await run({ resource: 'smsMessage', operation: 'burn' });
	expect(error?.message).toMatch(/"burn" of the resource "smsMessage" does not exist/);
	expect(error?.description).toBe('Select the resource and the operation again.');
});

describe('a response with a success status', () => {
	const updateFields = { message: 'Hi' };
	const stored = { storageID: 'a', number: '+447700900123' };

	it.each([
		[{ resource: 'smsCampaign', operation: 'update', campaignId: byId('a'), updateFields }],
		[{ resource: 'smsCampaign', operation: 'postById', campaignId: byId('a') }],
		[{ resource: 'phoneNumberStorage', operation: 'create', ...stored }],
		[{ resource: 'phoneNumberStorage', operation: 'update', ...stored }],
		[{ resource: 'phoneNumberStorage', operation: 'postById', storageId: 'a' }],
		[{ resource: 'webhook', operation: 'set', webHookUrl: 'https://n8n.example.com/webhook/a' }],
	])('is success, also with a message: %j', async (parameters) => {
		const body = '{"message":"Campaign updated"}';
		const server = await startServer(answering(200, body));
		const { error, items } = await run(parameters, at(server.url));
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(items[0]?.json.sent ?? 'yes').toBe('yes');
	});
});

describe('a complaint of the service', () => {
	it.each([
		[
			'the documented shape',
			{ errors: { phoneNumber: ['It is not known.', 'It is too short.'] } },
			'Phone Number: It is not known. | Phone Number: It is too short.',
		],
		['a path to the field', { errors: { 'body.sender': ['No.'] } }, 'Sender: No.'],
		['a field that the node does not have', { errors: { colour: ['No.'] } }, 'colour: No.'],
		['the shape of the page size error', { message: ['Too long.'] }, 'Message: Too long.'],
		[
			'a problem document',
			{ title: 'Bad', detail: 'The message is spam.' },
			'The message is spam.',
		],
		['a text', 'Out of credit', 'Out of credit'],
	])('in %s names the n8n field', async (_what, body, message) => {
		for (const status of [400, 422]) {
			await sandbox().fault({ fault: { kind: 'status', status, body } });
			expectHelpful(await run(send), {
				...{ message, description: 'Check what you have entered', httpCode: String(status) },
			});
		}
	});
});

test.each([
	['Requests per Second', { requestsPerSecond: -1 }, 'a number, or 0 for no limit'],
	['Max Concurrent Requests', { concurrentRequests: 1.5 }, 'a whole number from 1'],
	['Max Concurrent Requests', { concurrentRequests: 0 }, 'a whole number from 1'],
	['Timeout (Seconds)', { timeout: 0 }, 'a number from 0.1 to 86400'],
	['Timeout (Seconds)', { timeout: 86_401 }, 'a number from 0.1 to 86400'],
])('%s that cannot be kept is an error: %j', async (field, values, allowed) => {
	const result = await run(send, { credential: credential(values) });
	// An error workflow tells it from a request that the service has refused.
	expect(result.error?.name).toBe('NodeOperationError');
	expectHelpful(result, {
		message: `${field} of the credential is invalid`,
		description: `Enter ${allowed} in the credential. Nothing was sent by this run of the node.`,
	});
});

test('a complaint about an option names the option', async () => {
	const body = { pageSize: ['The size cannot exceed 10000 records'] };
	await sandbox().fault({ fault: { kind: 'status', status: 400, body } });
	const { error } = await run({ ...list, returnAll: true, options: { pageSize: 20_000 } });
	expect(error?.message).toBe('Page Size: The size cannot exceed 10000 records');
});

describe('a connection', () => {
	it('that is refused: nothing was sent', async () => {
		const server = await startServer(answering(200, '"c56a4180-65aa-42ec-a945-5fd21dec0538"'));
		await server.close();
		expectHelpful(await run(send, at(server.url)), {
			message: `Could not connect to ${server.host}`,
			description: /Check the Base URL.*Nothing was sent/,
		});
	});

	it('that is refused at first is made again, and the message is sent', async () => {
		const random = jest.spyOn(Math, 'random').mockReturnValue(1);
		const gone = await startServer(answering(200, ''));
		await gone.close();
		const running = runWithRetries(send, at(gone.url));
		const server = createHttpServer(answering(200, '"c56a4180-65aa-42ec-a945-5fd21dec0538"'));
		setTimeout(() => server.listen(Number(gone.url.split(':')[2]), '127.0.0.1'), 200);
		const { error, items } = await running;
		server.close();
		random.mockRestore();
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});

	it('to a host that is not known: nothing was sent', async () => {
		expectHelpful(await run(send, at('http://messaging.invalid')), {
			message: 'The host messaging.invalid was not found',
			description: /Check the Base URL.*Nothing was sent/,
		});
	});

	it('to something that does not speak HTTP', async () => {
		const server = createServer((socket) => {
			socket.once('data', () => socket.end('220 mail.example.com ESMTP\r\n'));
			socket.on('error', () => socket.destroy());
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const result = await run(list, at(`http://127.0.0.1:${port}`));
		server.close();
		expectHelpful(result, { message: /127\.0\.0\.1:\d+/, description: /GET \/api\/SMSMessages/ });
	});
});

describe('a response that is not what it should be', () => {
	it('an HTML login page', async () => {
		await sandbox().fault({ fault: { kind: 'html' } });
		expectHelpful(await run(send), {
			message: 'The response is a web page, not one of the messaging service',
			description: 'Check the Base URL and the authentication in the credential',
			httpCode: '200',
		});
	});

	it.each([
		['Send', send, 'a GUID'],
		['Get Many', list, '(a page|a record)'],
		['Get Many (Unpaged)', getAllUnpaged, 'an array of records'],
	])('%s: broken JSON, or nothing', async (_what, parameters, expected) => {
		await sandbox().api.post('/api/campaigns/voice', voiceBody());
		for (const kind of ['brokenJson', 'emptyBody']) {
			await sandbox().fault({ fault: { kind } });
			const result = await run(parameters);
			expectHelpful(result, {
				message: new RegExp(`^The response of the service is not ${expected}`),
				description: kind === 'emptyBody' ? 'and an empty body,' : / and ".+"[,.]/,
				httpCode: '200',
			});
			expect(result.error?.description?.includes(MAYBE_ACCEPTED)).toBe(parameters === send);
		}
	});

	it('is read right with a BOM, white space around it, or another content type', async () => {
		for (const body of [
			'\uFEFF"c56a4180-65aa-42ec-a945-5fd21dec0538"',
			' \r\n"c56a4180-65aa-42ec-a945-5fd21dec0538"\n',
		]) {
			const server = await startServer(answering(200, body, { 'content-type': 'text/plain' }));
			const { error, items } = await run(send, at(server.url));
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.newId)).toEqual(['c56a4180-65aa-42ec-a945-5fd21dec0538']);
		}
	});
});

describe('Base URL', () => {
	it.each([
		['a slash at the end', (url: string) => `${url}/`],
		['white space around it', (url: string) => `  ${url}\n`],
	])('with %s works', async (_what, change) => {
		const { error, requests } = await run(list, at(change(sandbox().url)));
		expect(error).toBeUndefined();
		expect(requests.map(({ url }) => url)).toEqual(['/api/SMSMessages?pageSize=50']);
	});

	it.each(['/gateway', '/gateway/', '/a%20b/v1'])(
		'with the path prefix %p works',
		async (prefix) => {
			const base = prefix.replace(/\/$/, '');
			const proxy = await startServer(async (request, response) => {
				if (request.url.startsWith(`${base}/api/`)) {
					await forward(sandbox().url + request.url.slice(base.length), request, response);
				} else answering(404, '')(request, response);
			});
			const { error, items, requests } = await run(send, at(proxy.url + prefix));
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
			expect(requests.map(({ url }) => url)).toEqual(['/api/SMSMessages']);
		},
	);
});
