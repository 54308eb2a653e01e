import type { IDataObject } from 'n8n-workflow';
import { actionSuite, sendMessage } from '../support/actionSuite';
import { serversOfTest } from '../support/servers';

const { credential, run, sandbox } = actionSuite({ concurrentRequests: 1 });
const startServer = serversOfTest();

const rows = Array.from({ length: 100 }, (_, index) => ({
	phone: `+4477009${String(index).padStart(5, '0')}`,
}));
const send = { ...sendMessage, phoneNumber: '={{ $json.phone }}', message: 'Hello' };
const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** The numbers that messages were accepted for, in ascending order. */
async function acceptedNumbers(): Promise<unknown[]> {
	const { data } = await sandbox().api.get<{ items: IDataObject[] }>('/api/SMSMessages', {
		params: { pageSize: 1000 },
	});
	return data.items.map(({ phoneNumber }) => phoneNumber).sort();
}

describe('Retry On Fail', () => {
	it('outputs the recorded results of what is not sent again', async () => {
		await sandbox().fault({ skip: 70, fault: { kind: 'status', status: 400 } });
		const { items } = await run(send, { items: rows, settings: retryOnFail });
		const { items: requests } = await sandbox().requests({ limit: 1000 });
		const idOf = new Map(
			requests
				.filter(({ status }) => status === 200)
				.map(({ body, response }) => [(body as IDataObject).phoneNumber, response]),
		);
		expect(requests).toHaveLength(101);
		expect(items.map(({ json }) => json.newId)).toEqual(rows.map(({ phone }) => idOf.get(phone)));
	});

	it('never sends an item again, even where its text changes with every try', async () => {
		// Math.random stands for anything that changes between two tries, such as the time.
		await sandbox().fault({ skip: 1, fault: { kind: 'status', status: 400 } });
		const { error } = await run(
			{ ...send, message: '={{ Math.random() }}' },
			{ items: rows.slice(0, 2), settings: retryOnFail },
		);
		expect(error).toBeUndefined();
		expect(await acceptedNumbers()).toHaveLength(2);
	});

	it.each([
		['2', { maxTries: 2 }, 2],
		['1, of which n8n makes 2', { maxTries: 1 }, 2],
		['n8n chooses', {}, 3],
		['9, of which n8n makes 5', { maxTries: 9 }, 5],
	])('sends once what is sent beside an error item, in all tries: %s', async (_, more, tries) => {
		const [refused = '', ...others] = rows.slice(0, 3).map(({ phone }) => phone);
		const asked: string[] = [];
		const { url } = await startServer(({ body }, response) => {
			const { phoneNumber } = JSON.parse(body) as { phoneNumber: string };
			asked.push(phoneNumber);
			response.writeHead(phoneNumber === refused ? 400 : 200, {
				'content-type': 'application/json',
			});
			response.end('"6e1f1a2b-8c3d-4e5f-9a6b-7c8d9e0f1a2b"');
		});
		const { items } = await run(send, {
			...{ items: rows.slice(0, 3), onError: 'continueRegularOutput' },
			settings: { retryOnFail: true, waitBetweenTries: 1, ...more },
			credential: credential({ baseUrl: url }),
		});
		expect(items.map(({ json }) => json.sent)).toEqual(['no', 'yes', 'yes']);
		expect(asked).toEqual([refused, ...others, ...Array<string>(tries - 1).fill(refused)]);
	});

	it('tells what went wrong in its last try, not what did in an earlier one', async () => {
		await sandbox().fault({ fault: { kind: 'status', status: 500 } });
		const fault = { kind: 'status', status: 400, body: { message: 'No credit' } };
		await sandbox().fault({ times: 'always', fault });
		const { error } = await run(send, { items: rows.slice(0, 2), settings: retryOnFail });
		expect(error?.message).toBe('No credit');
		expect(error?.description).toContain('Possibly sent: item 0');
	});

	describe('evaluates nothing again', () => {
		const HOUR = 3_600_000;
		const { now } = Date;
		afterEach(() => jest.restoreAllMocks());

		/** An hour passes while this service responds. */
		const slowService = async (status: number) => {
			const { url } = await startServer((_request, response) => {
				jest.spyOn(Date, 'now').mockImplementation(() => now() + HOUR);
				response.writeHead(status, { 'content-type': 'application/json' });
				response.end('{}');
			});
			return { credential: credential({ baseUrl: url }) };
		};
		const isEarly = () => `Date.now() < ${now() + HOUR / 2}`;

		it('after sending', async () => {
			const url = `={{ ${isEarly()} ? 'https://hooks.example.com' : {} }}`;
			const { items, error } = await run(
				{ resource: 'webhook', operation: 'set', webHookUrl: url },
				{ items: rows.slice(0, 1), settings: retryOnFail, ...(await slowService(200)) },
			);
			expect(error).toBeUndefined();
			expect(items[0]?.json).toEqual({ url: 'https://hooks.example.com', success: true });
		});

		it('for the error items of failed rows', async () => {
			const phoneNumber = `={{ ${isEarly()} ? $json.phone : 'none' }}`;
			const { items } = await run(
				{ ...send, phoneNumber },
				{
					...{ items: rows.slice(0, 1), onError: 'continueRegularOutput' },
					...(await slowService(400)),
				},
			);
			expect(items[0]?.json.phoneNumber).toBe(rows[0]?.phone);
		});
	});

	it('keeps no text and no phone number in the data of a failed execution', async () => {
		await sandbox().fault({ skip: 2, times: 'always', fault: { kind: 'status', status: 400 } });
		const { run: data, error } = await run(
			{ ...send },
			{ items: rows.slice(0, 4), settings: retryOnFail },
		);
		expect(error?.description).toContain('Sent: items 0 to 1');
		const context = JSON.stringify(data.data.executionData?.contextData);
		expect(context).toContain('Messaging Service');
		expect(context).not.toContain('Hello');
		expect(context).not.toContain('+4477');
	});

	it('keeps of a response only what identifies it', async () => {
		const body = { storageID: 'customer-1', number: '+447700900001' };
		await sandbox().fault({ fault: { kind: 'status', status: 200, body } });
		await sandbox().fault({ times: 'always', fault: { kind: 'status', status: 400 } });
		const store = { resource: 'phoneNumberStorage', operation: 'create', parameters: {} };
		const { run: data } = await run(
			{ ...store, storageID: '={{ $json.phone }}', number: '={{ $json.phone }}' },
			{ items: rows.slice(1, 3), settings: retryOnFail },
		);
		const context = JSON.stringify(data.data.executionData?.contextData);
		expect(context).toContain('customer-1');
		expect(context).not.toContain('+4477');
	});
});

