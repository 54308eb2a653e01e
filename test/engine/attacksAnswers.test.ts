import type { Socket } from 'node:net';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { IDataObject } from 'n8n-workflow';
import { findOperation } from '../../nodes/MessagingService/resources';
import { isChanging } from '../../nodes/MessagingService/resources/operation';
import {
	actionSuite,
	byId,
	createCampaign,
	sendMessage,
	retryingAtOnce,
} from '../support/actionSuite';
import { selfSignedCertificate } from '../support/certificate';
import { searchList } from '../support/engine';
import { credentialFor, pairs, validParameters } from '../support/everyOperation';
import type { RawServer } from '../support/rawServer';
import { startRawServer } from '../support/rawServer';
import { serversOfTest } from '../support/servers';

const { credential, run: runWithRetries } = actionSuite();
const run = retryingAtOnce(runWithRetries);
const startServer = serversOfTest();

const send = sendMessage;
const list = { resource: 'smsCampaign', operation: 'getAll', returnAll: true };
const get = {
	resource: 'phoneNumberStorage',
	operation: 'get',
	storageId: byId('x'),
	simple: false,
};
const at = (baseUrl: string, changes: IDataObject = {}) => ({
	credential: credential({ baseUrl, ...changes } as never),
});

let raw: RawServer | undefined;
afterEach(async () => {
	await raw?.close();
	raw = undefined;
});

/** A service that responds with these bytes, and more on its own account. */
async function answering(answer: (socket: Socket) => void): Promise<string> {
	raw = await startRawServer(answer);
	return raw.url;
}

const head = (...headers: string[]) =>
	['HTTP/1.1 200 OK', 'Content-Type: application/json', ...headers, '', ''].join('\r\n');

/** Responds with this JSON text, as it is written. */
const withText = async (text: string) =>
	await answering((socket) => {
		socket.end(
			head(`Content-Length: ${String(Buffer.byteLength(text))}`, 'Connection: close') + text,
		);
	});

const MEGABYTE = 1024 * 1024;

