import type { IWebhookFunctions } from 'n8n-workflow';
import { readBody } from '../../nodes/MessagingService/trigger/deliveryBody';

/** A delivery as n8n's webhook context shows it. */
const contextWith = (request: object) =>
	({ getRequestObject: () => ({ headers: {}, ...request }) }) as unknown as IWebhookFunctions;

const JSON_TEXT = '{ "webHookType": 1 }';

test('JSON that n8n has parsed is taken as it is, with the bytes that arrived', async () => {
	const context = contextWith({
		body: { webHookType: 1 },
		rawBody: Buffer.from(JSON_TEXT),
		headers: { 'content-type': 'application/json; charset=utf-8' },
		readRawBody: async () => {
			throw new Error('It is read already');
		},
	});
	const { parsed, raw, contentType } = await readBody(context);
	expect(parsed).toEqual({ webHookType: 1 });
	expect(raw.toString()).toBe(JSON_TEXT);
	expect(contentType).toBe('application/json; charset=utf-8');
});

test.each([[JSON_TEXT], [undefined]])('JSON that n8n takes for text is read: %j', async (body) => {
	const { parsed } = await readBody(contextWith({ body, rawBody: Buffer.from(JSON_TEXT) }));
	expect(parsed).toEqual({ webHookType: 1 });
});

test('bytes that n8n has not read yet are read', async () => {
	const request: { rawBody?: Buffer; readRawBody: () => Promise<void>; headers: object } = {
		headers: {},
		readRawBody: async () => {
			request.rawBody = Buffer.from(JSON_TEXT);
		},
	};
	const context = { getRequestObject: () => request } as unknown as IWebhookFunctions;
	const { parsed, raw } = await readBody(context);
	expect(parsed).toEqual({ webHookType: 1 });
	expect(raw.toString()).toBe(JSON_TEXT);
});

test('what is no JSON has no content', async () => {
	const { parsed, raw } = await readBody(contextWith({ body: 'Hi', rawBody: Buffer.from('Hi') }));
	expect(parsed).toBeUndefined();
	expect(raw.toString()).toBe('Hi');
});

test.each([undefined, ['text/plain', 'text/html']])(
	'a delivery without bytes and with the content type %j is passed on as JSON',
	async (contentType) => {
		const headers = { 'content-type': contentType };
		const given = await readBody(contextWith({ body: { webHookType: 1 }, headers }));
		expect(given.raw.toString()).toBe('{"webHookType":1}');
		expect(given.contentType).toBe('application/json');
		expect((await readBody(contextWith({ headers }))).raw.toString()).toBe('');
	},
);
