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
