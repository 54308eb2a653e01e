import { OUTCOMES, SMS_STATUSES, STAGES } from '../unit/support/interfaceTables';
import { pageOf, sectionOf } from './pageSupport';
import { useReceiver, useSandbox, voiceBody } from './setup';

const sandbox = useSandbox();
const receiver = useReceiver();
const page = pageOf(sandbox);

const optionsOf = (html: string, id: string): [string, string][] => {
	const [, select = ''] = html.split(`<select id="${id}"`);
	return [
		...(select.split('</select>')[0] ?? '').matchAll(/<option value="([^"]*)"[^>]*>([^<]*)</g),
	].map(([, value = '', text = '']) => [value, text]);
};

const codes = (entries: readonly (readonly [number, string])[]): [string, string][] =>
	entries.map(([code, name]) => [String(code), `${String(code)} ${name}`]);

const eventsDelivered = async () =>
	(await sandbox().deliveries({ limit: 1000 })).items.map(({ event }) => event);

test('every form of the page is answered by an action of these tests', async () => {
	await sandbox().event({});
	await sandbox().api.post('/api/campaigns/voice', voiceBody());
	await sandbox().fault({ fault: { kind: 'cut' } });
	const html = await page.html();
	const forms = [...html.matchAll(/<form method="post" action="\/_sandbox\/page\/([^"]+)"/g)];
	expect([...new Set(forms.map(([, action]) => action))].sort()).toEqual([
		'add-fault',
		'advance',
		'clear-faults',
		'create-sms-campaign',
		'create-voice-campaign',
		'fire-call',
		'fire-other',
		'fire-sms',
		'next',
		'redeliver',
		'register',
		'remove-fault',
		'replay',
		'reset',
		'send-message',
		'switch',
	]);
	const labelled = [...html.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id);
	const controls = [...html.matchAll(/<(?:input|select|textarea)\s+id="([^"]+)"/g)];
	expect(controls.map(([, id]) => id)).toEqual(labelled);
	const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
	expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

describe('firing events', () => {
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
		const html = await page.submit('fire-call', {
			outcome: '3',
			stage: '14',
			phoneNumber: '+44123',
			count: '1',
		});
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

	test('many simultaneously, no two of them the same event', async () => {
		const fields = { phoneNumber: '+44123', count: '40', clientId: '1002' };
		await page.submit('fire-call', { ...fields, outcome: '6', stage: 'usual' });
		await page.submit('fire-sms', { ...fields, statusCode: '1' });
		const events = await eventsDelivered();
		expect(events).toHaveLength(80);
		expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(80);
		expect(events.every(({ data }) => data.clientId === 1002)).toBe(true);
	});

	test('any other event', async () => {
		await page.submit('fire-other', { webHookType: '99', data: '{"some": ["thing"]}' });
		expect(await eventsDelivered()).toEqual([{ webHookType: 99, data: { some: ['thing'] } }]);
	});

	test.each([
		['fire-call', { outcome: '14', stage: 'usual', count: '1' }, "no outcome code '14'"],
		['fire-call', { outcome: '1', stage: '21', count: '1' }, "no stage code '21'"],
		['fire-call', { outcome: '1', stage: 'usual', count: '1001' }, 'from 1 to 1000'],
		['fire-sms', { statusCode: '11', count: '1' }, "no statusCode code '11'"],
		['fire-sms', { statusCode: '1', count: 'many' }, "not 'many'"],
		['fire-sms', { statusCode: '1', count: '1', clientId: '7' }, 'Client 7 is not known'],
		['fire-other', { webHookType: '2', data: '{' }, 'not valid JSON'],
		['fire-other', { webHookType: '2', data: '[]' }, 'must be a JSON object'],
		['fire-other', { webHookType: 'x', data: '{}' }, 'webHookType must be a whole number'],
	])('%s with %j is refused', async (action, fields, message) => {
		const html = await page.submit(action, fields);
		expect(html).toContain('role="alert"');
		expect(sectionOf(html, 'events')).toContain(message);
		expect(await eventsDelivered()).toEqual([]);
	});
});

describe('time', () => {
	const now = async () =>
		Date.parse((await sandbox().control.get<{ now: string }>('/health')).data.now);

	test.each([
		['second', 1],
		['minute', 60],
		['hour', 3600],
		['day', 86_400],
	])('is advanced by a number of %ss', async (unit, seconds) => {
		const before = await now();
		const html = await page.submit('advance', { amount: '3', unit });
		const pushed = (await now()) - before - 3000 * seconds;
		expect(pushed).toBeGreaterThanOrEqual(0);
		expect(pushed).toBeLessThan(30_000);
		expect(sectionOf(html, 'time')).toContain(`Advanced by 3 ${unit}s`);
	});

	test('is advanced to what is due next', async () => {
		await sandbox().settings({ conventions: { timeZone: 'UTC' } });
		await sandbox().api.post('/api/Campaigns', {
			message: 'Hello',
			startDateTime: '2998-01-01T00:00:00Z',
			contacts: [{ phoneNumber: '+447700900123' }],
		});
		expect(await page.section('time')).toContain('Next due 2998-01-01 00:00:00');
		await page.submit('next');
		expect(await page.section('sms-campaigns')).toContain('Sent');
		expect(new Date(await now()).getUTCFullYear()).toBe(2998);
		expect(await page.section('time')).toContain('Nothing is due');
		expect(await page.submit('next')).toContain('Nothing is due any more.');
	});

	test.each([
		[{ amount: '-1', unit: 'hour' }, 'from 1 to'],
		[{ amount: '1', unit: 'toString' }, "no unit of time 'toString'"],
		[{ amount: '', unit: 'hour' }, 'from 1 to'],
	])('%j is refused', async (fields, message) => {
		expect(sectionOf(await page.submit('advance', fields), 'time')).toContain(message);
	});

	test('never leaves the calendar, whoever advances it', async () => {
		for (let year = 0; year < 10_000; year += 2700) {
			await page.submit('advance', { amount: '1000000', unit: 'day' });
		}
		expect(await page.submit('advance', { amount: '1000000', unit: 'day' })).toContain(
			'The time ends with the year 9999.',
		);
		await expect(sandbox().advance(1e12)).rejects.toThrow('400');
	});
});

describe('faults', () => {
	const status = async () =>
		await sandbox()
			.api.get<unknown>('/api/Campaigns')
			.then(
				(answer) => answer.status,
				() => 'cut',
			);
	const faults = async () =>
		(await sandbox().control.get<{ items: Record<string, unknown>[] }>('/faults')).data.items;

	test.each([
		['error', 500],
		['unavailable', 503],
		['limit', 429],
		['cut', 'cut'],
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
		['slow', { kind: 'delay', delayMs: 3000 }],
		['broken', { kind: 'brokenJson' }],
		['login', { kind: 'html' }],
	])('%s is a fault that stays', async (id, fault) => {
		await page.submit('switch', { id, on: 'yes' });
		expect(await faults()).toMatchObject([{ times: 'always', left: 'always', fault }]);
	});

	test.each([
		['hold', { paused: true }, { paused: false }],
		['twice', { duplicates: 1 }, { duplicates: 0 }],
		['reorder', { reorder: 10 }, { reorder: 0 }],
	])('%s is a setting of the deliveries', async (id, on, off) => {
		const deliveries = async () =>
			(await sandbox().control.get<{ deliveries: object }>('/settings')).data.deliveries;
		await page.submit('switch', { id, on: 'yes' });
		expect(await deliveries()).toMatchObject(on);
		await page.submit('switch', { id, on: 'no' });
		expect(await deliveries()).toMatchObject(off);
	});

	test('events that were held back go out when they are not any more', async () => {
		await sandbox().registerWebhook(receiver().url);
		await page.submit('switch', { id: 'hold', on: 'yes' });
		await page.submit('fire-sms', { statusCode: '1', count: '3' });
		expect(await page.counts()).toContain('3 pending');
		await page.submit('switch', { id: 'hold', on: 'no' });
		await sandbox().idle();
		expect(receiver().received).toHaveLength(3);
	});

	test('any fault is set, shown, and removed', async () => {
		const html = await page.submit('add-fault', {
			kind: 'status',
			operationId: 'listSmsCampaigns',
			times: '2',
			status: '418',
			retryAfter: '7',
			delayMs: '',
		});
		expect(sectionOf(html, 'faults')).toContain(
			'Error response (418), Retry-After 7, for listSmsCampaigns 2 more requests, hit 0 times',
		);
		expect(await status()).toBe(418);
		expect(await page.section('faults')).toContain('1 more request, hit 1 time');
		const [fault] = await faults();
		await page.submit('remove-fault', { id: String(fault?.id) });
		expect(await faults()).toEqual([]);
		await page.submit('add-fault', { kind: 'hang', times: '', status: '', delayMs: '1' });
		expect(await faults()).toMatchObject([{ left: 'always', fault: { kind: 'hang', delayMs: 1 } }]);
		await page.submit('clear-faults');
		expect(await faults()).toEqual([]);
	});

	test.each([
		['add-fault', { kind: 'magic' }, 'fault.kind must be one of'],
		['add-fault', { kind: 'status', status: '99' }, 'The status must be'],
		['add-fault', { kind: 'status', times: '0' }, 'Times must be'],
		['switch', { id: 'constructor', on: 'yes' }, "no switch 'constructor'"],
	])('%s with %j is refused', async (action, fields, message) => {
		expect(sectionOf(await page.submit(action, fields), 'faults')).toContain(message);
		expect(await faults()).toEqual([]);
	});
});

test('an event is sent again, and the same list comes back', async () => {
	await sandbox().registerWebhook(receiver().url);
	const { id } = await sandbox().event({});
	const answer = await page.post('redeliver', {
		id: String(id),
		back: '/?list=deliveries&status=acknowledged&before=7&more=no',
	});
	expect(answer.headers.location).toMatch(
		/^\/\?list=deliveries&status=acknowledged&before=7&note=[0-9a-f-]+#deliveries$/,
	);
	await sandbox().idle();
	expect(receiver().received).toHaveLength(2);
	const html = await page.submit('redeliver', { id: '12345', back: 'https://example.com/?x' });
	expect(sectionOf(html, 'deliveries')).toContain('There is no finished delivery 12345');
});

test('everything is removed', async () => {
	await sandbox().registerWebhook(receiver().url);
	await sandbox().event({});
	await page.submit('switch', { id: 'error', on: 'yes' });
	const html = await page.submit('reset');
	expect(sectionOf(html, 'reset')).toContain('Everything was removed.');
	expect(await sandbox().summary()).toMatchObject({
		deliveries: { total: 0 },
		requests: 0,
		webhook: { url: null },
	});
	expect((await sandbox().control.get<unknown>('/faults')).data).toEqual({ items: [] });
});

test('an action takes forms and nothing else', async () => {
	const { status, data } = await sandbox().api.post<unknown>('/_sandbox/page/reset', {});
	expect([status, data]).toEqual([415, { message: 'The body must be a form.' }]);
});

describe('requests to the service', () => {
	test('a message is sent', async () => {
		const html = await page.submit('send-message', {
			sender: 'Shop',
			phoneNumber: '+447700900123',
			message: 'Hello',
		});
		expect(sectionOf(html, 'service')).toMatch(/Response 200: "[0-9a-f-]{36}"/);
		expect((await sandbox().requests()).items).toMatchObject([
			{ operationId: 'sendSmsMessage', status: 200, body: { sender: 'Shop', message: 'Hello' } },
		]);
	});

	test('an SMS campaign is created', async () => {
		const numbers = '+447700900123\r\n\r\n +447700900124 ';
		await page.submit('create-sms-campaign', { sender: 'Shop', message: 'Hello', numbers });
		expect(await sandbox().summary()).toMatchObject({ smsCampaigns: 1, smsCampaignContacts: 2 });
	});

	test('a voice campaign is created with what the form offers', async () => {
		const html = await page.html();
		const [, form = ''] = html.split('/_sandbox/page/create-voice-campaign"');
		const [, startDate = ''] = /name="startDate"[^>]*?value="([^"]*)"/.exec(form) ?? [];
		const fields = { name: 'One', startDate, startTime: '09:00', finishTime: '17:00' };
		const after = await page.submit('create-voice-campaign', { ...fields, numbers: '+44123' });
		expect(sectionOf(after, 'service')).toContain('Response 200');
		expect(await sandbox().summary()).toMatchObject({ voiceCampaigns: 1, voicePhoneNumbers: 1 });
	});

	test.each([
		{ authentication: { kind: 'basic', username: 'ann', password: 'pw' } },
		{ authentication: { kind: 'bearer', token: 'abc' } },
		{ authentication: { kind: 'query', name: 'key', value: 'abc' } },
		{
			authentication: {
				kind: 'custom',
				headers: { 'X-A': 'a' },
				query: { b: 'b' },
				body: { c: 'c' },
			},
		},
		{ conventions: { clientIdPlace: 'path' } },
		{ conventions: { clientIdPlace: 'body', basePath: '/gateway/v1' } },
	])('a URL is registered and removed with %j', async (settings) => {
		await sandbox().settings(settings);
		expect(await page.submit('register', { url: receiver().url })).toContain('Response 204');
		expect((await sandbox().webhook()).url).toBe(receiver().url);
		await page.submit('register', { url: '' });
		expect((await sandbox().webhook()).url).toBeNull();
	});

	test('the response to a wrong request is shown', async () => {
		const html = await page.submit('send-message', { sender: '', phoneNumber: '', message: '' });
		expect(html).toContain('role="alert"');
		expect(sectionOf(html, 'service')).toContain('Response 400: {"errors"');
	});

	test('a request is sent again', async () => {
		await sandbox().settings({ conventions: { basePath: '/v1' } });
		const body = { message: 'Hello', phoneNumber: '+447700900123' };
		await sandbox().api.post('/v1/api/SMSMessages', body);
		const [request] = (await sandbox().requests()).items;
		const html = await page.submit('replay', { id: String(request?.id) });
		expect(sectionOf(html, 'requests')).toContain('was sent again. Response 200.');
		expect((await sandbox().requests()).items).toMatchObject([
			{ url: '/v1/api/SMSMessages', body, status: 200 },
			{ url: '/v1/api/SMSMessages', body, status: 200 },
		]);
		expect(await sandbox().summary()).toMatchObject({ smsMessages: 2 });
	});

	test('a request that is gone or not kept in full is not sent again', async () => {
		expect(await page.submit('replay', { id: '77' })).toContain('There is no request 77.');
		await sandbox().api.post('/api/Campaigns', { message: 'x'.repeat(300_000), contacts: [] });
		const [request] = (await sandbox().requests()).items;
		const html = await page.submit('replay', { id: String(request?.id) });
		expect(sectionOf(html, 'requests')).toContain('Only the beginning of the body');
		expect((await sandbox().summary()).requests).toBe(1);
	});
});

test('a fault on both axes, every second request', async () => {
	const html = await page.submit('add-fault', {
		kind: 'status',
		when: 'after',
		every: '2',
		limit: '5',
		status: '502',
		times: '',
	});
	expect(sectionOf(html, 'faults')).toContain('Error response (502)');
	expect((await sandbox().control.get<{ items: unknown[] }>('/faults')).data.items).toMatchObject([
		{
			every: 2,
			limit: { requests: 5, seconds: 1 },
			fault: { kind: 'status', when: 'after', status: 502 },
		},
	]);
});