describe('a response without end', () => {
	/** Writes for ever, and counts how much of it was taken. */
	async function endless(chunk: Buffer, ...headers: string[]) {
		let written = 0;
		const url = await answering((socket) => {
			socket.write(head('Connection: close', ...headers));
			const write = () => {
				while (!socket.destroyed) {
					written += chunk.length;
					if (!socket.write(chunk)) {
						socket.once('drain', write);
						return;
					}
				}
			};
			write();
		});
		return { url, written: () => written };
	}

	it.each([
		['that sends', send, /may have been accepted/],
		['that reads', list, /at most 100 MB/],
	])('to a request %s is not read beyond 100 MB', async (_what, parameters, description) => {
		const { url, written } = await endless(Buffer.alloc(MEGABYTE, ' '));
		// With retries: it is not asked for again either.
		const { error } = await runWithRetries(parameters, at(url));
		expect(error?.message).toMatch(/^The response of 127\.0\.0\.1:\d+ is too long$/);
		expect(error?.description).toMatch(description);
		expect(raw?.received).toHaveLength(1);
		expect(written()).toBeLessThan(120 * MEGABYTE);
	});

	it('that falls silent behind 100 MB leaves no connection open', async () => {
		let closed: Promise<unknown> = Promise.resolve();
		const url = await answering((socket) => {
			closed = new Promise((resolve) => socket.once('close', resolve));
			socket.write(head('Content-Encoding: gzip'));
			socket.write(gzipSync(Buffer.alloc(101 * MEGABYTE, ' ')));
		});
		const { error } = await run(list, at(url));
		expect(error?.message).toMatch(/is too long$/);
		await closed;
	});

	it('in a "From List" search of the editor is not read either', async () => {
		const { url, written } = await endless(Buffer.alloc(MEGABYTE, ' '));
		await expect(
			searchList('searchSmsCampaigns', { credential: credential({ baseUrl: url }) }),
		).rejects.toThrow(/is too long/);
		expect(written()).toBeLessThan(120 * MEGABYTE);
	});

	it.each([['gzip', gzipSync]])('packed with %s counts unpacked', async (encoding, pack) => {
		const bomb = pack(Buffer.alloc(120 * MEGABYTE, ' '));
		expect(bomb.length).toBeLessThan(MEGABYTE);
		const url = await answering((socket) => {
			socket.write(head(`Content-Encoding: ${encoding}`, `Content-Length: ${String(bomb.length)}`));
			socket.end(bomb);
		});
		const { error } = await run(list, at(url));
		expect(error?.message).toMatch(/is too long$/);
	});

	it('that drips a byte at a time ends with the Timeout, and so does the connection', async () => {
		const closed: Promise<unknown>[] = [];
		const url = await answering((socket) => {
			socket.write(head());
			const timer = setInterval(() => socket.write(' '), 20);
			const end = new Promise((resolve) => socket.once('close', resolve));
			closed.push(end.then(() => clearInterval(timer)));
		});
		for (const parameters of [list, send]) {
			const { error } = await run(parameters, at(url, { timeout: 0.5 }));
			expect(error?.message).toMatch(/did not respond in time$/);
		}
		await Promise.all(closed);
		// One that reads is tried four times.
		expect(closed).toHaveLength(5);
	});

	it('of headers is cut off', async () => {
		const url = await answering((socket) => {
			socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(MEGABYTE)}`);
		});
		const { error } = await run(list, at(url));
		expect(error?.message).toMatch(/was interrupted$/);
	});
});

describe('a response that is packed wrongly', () => {
	it.each(['gzip', 'deflate'])('%s that is none is a clear error', async (encoding) => {
		const url = await answering((socket) => {
			socket.end(head(`Content-Encoding: ${encoding}`, 'Connection: close') + '{"items":[]}');
		});
		const { error } = await run(list, at(url));
		expect(error?.message).toMatch(/^The connection to .* was interrupted$/);
	});
});

describe('a list without end', () => {
	it.each(['1e999', '-1', '9007199254740993', '"x"', 'null'])(
		'that claims %s pages and this page index is an error',
		async (claim) => {
			const server = await startServer((_request, response) => {
				response.end(
					`{"pageIndex":${claim},"totalPages":${claim},"totalRecords":${claim},"items":[{"id":"1"}]}`,
				);
			});
			const { items, error } = await run(list, at(server.url));
			expect(error?.message).toBe('The service does not recognize the page parameter');
			expect(items).toEqual([]);
			expect(server.received.length).toBeLessThan(50);
		},
	);
});

describe('a response of strange JSON', () => {
	it('keeps integers beyond 2^53 as their digits, and everything else as it is', async () => {
		const text =
			'{"storageID":12345678901234567890,"ids":[ 9007199254740993 ,-9007199254740993],"small":9007199254740991,"price":0.1234567890123456789,"text":"12345678901234567890","x":1e21}';
		const storageId = byId('12345678901234567890');
		const { items } = await run({ ...get, storageId }, at(await withText(text)));
		expect(items.map(({ json }) => json)).toEqual([
			{
				storageID: '12345678901234567890',
				ids: ['9007199254740993', '-9007199254740993'],
				small: 9007199254740991,
				price: 0.1234567890123456789,
				text: '12345678901234567890',
				x: 1e21,
			},
		]);
	});

	it('keeps an identifier beyond 2^53', async () => {
		const create = {
			...{ resource: 'smsCampaign', operation: 'create', message: 'Hi', sender: 'Shop' },
			...{ contactsSource: 'json', contactsJson: '["+447700900123"]' },
		};
		const { items } = await run(create, at(await withText('12345678901234567890')));
		expect(items.map(({ json }) => json)).toMatchObject([
			{ id: '12345678901234567890', sent: 'yes' },
		]);
	});

	it.each([
		['a record', get, '{"a":', '}'],
		[
			'a list',
			list,
			'{"pageIndex":1,"totalPages":1,"totalRecords":1,"items":[{"id":"1","a":',
			'}]}',
		],
	])('%s nested 100,000 levels deep is a clear error', async (_what, parameters, before, after) => {
		const deep = '['.repeat(100_000) + ']'.repeat(100_000);
		const { error, items } = await run(parameters, at(await withText(before + deep + after)));
		expect(error?.message).toMatch(/^The response of the service is not/);
		expect(items).toEqual([]);
	});

	it.each([
		['a record', get, (text: string) => text],
		[
			'a simplified record',
			{ ...get, simple: true },
			(text: string) => text.replace('{', '{"parameter1":null,'),
		],
		[
			'a list',
			list,
			(text: string) => `{"pageIndex":1,"totalPages":1,"totalRecords":1,"items":[${text}]}`,
		],
		[
			'an unknown answer',
			{ resource: 'smsCampaign', operation: 'postById', campaignId: byId('c7') },
			(text: string) => text,
		],
	])(
		'%s with prototype keys: nothing polluted, the rest there',
		async (_what, parameters, wrap) => {
			const text =
				'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1},"id":"7","storageID":"x"}';
			const { items, error } = await run(parameters, at(await withText(wrap(text))));
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
			expect(items[0]?.json).toMatchObject({ id: '7', storageID: 'x' });
			expect(items[0]?.json.polluted).toBeUndefined();
			expect(({} as IDataObject).polluted).toBeUndefined();
		},
	);

	it('an error with prototype keys is an error like any other', async () => {
		const server = await startServer((_request, response) => {
			response
				.writeHead(400)
				.end(
					'{"errors":{"__proto__":["A."],"constructor":["B."],"sender":["C."]},"__proto__":{"message":"D."}}',
				);
		});
		const { error } = await run(send, at(server.url));
		expect(error?.message).toBe('__proto__: A. | constructor: B. | Sender: C.');
		expect(({} as IDataObject).message).toBeUndefined();
	});
});

describe('a redirect', () => {
	it.each([302, 308])('with status %p is followed by nothing that the nodes do', async (status) => {
		const other = await startServer((_request, response) => {
			response.end('{"items":[]}');
		});
		const server = await startServer((request, response) => {
			response.writeHead(status, { location: other.url + request.url }).end();
		});
		const { credential: values } = at(server.url);
		for (const parameters of [send, list, get, { resource: 'webhook', operation: 'remove' }]) {
			const { error } = await run(parameters, { credential: values });
			expect(error?.message).toMatch(/redirect, which n8n does not follow$/);
		}
		const login = { authentication: 'accessToken', tokenUrl: '/token', oauthClientSecret: 'x' };
		const { error } = await run(send, { credential: { ...values, ...login } });
		expect(error?.message).toBe('The service refused the login');
		for (const method of [
			'searchSmsCampaigns',
			'searchVoiceCampaigns',
			'searchStoredNumbers',
		] as const) {
			await expect(searchList(method, { credential: values })).rejects.toThrow(/redirect/);
		}
		expect(server.received).toHaveLength(9);
		expect(other.received).toEqual([]);
	});
});

describe('a certificate', () => {
	const trusted = tls.getCACertificates('default');
	const restore = () => {
		tls.setDefaultCACertificates(trusted);
	};
	afterEach(restore);

	/** Trusted like one of a known authority, so that only what is wrong with it decides. */
	async function serverWith(certificate: { key: string; cert: string }) {
		tls.setDefaultCACertificates([...trusted, certificate.cert]);
		const server = await startServer((_request, response) => {
			response.end('"c56a4180-65aa-42ec-a945-5fd21dec0538"');
		}, certificate);
		return { server, url: server.url.replace('127.0.0.1', 'localhost') };
	}

	it('that is valid and for this host is accepted', async () => {
		const { server, url } = await serverWith(selfSignedCertificate());
		const { error } = await run(send, at(url));
		expect(error).toBeUndefined();
		expect(server.received).toHaveLength(1);
	});

	it.each([
		['expired', selfSignedCertificate('localhost', '240101000000Z'), /CERT_HAS_EXPIRED/],
		['of another host', selfSignedCertificate('other.example'), /ERR_TLS_CERT_ALTNAME_INVALID/],
	])('that is %s is refused, unless SSL issues are ignored', async (_what, certificate, code) => {
		const { server, url } = await serverWith(certificate);
		for (const parameters of [send, list]) {
			const { error } = await run(parameters, at(url));
			expect(error?.message).toMatch(/^The certificate of localhost:\d+ could not be verified$/);
			expect(error?.description).toMatch(code);
		}
		expect(server.received).toEqual([]);
		const { error } = await run(send, at(url, { ignoreSslIssues: true }));
		expect(error).toBeUndefined();
		expect(server.received).toHaveLength(1);
	});

	it('is checked anew after another request has ignored it', async () => {
		const { server, url } = await serverWith(selfSignedCertificate('other.example'));
		expect((await run(send, at(url, { ignoreSslIssues: true }))).error).toBeUndefined();
		expect((await run(send, at(url))).error?.message).toMatch(/certificate/);
		expect(server.received).toHaveLength(1);
	});
});

const changing = pairs.filter(({ resource, operation }) => {
	const found = findOperation(resource, operation);
	return found !== undefined && isChanging(found);
});

/** Storing a number again changes nothing, so that nobody has to look whether it is stored. */
const storing = (pair: (typeof pairs)[number]) =>
	['optOut', 'undoOptOut'].includes(pair.operation) ||
	(pair.resource === 'phoneNumberStorage' && pair.operation !== 'postById');

describe.each(changing)('$resource: $operation, where a status 200 comes', (pair) => {
	it.each([
		['with a login page', '<!doctype html><title>Login</title>', /^The response is a web page/],
		['with a page in XHTML', '<?xml version="1.0"?><html></html>', /^The response is/],
		['with errors', '{"errors":{"number":["is not one"]}}', /^The response .* is not/],
		['with an error', '{"error":"no credit"}', /^The response .* is not/],
		['with error: true', '{"error":true}', /^The response .* is not/],
		['with error: 1', '{"Error":1}', /^The response .* is not/],
		['with a number of errors', '{"errors":2}', /^The response .* is not/],
		['with Success: false', '{"Success":false}', /^The response .* is not/],
		['with success: false', '{"success":false}', /^The response .* is not/],
		['with an ID and success: false', '{"id":2001,"success":false}', /^The response .* is not/],
		['with false', 'false', /^The response .* is not/],
		['with the text of an error', '"ERROR 5"', /^The response .* is not/],
		['with a complaint', 'Invalid number', /^The response .* is not/],
	])(
		'%s, says that it failed, and whether it may have been accepted',
		async (_what, text, title) => {
			const { error, items } = await run(
				{ ...validParameters(pair), ...pair },
				at(await withText(text), credentialFor(pair)),
			);
			expect(items).toEqual([]);
			expect(error?.message).toMatch(title);
			expect(error?.description?.includes('may have been accepted')).toBe(!storing(pair));
			expect(raw?.received).toHaveLength(1);
		},
	);
});

const guid = 'c56a4180-65aa-42ec-a945-5fd21dec0538';
const campaignOfOne = {
	...{ ...createCampaign, contactsSource: 'json', contactsJson: '["+447400123456"]' },
};

describe.each([
	['a message', send, 'newId'],
	['an SMS campaign', campaignOfOne, 'id'],
])('the ID of %s', (_what, parameters, name) => {
	it.each([
		'Error',
		'Insufficient credit',
		'"Not enough credit"',
		'0',
		'"0"',
		'-1',
		'"00000000-0000-0000-0000-000000000000"',
	])('is not %s', async (text) => {
		const { error } = await run(parameters, at(await withText(text)));
		expect(error?.message).toMatch(/^The response .* is not/);
		expect(error?.description).toContain('may have been accepted');
	});

	it('has no line break', async () => {
		const { items } = await run(parameters, at(await withText(`${guid}\r\n`)));
		expect(items[0]?.json[name]).toBe(guid);
	});
});
