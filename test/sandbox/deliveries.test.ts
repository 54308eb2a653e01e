import { contacts, useReceiver, useSandbox } from './setup';

const sandbox = useSandbox();
const receiver = useReceiver();

const sendTo = (count: number) =>
	sandbox().api.post('/api/Campaigns', { message: 'Hello', contacts: contacts(count) });

const quick = { backoffSeconds: [0.01] };

test('without a URL, events are recorded as not delivered', async () => {
	await sendTo(2);
	await sandbox().idle();
	const { total, items } = await sandbox().deliveries();
	expect(total).toBe(2);
	expect(items).toMatchObject([
		{ url: null, attempts: [], status: 'noUrl' },
		{ kind: 'smsStatus', status: 'noUrl' },
	]);
});

test('tries again until the receiver says yes, and keeps every response', async () => {
	await sandbox().settings({ deliveries: quick });
	await sandbox().registerWebhook(receiver().url);
	receiver().answers = [500, 0, 302, 429];
	await sendTo(1);
	await sandbox().idle();
	const { received } = receiver();
	expect(received).toHaveLength(5);
	expect(new Set(received.map(({ body }) => JSON.stringify(body))).size).toBe(1);
	expect(new Set(received.map(({ url }) => url))).toEqual(new Set(['/hook?token=abc']));
	const { items } = await sandbox().deliveries();
	expect(items).toMatchObject([{ url: receiver().url, status: 'acknowledged' }]);
	expect(items[0]?.attempts).toMatchObject([
		{ status: 500, error: 'HTTP 500', body: 'answer 500' },
		{ status: null, error: expect.any(String), body: null },
		{ status: 302, error: 'HTTP 302' },
		{ status: 429, error: 'HTTP 429' },
		{ status: 200, error: null, body: 'answer 200' },
	]);
});

test('events go out in order, or the latest first', async () => {
	await sandbox().registerWebhook(receiver().url);
	/** Whom the first five events are about: five are open simultaneously, in any order. */
	const firstFive = async () => {
		await sandbox().settings({ deliveries: { paused: true } });
		await sendTo(6);
		await expect(sandbox().idle(0.1)).rejects.toThrow('not idle');
		const release = receiver().hold();
		await sandbox().settings({ deliveries: { paused: false } });
		while (receiver().received.length < 5) await sandbox().summary();
		const numbers = receiver().received.map(({ body }) =>
			Number(String(body.data.phoneNumber).slice(5, -2)),
		);
		release();
		await sandbox().idle();
		receiver().received.splice(0);
		return numbers.sort((a, b) => a - b);
	};
	expect(await firstFive()).toEqual([0, 1, 2, 3, 4]);
	await sandbox().settings({ deliveries: { reorder: true } });
	expect(await firstFive()).toEqual([1, 2, 3, 4, 5]);
});

test('events can be delivered more than once', async () => {
	await sandbox().settings({ deliveries: { duplicates: 2 } });
	await sandbox().registerWebhook(receiver().url);
	await sendTo(2);
	await sandbox().idle();
	const bodies = receiver().received.map(({ body }) => JSON.stringify(body));
	expect([bodies.length, new Set(bodies).size]).toEqual([6, 2]);
});
