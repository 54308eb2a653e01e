import { OUTCOMES, SMS_STATUSES, STAGES } from '../unit/support/interfaceTables';
import { pageOf, sectionOf } from './pageSupport';
import { contacts, useReceiver, useSandbox, voiceBody } from './setup';

const sandbox = useSandbox();
const receiver = useReceiver();
const page = pageOf(sandbox);

const send = (phoneNumber = '+447700900123', message = 'Hello') =>
	sandbox().api.post<string>('/api/SMSMessages', { sender: 'Shop', message, phoneNumber });

const lists = ['deliveries', 'campaigns', 'messages', 'calls', 'requests'];

const eventsDelivered = async () =>
	(await sandbox().deliveries({ limit: 1000 })).items.map(({ event }) => event);

test('runs nothing but its own style and script, and is kept nowhere', async () => {
	const { headers } = await sandbox().api.get('/');
	expect(headers).toMatchObject({
		'content-type': 'text/html; charset=utf-8',
		'cache-control': 'no-store',
		'x-content-type-options': 'nosniff',
	});
	const policy = String(headers['content-security-policy']).split('; ');
	expect(policy).toEqual(
		expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'"]),
	);
	expect(policy.filter((rule) => rule.includes('unsafe') || rule.includes('*'))).toEqual([]);
});

test('an empty sandbox says what to do next in every list', async () => {
	const html = await page.html();
	for (const id of lists) {
		const [, after = ''] = html.split(`<section id="${id}"`);
		expect([id, after.split('</section>')[0]]).toEqual([
			id,
			expect.stringContaining('class="empty"'),
		]);
	}
	expect(html).toContain('Nothing has been sent yet');
	expect(html).toMatch(/class="note waiting">\s*No webhook URL is registered/);
	await send();
	expect(await page.html()).not.toContain('Nothing has been sent yet');
});

