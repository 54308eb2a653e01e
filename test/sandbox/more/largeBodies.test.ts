import axios from 'axios';
import { contacts, useSandbox } from '../setup';

const sandbox = useSandbox({ validateResponses: false });

const million = (last: object): string => {
	const one = (index: number) =>
		`{"phoneNumber":"+4477${String(index).padStart(8, '0')}","name":"Person ${String(index)}"}`;
	const contacts = Array.from({ length: 999_999 }, (_, index) => one(index));
	return `{"message":"Hello","contacts":[${contacts.join(',')},${JSON.stringify(last)}]}`;
};

/**
 * How many small requests get their response while something else is in progress. Counted, not timed:
 * the machine may be busy. Work in one piece would let two or three through.
 */
const responsesDuring = async (work: Promise<unknown>): Promise<number> => {
	let isDone = false;
	let count = 0;
	const done = work.finally(() => (isDone = true));
	while (!isDone) {
		await axios.get(`${sandbox().url}/_sandbox/health`, { proxy: false });
		count += 1;
	}
	await done;
	return count;
};

test('a million contacts are read and validated without holding up other requests', async () => {
	const body = Buffer.from(million({ phoneNumber: 7, color: 'red' }));
	const headers = { 'Content-Type': 'application/json' };
	const sending = sandbox().api.post<unknown>('/api/Campaigns', body, { headers });
	expect(await responsesDuring(sending)).toBeGreaterThan(20);
	const { status, data } = await sending;
	expect([status, data]).toEqual([
		400,
		{
			errors: {
				'contacts[999999].phoneNumber': ['The value must be string.'],
				'contacts[999999].color': ['The name is not known (strict mode).'],
			},
		},
	]);
});

test('a large body that is not JSON is refused', async () => {
	const body = Buffer.from(million({}).slice(0, -1));
	const headers = { 'Content-Type': 'application/json' };
	const { status, data } = await sandbox().api.post<unknown>('/api/Campaigns', body, { headers });
	expect([status, data]).toEqual([
		400,
		{ errors: { body: [expect.stringContaining('The body is not valid JSON.')] } },
	]);
});

test('a campaign of 300,000 contacts does not hold up other requests while it is created and sent', async () => {
	const contactCount = 300_000;
	const body = { message: 'Hello', contacts: contacts(contactCount) };
	const creating = sandbox().api.post<string>('/api/Campaigns', body);
	expect(await responsesDuring(creating)).toBeGreaterThan(20);
	const { status, data: id } = await creating;
	expect(status).toBe(200);
	expect(await responsesDuring(sandbox().idle(240))).toBeGreaterThan(20);
	for (const place of ['/api/SMSMessages', `/api/Campaigns/${id}/Contacts`]) {
		for (const pageIndex of [1, contactCount / 20]) {
			const { data } = await sandbox().api.get<{ totalRecords: number; items: unknown[] }>(place, {
				params: { pageIndex },
			});
			expect([data.totalRecords, data.items.length]).toEqual([contactCount, 20]);
		}
	}
}, 300_000);
