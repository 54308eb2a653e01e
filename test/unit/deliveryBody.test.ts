import type { IWebhookFunctions } from 'n8n-workflow';
import { readBody } from '../../nodes/MessagingService/trigger/deliveryBody';

/** A delivery as n8n's webhook context shows it. */
const contextWith = (request: object) =>
	({ getRequestObject: () => request }) as unknown as IWebhookFunctions;

const JSON_TEXT = '{ "webHookType": 1 }';

test('JSON that n8n has parsed is taken as it is', async () => {
	const context = contextWith({
		body: { webHookType: 1 },
		rawBody: Buffer.from(JSON_TEXT),
		readRawBody: async () => {
			throw new Error('It is read already');
		},
	});
	expect(await readBody(context)).toEqual({ webHookType: 1 });
});

test.each([[JSON_TEXT], [undefined]])('JSON that n8n takes for text is read: %j', async (body) => {
	const context = contextWith({ body, rawBody: Buffer.from(JSON_TEXT) });
	expect(await readBody(context)).toEqual({ webHookType: 1 });
});

test('bytes that n8n has not read yet are read', async () => {
	const request: { rawBody?: Buffer; readRawBody: () => Promise<void> } = {
		readRawBody: async () => {
			request.rawBody = Buffer.from(JSON_TEXT);
		},
	};
	const context = { getRequestObject: () => request } as unknown as IWebhookFunctions;
	expect(await readBody(context)).toEqual({ webHookType: 1 });
});

test.each(['Hi', undefined])('what is no JSON has no content: %j', async (body) => {
	const rawBody = body === undefined ? undefined : Buffer.from(body);
	expect(await readBody(contextWith({ body, rawBody }))).toBeUndefined();
});

const LONG = '12345678901234567890';
const deep = (levels: number, inner = '1') => `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`;

test.each([
	['without bytes', { a: 1 }, undefined],
	['with other bytes', { a: 1 }, '{"a":2}'],
	['rounded, without bytes', { a: Number(LONG) }, undefined],
	['nested too deeply', JSON.parse(deep(150)) as object, '{"a":2}'],
	['nested too deeply and rounded', JSON.parse(deep(150, LONG)) as object, '{"a":2}'],
])('what n8n has parsed stays: %s', async (_, body, bytes) => {
	const rawBody = bytes === undefined ? undefined : Buffer.from(bytes);
	const readRawBody = async () => await Promise.reject(new Error('The stream is not readable'));
	expect(await readBody(contextWith({ body, rawBody, readRawBody }))).toBe(body);
});

test('integers that n8n has rounded are read again', async () => {
	const context = contextWith({
		body: { id: Number(LONG) },
		rawBody: Buffer.from(`{"id":${LONG}}`),
	});
	expect(await readBody(context)).toEqual({ id: LONG });
});

test.each([null, 'text', 5])(
	'a body that is no object is read from its bytes: %j',
	async (body) => {
		const readRawBody = async () => await Promise.reject(new Error('The stream is not readable'));
		const context = contextWith({ body, rawBody: Buffer.from('[1]'), readRawBody });
		expect(await readBody(context)).toEqual([1]);
	},
);

test('a request without a body has none', async () => {
	expect(await readBody(contextWith({}))).toBeUndefined();
});