test('every control has a label, and every element an ID of its own', async () => {
	await sandbox().event({});
	await sandbox().api.post('/api/campaigns/voice', voiceBody());
	const html = await page.html();
	const labelled = [...html.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id);
	const controls = [...html.matchAll(/<(?:input|select)\s+id="([^"]+)"/g)];
	expect(controls.map(([, id]) => id)).toEqual(labelled);
	const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
	expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('is another service at the press of a button, and the usual one again', async () => {
	await send();
	await send();
	const read = async (query: string) =>
		(await sandbox().api.get(`/api/SMSMessages?${query}`)).status;
	const statuses = async () => [await read('pageIndex=1&pageSize=1'), await read('page=0&limit=1')];
	expect(await statuses()).toEqual([200, 400]);
	await page.submit('conventions');
	expect(await page.html()).toContain('Be the usual service again');
	expect(await statuses()).toEqual([400, 200]);
	await page.submit('conventions');
	expect(await statuses()).toEqual([200, 400]);
});

test.each([
	[{ headers: { 'X-Token': 'h1' } }, 'Header X-Token h1'],
	[{ query: { key: 'k1' } }, 'Query parameter key k1'],
])('shows what belongs into the credential: %j', async (authentication, expected) => {
	await sandbox().settings({ authentication });
	const shown = await page.section('connection');
	expect(shown).toContain(`Base URL ${sandbox().url}`);
	expect(shown).toContain(expected);
	expect(shown).toContain('Client 1001 call flows 301, 302; CLIs 401, 402; opt-out links 501, 502');
});

test('a link in a text can be opened, as on a phone, and is nothing but a link', async () => {
	await send(undefined, 'Stop: https://shop.example.com/stop?c="><b>1. Or javascript:alert(1)');
	const [, bubble = ''] = (await page.html()).split('class="bubble">');
	expect(bubble.split('</p>')[0]).toBe(
		'Stop: <a href="https://shop.example.com/stop?c=&quot;&gt;&lt;b&gt;1" target="_blank" rel="noreferrer">https://shop.example.com/stop?c=&quot;&gt;&lt;b&gt;1</a>. Or javascript:alert(1)',
	);
});

describe('the lists', () => {
	test('show campaigns, messages and calls with their results', async () => {
		const campaign = { message: 'Later', startDateTime: '2999-03-01T00:00:00Z' };
		await sandbox().api.post('/api/Campaigns', { ...campaign, contacts: contacts(7) });
		const numbers = ['+447700900703', '+447700900814'];
		await sandbox().api.post(
			'/api/campaigns/voice',
			voiceBody({ phoneNumbers: numbers.map((number) => ({ number, name: 'Ada' })) }),
		);
		expect(await page.section('campaigns')).toMatch(/Reminder 2 Scheduled .+ Later 7 Scheduled/);
		await sandbox().advanceTo('2999-02-01T00:00:00Z');
		await send('+447700900905', 'Your order has been sent');
		await sandbox().idle();
		expect(await page.section('campaigns')).toMatch(/Reminder 2 Finished .+ Later 7 Scheduled/);
		const calls = await page.section('calls');
		expect(calls).toMatch(/\+447700900814 Ada .+ 1 Answered Opt out 9 42 0\.02/);
		expect(calls).toMatch(/\+447700900703 Ada .+ 1 Busy No Action 0 0\.00/);
		expect(await page.section('messages')).toMatch(
			/8, latest first .*\+447700900905 Shop Your order has been sent [\d :-]+, Single message, 0\.04 Undeliverable/,
		);
		expect(await page.section('messages')).toContain('Not yet');
	});

	test('show deliveries with each try and its response, and deliver again', async () => {
		await sandbox().settings({ deliveries: { retries: 1, backoffSeconds: [0] } });
		await sandbox().event({ webHookType: 99, data: { some: 'thing' } });
		await sandbox().registerWebhook(receiver().url);
		receiver().answers = [500, 202, 404, 404];
		await sandbox().event({
			webHookType: 0,
			data: { outCome: 3, stage: 0, phoneNumber: '+44123' },
		});
		const { id, event } = await sandbox().event({ webHookType: 1, data: { statusCode: 34 } });
		const shown = await page.section('deliveries');
		expect(shown).toMatch(/SMS RejectedInvalidRecipient \+447700900123 Failed HTTP 404, try 2,/);
		expect(shown).toMatch(/Call Busy No Action \+44123 Acknowledged HTTP 202, try 2, \d+ ms/);
		expect(shown).toMatch(/HTTP 500 in \d+ ms from .+ Response body answer 500 .+ answer 202/);
		expect(shown).toMatch(/webHookType 99 No URL No URL was registered/);
		expect(await page.submit('redeliver', { id: String(id) })).toContain('is delivered again.');
		await sandbox().idle();
		expect(receiver().received.at(-1)?.body).toEqual(event);
		expect(await page.submit('redeliver', { id: '77' })).toContain('no finished delivery 77');
	});

	test('show requests with both bodies, the fault, and cut connections', async () => {
		await sandbox().fault({ fault: { kind: 'status', status: 503 } });
		await send();
		await send('+447700900124', 'A'.repeat(5000));
		await sandbox().fault({ fault: { kind: 'cut' } });
		await expect(sandbox().api.get('/api/Campaigns')).rejects.toThrow();
		const shown = await page.section('requests');
		expect(shown).toContain('GET /api/Campaigns listSmsCampaigns No response Fault: cut');
		expect(shown).toMatch(/200 Details Request body \(the first 2000 of 50\d\d characters\)/);
		expect(shown).toContain('503 Fault: status');
	});
});

const evil = '"><img src=x onerror=alert(1)><script>alert(1)</script>\'';

test('everything that comes from outside is shown as text', async () => {
	await sandbox().settings({ strict: false, deliveries: { retries: 0 } });
	await send(evil, evil);
	const contact = { phoneNumber: evil, name: evil };
	await sandbox().api.post('/api/Campaigns', { message: evil, sender: evil, contacts: [contact] });
	await sandbox().api.post(
		'/api/campaigns/voice',
		voiceBody({ name: evil, phoneNumbers: [{ number: evil, name: evil }] }),
	);
	await sandbox().api.get('/api/Campaigns', { params: { [evil]: evil } });
	await sandbox().registerWebhook(`http://127.0.0.1:1/${evil}`);
	await sandbox().settings({ authentication: { query: { [evil]: evil } } });
	await sandbox().event({ webHookType: 0, data: { outCome: evil, phoneNumber: evil } });
	await sandbox().event({ webHookType: 1, data: { statusCode: evil } });
	const path = evil.replace(/[()]/g, '');
	await sandbox().fault({ match: { path }, fault: { kind: 'status', retryAfter: evil } });
	await sandbox().advanceTo('2999-02-01T00:00:00Z');
	await sandbox().idle();
	const after = await page.submit('fire-sms', { statusCode: evil, phoneNumber: evil, count: '1' });
	expect(after).not.toContain('<img');
	expect(after.match(/<script/g)).toEqual(['<script']);
	expect(after).not.toMatch(/\son\w+="/);
	for (const id of ['connection', 'events', 'faults', ...lists]) {
		const [, section = ''] = after.split(`<section id="${id}"`);
		expect([id, section.split('</section>')[0]]).toEqual([
			id,
			expect.stringContaining('&lt;script&gt;'),
		]);
	}
});

describe('firing events', () => {
	const optionsOf = (html: string, id: string): string[] => {
		const [, select = ''] = html.split(`<select id="${id}"`);
		const options = (select.split('</select>')[0] ?? '').matchAll(/<option[^>]*>([^<]*)</g);
		return [...options].map(([, text = '']) => text);
	};
	const codes = (entries: readonly (readonly [number, string])[]): string[] =>
		entries.map(([code, name]) => `${String(code)} ${name}`);

	test('offers every code of the interface by its name', async () => {
		const html = await page.html();
		expect(optionsOf(html, 'fire-call-outcome').slice(0, -1)).toEqual(codes(OUTCOMES));
		expect(optionsOf(html, 'fire-call-stage').slice(1, -1)).toEqual(codes(STAGES));
		expect(optionsOf(html, 'fire-sms-statusCode').slice(0, -1).sort()).toEqual(
			codes(SMS_STATUSES).sort(),
		);
	});

	test('a call event with its outcome, stage and phone number', async () => {
		await sandbox().registerWebhook(receiver().url);
		const fields = { outcome: '3', stage: '14', phoneNumber: '+44123', count: '1' };
		const html = await page.submit('fire-call', fields);
		expect(sectionOf(html, 'events')).toContain('1 event fired for client 1001.');
		expect(html).toContain('value="+44123"');
		expect(html).toMatch(/<option value="14" selected/);
		await sandbox().idle();
		expect(receiver().received.map(({ body }) => body)).toMatchObject([
			{ webHookType: 0, data: { outCome: 3, stage: 14, userInput: '9', phoneNumber: '+44123' } },
		]);
	});

	test('every outcome with its usual stage, every stage, every status', async () => {
		const common = { phoneNumber: '+44123', count: '1' };
		await page.submit('fire-call', { ...common, outcome: 'every', stage: 'usual' });
		await page.submit('fire-call', { ...common, outcome: '1', stage: 'every' });
		const html = await page.submit('fire-sms', { ...common, statusCode: 'every' });
		expect(sectionOf(html, 'events')).toContain('no URL is registered');
		const data = (await eventsDelivered()).map((event) => event.data);
		expect(data.slice(0, 13).map(({ outCome }) => outCome)).toEqual(OUTCOMES.map(([code]) => code));
		expect(data.slice(0, 6).map(({ stage }) => stage)).toEqual([10, 0, 0, 11, 12, 0]);
		expect(data.slice(13, 34).map(({ stage }) => stage)).toEqual(STAGES.map(([code]) => code));
		expect(data.slice(34).map(({ statusCode }) => statusCode)).toEqual(
			SMS_STATUSES.map(([code]) => code),
		);
	});
});

describe('the clock', () => {
	const now = async () =>
		Date.parse((await sandbox().control.get<{ now: string }>('/time')).data.now);

	test('is advanced by a time', async () => {
		const before = await now();
		await page.submit('advance', { amount: '3', unit: 'hours' });
		expect((await now()) - before).toBeGreaterThanOrEqual(3 * 3_600_000);
	});

	test('is advanced to what is due next', async () => {
		const campaign = { message: 'Hello', startDateTime: '2998-01-01T00:00:00Z' };
		await sandbox().api.post('/api/Campaigns', { ...campaign, contacts: contacts(1) });
		expect(await page.section('time')).toContain('Next due 2998-01-01 00:00:00');
		await page.submit('next');
		expect(await page.section('campaigns')).toContain('Sent');
		expect(new Date(await now()).getUTCFullYear()).toBe(2998);
		expect(await page.section('time')).toContain('Nothing is due');
		expect(await page.submit('next')).toContain('Nothing is due any more.');
	});
});

describe('fault switches', () => {
	const faults = async () =>
		(await sandbox().control.get<{ items: object[] }>('/faults')).data.items;
	const status = () =>
		sandbox()
			.api.get<unknown>('/api/Campaigns')
			.then(
				(response) => response.status,
				() => 'cut',
			);

	test.each([
		['error', 500],
		['unavailable', 503],
		['limit', 429],
		['cut', 'cut'],
		['accepted', 'cut'],
	])('%s is switched on and off', async (id, expected) => {
		await page.submit('switch', { id, on: 'yes' });
		await page.submit('switch', { id, on: 'yes' });
		expect(await faults()).toHaveLength(1);
		expect(await status()).toBe(expected);
		expect(await page.section('faults')).toContain('On');
		await page.submit('switch', { id, on: 'no' });
		expect(await faults()).toEqual([]);
		expect(await status()).toBe(200);
		expect(await page.section('faults')).not.toMatch(/\bOn\b/);
	});

	test.each([
		['hold', { paused: true }, { paused: false }],
		['twice', { duplicates: 1 }, { duplicates: 0 }],
		['reorder', { reorder: true }, { reorder: false }],
	])('%s is a setting of the deliveries', async (id, on, off) => {
		const deliveries = async () =>
			(await sandbox().control.get<{ deliveries: object }>('/settings')).data.deliveries;
		await page.submit('switch', { id, on: 'yes' });
		expect(await deliveries()).toMatchObject(on);
		expect(await page.section('faults')).toContain('On');
		await page.submit('switch', { id, on: 'no' });
		expect(await deliveries()).toMatchObject(off);
	});

	test('faults that the control API has added are shown and can be removed', async () => {
		const match = { operationId: 'listSmsCampaigns' };
		await sandbox().fault({ match, times: 2, fault: { kind: 'status', status: 418 } });
		expect(await page.section('faults')).toContain('listSmsCampaigns');
		expect(await page.section('faults')).toContain('2 more requests, hit 0 times');
		await page.submit('clear-faults');
		expect(await faults()).toEqual([]);
	});
});