describe('cancelling', () => {
	it('a run of 10,000 stops it and says what was sent', async () => {
		await sandbox().fault({ times: 'always', fault: { kind: 'delay', delayMs: 5 } });
		const many = Array.from({ length: 10_000 }, (_, index) => ({ phone: `+4477${index + 1e7}` }));
		const cancel = (async () => {
			while ((await sandbox().summary()).smsMessages < 30);
		})();
		const { run: data, error } = await run(send, { items: many, cancel });
		const { smsMessages } = await sandbox().summary();
		expect(smsMessages).toBeGreaterThanOrEqual(30);
		expect(smsMessages).toBeLessThan(10_000);
		expect(data.status).toBe('canceled');
		const [, sent = ''] =
			/^Sent: items [^(]+ \((\d+) in total\)/.exec(error?.description ?? '') ?? [];
		expect(error?.message).toBe('The execution was canceled');
		// Those in progress when it was cancelled, ten at most, are named as possibly sent: the service
		// may have counted them already.
		expect(Number(sent)).toBeGreaterThanOrEqual(20);
		expect(smsMessages - Number(sent)).toBeLessThanOrEqual(10);
		expect(error?.description).toMatch(/^Sent: items 0 to \d+/);
		expect(error?.description).toMatch(/Possibly sent: items? \d+/);
	});

	it('ends the wait for a Retry-After', async () => {
		await sandbox().fault({
			times: 'always',
			fault: { kind: 'status', status: 429, retryAfter: 50 },
		});
		const cancel = (async () => {
			while ((await sandbox().summary()).requests < 1);
		})();
		const { run: data } = await run(send, { items: [rows[0] as IDataObject], cancel });
		expect(data.status).toBe('canceled');
		expect((await sandbox().summary()).smsMessages).toBe(0);
	});
});
