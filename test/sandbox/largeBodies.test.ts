import axios from 'axios';
import { useSandbox } from './setup';

// The times include what else the machine does.
jest.retryTimes(3);

const sandbox = useSandbox();

const million = (last: object): string => {
	const one = (index: number) =>
		`{"phoneNumber":"+4477${String(index).padStart(8, '0')}","name":"Person ${String(index)}"}`;
	const contacts = Array.from({ length: 999_999 }, (_, index) => one(index));
	return `{"message":"Hello","contacts":[${contacts.join(',')},${JSON.stringify(last)}]}`;
};

/** The longest that a small request waits while something else is going on. */
const longestWait = async (work: Promise<unknown>): Promise<number> => {
	let isDone = false;
	let longest = 0;
	const done = work.finally(() => (isDone = true));
	while (!isDone) {
		const start = performance.now();
		await axios.get(`${sandbox().url}/_sandbox/health`, { proxy: false });
		longest = Math.max(longest, performance.now() - start);
	}
	await done;
	return longest;
};

test('a million contacts are read and validated without holding up other requests', async () => {
	const body = Buffer.from(million({ phoneNumber: 7, color: 'red' }));
	const headers = { 'Content-Type': 'application/json' };
	const sending = sandbox().api.post<unknown>('/api/Campaigns', body, { headers });
	expect(await longestWait(sending)).toBeLessThan(200);
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
