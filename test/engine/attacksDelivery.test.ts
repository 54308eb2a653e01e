import crypto, { createHmac, randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { receive, type Delivery, type TriggerSetup } from '../support/trigger';

const SECRET = 'correct horse battery staple';
const tokenOf = (secret: string) =>
	createHmac('sha256', secret).update('messaging-service-webhook').digest('hex');
const TOKEN = tokenOf(SECRET);

const sms = { webHookType: 1, data: { Id: 7, phoneNumber: '+447700900123', statusCode: 1 } };

function setup(parameters: IDataObject = {}, webhookSecret = SECRET): TriggerSetup {
	const base = { events: ['callAttempted', 'smsStatus'], filters: {}, options: { path: 'x' } };
	return {
		parameters: { ...base, ...parameters },
		credential: { baseUrl: 'https://service.example.com', clientId: '1001', webhookSecret },
		workflowId: randomUUID(),
	};
}

const deliver = async (delivery: Delivery, parameters?: IDataObject) =>
	await receive(setup(parameters), { query: { token: TOKEN }, ...delivery });

/** The items of a delivery that must have been taken. */
async function itemsOf(delivery: Delivery, parameters?: IDataObject) {
	const { outputs } = await deliver(delivery, parameters);
	return (outputs ?? []).flat().map(({ json }) => json);
}

describe('a forged event', () => {
	it.each<[string, Delivery]>([
		['with the token in the body', { query: {}, body: { ...sms, token: TOKEN } }],
		['with the token in its data', { query: {}, body: { ...sms, data: { token: TOKEN } } }],
		['with the token of another secret', { query: { token: tokenOf(`${SECRET}2`) } }],
		['with the token of an empty secret', { query: { token: tokenOf('') } }],
		['with the token under another name', { query: { Token: TOKEN, token_: TOKEN } }],
		['with the token in capital letters', { query: { token: TOKEN.toUpperCase() } }],
		['with the token and a space', { query: { token: `${TOKEN} ` } }],
		['with the token and a null byte', { query: { token: `${TOKEN}\0` } }],
		['with the token as a list', { query: { token: [TOKEN] } }],
		['with the token as an object', { query: { token: { [TOKEN]: TOKEN } } }],
		['with a prototype for a query', { query: { __proto__: { token: 'x' } } }],
		['with the hash of the token', { query: { token: crypto.hash('sha256', TOKEN) } }],
		['with a token of a megabyte', { query: { token: TOKEN.repeat(16_384) } }],
	])('%s is refused', async (_what, delivery) => {
		const { status, outputs } = await receive(setup(), { body: sms, ...delivery });
		expect(status).toBe(401);
		expect(outputs).toBeUndefined();
	});

	it('is refused wherever its token differs, and however long it is', async () => {
		const near = [...TOKEN].map((digit, index) =>
			[TOKEN.slice(0, index), digit === '0' ? '1' : '0', TOKEN.slice(index + 1)].join(''),
		);
		for (const token of [...near, '', TOKEN.slice(0, 8), TOKEN + TOKEN, undefined]) {
			const { status } = await receive(setup(), { body: sms, query: { token } });
			expect(status).toBe(401);
		}
	});
});

describe('a hostile body', () => {
	const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
	const deepObject = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

	it.each([
		['as a whole', deep(100_000)],
		['as a whole, of objects', deepObject(100_000)],
		['as data', `{"webHookType":1,"data":${deepObject(100_000)}}`],
		['as a field', `{"webHookType":1,"data":{"statusCode":${deep(100_000)}}}`],
		['as a field of another kind', `{"webHookType":9,"data":{"x":${deepObject(100_000)}}}`],
		['as webHookType', `{"webHookType":${deep(100_000)},"data":{}}`],
		['beside the event', `{"webHookType":1,"data":{},"x":${deep(100_000)}}`],
	])('nested 100,000 levels deep %s is refused', async (_what, raw) => {
		for (const simplify of [true, false]) {
			const parsed: unknown = JSON.parse(raw);
			for (const delivery of [
				{ raw, body: parsed },
				{ raw, body: raw, contentType: 'text/plain' },
			]) {
				const { status, outputs } = await deliver(delivery, { simplify });
				expect(status).toBe(400);
				expect(outputs).toBeUndefined();
			}
		}
	});

	it('with a list of a million entries, and one with as many fields, are events', async () => {
		const list = {
			...sms,
			data: { ...sms.data, extra: Array.from({ length: 1_000_000 }, () => 1) },
		};
		expect(await itemsOf({ body: list })).toHaveLength(1);
		const fields = Array.from({ length: 200_000 }, (_, index) => [`f${String(index)}`, index]);
		const many = { ...sms, data: { ...sms.data, ...Object.fromEntries(fields) } };
		const [item] = await itemsOf({ body: many });
		expect(item).toMatchObject({ event: 'smsStatus', delivered: true, f199999: 199_999 });
	});

	it.each([true, false])(
		'with prototype keys pollutes nothing (simplified: %p)',
		async (simplify) => {
			const raw =
				'{"webHookType":1,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"data":{"__proto__":{"polluted":1,"statusCode":1},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1},"hasOwnProperty":1,"toString":"x","phoneNumber":"+447700900123","kept":"yes"}}';
			const [item = {}] = await itemsOf({ raw, body: JSON.parse(raw) }, { simplify });
			const record = (simplify ? item : item.data) as IDataObject;
			expect(record).toMatchObject({ phoneNumber: '+447700900123', kept: 'yes' });
			expect(record.polluted).toBeUndefined();
			if (simplify) expect(record.statusCode).toBeNull();
			expect(({} as IDataObject).polluted).toBeUndefined();
		},
	);

	it.each(['constructor', '__proto__', 'toString'])(
		'with the code %j has no such code',
		async (code) => {
			const data = { ...sms.data, statusCode: code, outCome: code, stage: code };
			for (const webHookType of [0, 1]) {
				const [item] = await itemsOf({ body: { webHookType, data } });
				expect(item).toMatchObject({ statusCode: null, status: code, outcome: code, stage: code });
			}
		},
	);

	it('with integers beyond 2^53 keeps their digits, and tells two such events apart', async () => {
		const bodyWith = (id: string) => `{"webHookType":1,"data":{"Id":${id},"statusCode":1}}`;
		const ids = ['12345678901234567890', '12345678901234567891'];
		const items = await Promise.all(
			ids.map(async (id) => {
				const raw = bodyWith(id);
				return (await itemsOf({ raw, body: JSON.parse(raw) }))[0];
			}),
		);
		expect(items.map((item) => item?.messageId)).toEqual(ids);
		expect(items[0]?.eventId).not.toBe(items[1]?.eventId);
	});

	it('that n8n has read as a form is refused, not asked for again', async () => {
		const form = { data: { webHookType: '1' }, files: {} };
		const contentType = 'multipart/form-data; boundary=x';
		const { status } = await receive(setup(), {
			body: form,
			isWithoutRawBody: true,
			contentType,
			query: { token: TOKEN },
		});
		expect(status).toBe(400);
	});
});
