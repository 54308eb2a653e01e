import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pageOf, sectionOf } from './pageSupport';
import { contacts, useReceiver, useSandbox, voiceBody } from './setup';

const sandbox = useSandbox();
const receiver = useReceiver();
const page = pageOf(sandbox);

const send = (phoneNumber = '+447700900123', message = 'Hello') =>
	sandbox().api.post<string>('/api/SMSMessages', { sender: 'Shop', message, phoneNumber });

const lists = [
	'deliveries',
	'sms-campaigns',
	'messages',
	'voice-campaigns',
	'calls',
	'stored-numbers',
	'opt-outs',
	'requests',
];

test('is a page that runs nothing but its own style and script, and is kept nowhere', async () => {
	const { headers, status } = await sandbox().api.get('/');
	expect(status).toBe(200);
	expect(headers['content-type']).toBe('text/html; charset=utf-8');
	expect(headers['cache-control']).toBe('no-store');
	expect(headers['x-content-type-options']).toBe('nosniff');
	const policy = String(headers['content-security-policy']).split('; ');
	expect(policy).toEqual(
		expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'"]),
	);
	expect(policy.filter((rule) => rule.includes('unsafe') || rule.includes('*'))).toEqual([]);
});

test('an empty sandbox says what to do next in every section', async () => {
	const html = await page.html();
	for (const id of [...lists, 'webhook']) {
		const [, after = ''] = html.split(`<section id="${id}"`);
		expect([id, after.split('</section>')[0]]).toEqual([
			id,
			expect.stringContaining('class="empty"'),
		]);
	}
	expect(await page.counts()).toContain('0 deliveries');
});

test('shows what belongs into the credential', async () => {
	const { url, apiKey } = sandbox();
	const shown = await page.section('connection');
	expect(shown).toContain(`Base URL ${url}`);
	expect(shown).toContain(`Header Name X-Api-Key Header Value ${apiKey}`);
	expect(shown).toContain('Call flow IDs 301, 302 CLI IDs 401, 402');
});

test.each([
	[{ kind: 'none' }, 'Authentication None'],
	[{ kind: 'basic', username: 'ann', password: 'pw1' }, 'Basic Auth User Name ann Password pw1'],
	[{ kind: 'bearer', token: 'tok1' }, 'Bearer Token Token tok1'],
	[
		{ kind: 'query', name: 'key', value: 'k1' },
		'Query Parameter Parameter Name key Parameter Value k1',
	],
	[
		{ kind: 'custom', headers: { 'X-A': 'a1' }, query: { b: 'b1' }, body: { c: 'c1' } },
		'Custom JSON JSON {"headers":{"X-A":"a1"},"qs":{"b":"b1"},"body":{"c":"c1"}}',
	],
])('shows the authentication that is set: %j', async (authentication, expected) => {
	await sandbox().settings({ authentication, conventions: { basePath: '/gateway' } });
	const shown = await page.section('connection');
	expect(shown).toContain(expected);
	expect(shown).toContain(`Base URL ${sandbox().url}/gateway`);
});

test('shows messages with their results', async () => {
	await send('+447700900905', 'Your order has been sent');
	await sandbox().idle();
	const shown = await page.section('messages');
	expect(shown).toContain('1, latest first');
	expect(shown).toMatch(
		/\+447700900905 Shop Your order has been sent Single message Undeliverable 0\.04$/,
	);
});

test('shows SMS campaigns, and their messages when asked', async () => {
	await sandbox().settings({ conventions: { timeZone: 'UTC' } });
	const { data: id } = await sandbox().api.post<string>('/api/Campaigns', {
		message: 'Spring sale',
		sender: 'Shop',
		contacts: contacts(7),
	});
	await sandbox().api.post('/api/Campaigns', {
		message: 'Later',
		startDateTime: '2999-01-01T00:00:00Z',
		contacts: contacts(1),
	});
	await sandbox().idle();
	const shown = await page.section('sms-campaigns');
	expect(shown).toMatch(/2999-01-01 00:00:00 Later 1 Scheduled .+ Shop Spring sale 7 Sent/);
	expect(await page.section('messages')).toContain('Latest 5 of 8');
	expect(await page.section('messages')).toContain('Not yet');
	const ofCampaign = await page.section('messages', `/?list=messages&campaign=${id}`);
	expect(ofCampaign).toContain(`7, campaign ${id}, latest first`);
	expect(ofCampaign).toContain('Person 6');
	expect(ofCampaign).not.toContain('Later');
	expect(await page.counts()).toContain('2 SMS campaigns');
	expect(await page.counts()).toContain('8 messages');
});

test('shows voice campaigns, calls, opt-outs and stored numbers', async () => {
	const numbers = ['+447700900703', '+447700900814'];
	await sandbox().api.post(
		'/api/campaigns/voice',
		voiceBody({ phoneNumbers: numbers.map((number) => ({ number, name: 'Ada' })) }),
	);
	await sandbox().api.post('/api/PhoneNumberStorageItem', {
		storageID: 'customer-1',
		number: '+447700900123',
		parameter1: 'Ada',
		parameter9: 'VIP',
	});
	expect(await page.section('voice-campaigns')).toMatch(/2 0 Scheduled$/);
	expect(await page.section('calls')).toContain('No calls yet');
	await sandbox().advanceTo('2999-02-01T00:00:00Z');
	expect(await page.section('voice-campaigns')).toMatch(/2 2 Finished$/);
	const calls = await page.section('calls');
	expect(calls).toMatch(/\+447700900814 Ada .+ 1 Answered Opt out 9 42 0\.02/);
	expect(calls).toMatch(/\+447700900703 Ada .+ 1 Busy No Action 0 0\.00/);
	expect(await page.section('calls', '/?list=calls&campaign=2001')).toContain(
		'2, campaign 2001, latest first',
	);
	expect(await page.section('opt-outs')).toMatch(/1001 Calls 447700900814$/);
	expect(await page.section('stored-numbers')).toMatch(/customer-1 \+447700900123 1: Ada, 9: VIP$/);
});

test('shows deliveries with each try and its response', async () => {
	await sandbox().settings({ deliveries: { retries: 1, backoffSeconds: [0] } });
	await sandbox().event({ webHookType: 99, data: { some: 'thing' } });
	await sandbox().registerWebhook(receiver().url);
	receiver().answers = [500, 202, 404, 404];
	await sandbox().event({ webHookType: 0, data: { outCome: 3, stage: 0, phoneNumber: '+44123' } });
	await sandbox().event({ webHookType: 1, data: { statusCode: 34 } });
	const shown = await page.section('deliveries');
	expect(shown).toMatch(/SMS RejectedInvalidRecipient \+447700900123 Failed HTTP 404, try 2,/);
	expect(shown).toMatch(/Call Busy No Action \+44123 Acknowledged HTTP 202, try 2, \d+ ms/);
	expect(shown).toMatch(/HTTP 500 in \d+ ms from .+ Response body answer 500 .+ answer 202/);
	expect(shown).toMatch(/webHookType 99 No URL No URL was registered/);
	expect(shown).toContain('"some": "thing"');
	expect(await page.section('deliveries', '/?list=deliveries&status=failed')).toContain(
		'1, status failed, latest first',
	);
	expect(await page.counts()).toContain('3 deliveries 1 failed, 1 without URL');
});

test('shows requests with both bodies, the fault, and cut connections', async () => {
	await sandbox().fault({ fault: { kind: 'status', status: 503 } });
	await send();
	await send('+447700900124', 'A'.repeat(5000));
	await sandbox().fault({ fault: { kind: 'cut' } });
	await expect(sandbox().api.get('/api/Campaigns')).rejects.toThrow();
	const shown = await page.section('requests');
	expect(shown).toContain('GET /api/Campaigns listSmsCampaigns No response Fault: cut');
	expect(shown).toMatch(/200 Details Request body \(the first 2000 of 50\d\d characters\)/);
	expect(shown).toContain('503 Fault: status');
	expect(shown).toContain('"message": "The service is out of order (503)."');
});

test('is no request to the service, and leaves 404s as they are', async () => {
	await page.html();
	await page.html('/?list=requests');
	await page.submit('switch', { id: 'slow', on: 'no' });
	expect((await sandbox().summary()).requests).toBe(0);
	for (const [method, path, logged] of [
		['get', '/nowhere', 1],
		['get', '/page', 2],
		['post', '/', 2],
		['get', '/_sandbox/page/reset', 2],
		['post', '/_sandbox/page/nothing', 2],
	] as const) {
		const { status, data } = await sandbox().api.request<unknown>({ method, url: path });
		expect([path, status, data]).toEqual([path, 404, { message: expect.any(String) }]);
		expect([path, (await sandbox().summary()).requests]).toEqual([path, logged]);
	}
	const form = await sandbox().api.post('/api/SMSMessages', new URLSearchParams({ message: 'x' }));
	expect(form.status).toBe(415);
});

test('long lists are paged through, the newest first', async () => {
	await sandbox().api.post('/api/Campaigns', { message: 'Hello', contacts: contacts(120) });
	await sandbox().idle();
	const seen: string[] = [];
	let address: string | undefined = '/?list=messages';
	const captions: string[] = [];
	while (address !== undefined) {
		const html = await page.html(address);
		seen.push(...[...html.matchAll(/Person (\d+)/g)].map(([, index = '']) => index));
		captions.push(/<caption>\s*([^<]*?)\s*<\/caption>/.exec(html)?.[1] ?? '');
		address = /<a href="([^"]*)" rel="next">/.exec(html)?.[1]?.replaceAll('&amp;', '&');
	}
	expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => String(119 - index)));
	expect(captions).toEqual(['Latest 50 of 120', '50 of 120, older', '20 of 120, older']);
	const empty = '/?list=messages&before=1';
	expect(await page.section('messages', empty)).toContain('Nothing here');
	expect(await page.html('/?list=nonsense&before=x')).toContain('id="connection"');
});

const evil = '"><img src=x onerror=alert(1)><script>alert(1)</script>\'';

test('everything that comes from outside is shown as text', async () => {
	await sandbox().settings({ strict: false });
	await send(evil, evil);
	await sandbox().api.post('/api/Campaigns', {
		message: evil,
		sender: evil,
		contacts: [{ phoneNumber: evil, name: evil }],
	});
	await sandbox().api.post(
		'/api/campaigns/voice',
		voiceBody({ name: evil, phoneNumbers: [{ number: evil, name: evil }] }),
	);
	await sandbox().api.post('/api/PhoneNumberStorageItem', {
		storageID: evil,
		number: evil,
		parameter1: evil,
	});
	await sandbox().api.get('/api/Campaigns', { params: { [evil]: evil } });
	await sandbox().registerWebhook(`http://127.0.0.1:1/${evil}`);
	await sandbox().settings({
		deliveries: { retries: 0 },
		authentication: { kind: 'bearer', token: evil },
		clients: [{ clientId: 1001, callFlowIds: [], cliIds: [], optOutLinkIds: [] }],
	});
	await sandbox().event({ webHookType: 0, data: { outCome: evil, phoneNumber: evil } });
	await sandbox().event({ webHookType: 1, data: { statusCode: evil } });
	await sandbox().fault({
		match: { path: evil.replace(/[()]/g, '') },
		fault: { kind: 'status', retryAfter: evil },
	});
	await sandbox().advanceTo('2999-02-01T00:00:00Z');
	await sandbox().idle();
	const after = await page.submit('fire-other', { webHookType: evil, data: evil });
	for (const html of [
		after,
		...(await Promise.all(lists.map((id) => page.html(`/?list=${id}`)))),
	]) {
		expect(html).not.toContain('<img');
		expect(html.match(/<script/g)).toEqual(['<script']);
		expect(html).not.toMatch(/\son\w+="/);
	}
	const shown = ['connection', 'events', 'faults', 'messages', 'sms-campaigns', 'voice-campaigns'];
	for (const id of [...shown, 'calls', 'stored-numbers', 'deliveries', 'requests']) {
		const [, section = ''] = after.split(`<section id="${id}"`);
		expect([id, section.split('</section>')[0]]).toEqual([
			id,
			expect.stringContaining('&lt;script&gt;'),
		]);
	}
});

test('the token of a registered URL is masked wherever the URL shows up', async () => {
	const secret = 'very-secret-token';
	const url = receiver().url.replace('token=abc', `token=${secret}&more=${secret}`);
	await sandbox().registerWebhook(url.replace('http://', `http://ann:${secret}@`));
	await sandbox().registerWebhook(url);
	await sandbox().event({});
	await sandbox().api.post('/nowhere', undefined, { params: { url: url.split('&')[0] } });
	await sandbox().api.post(
		`/api/integrations/UpdateWebHook?clientId=1001&url=no-url%3Ftoken%3D${secret}`,
	);
	expect(receiver().received[0]?.url).toContain(secret);
	const pages = [await page.html()];
	for (const id of lists) pages.push(await page.html(`/?list=${id}`));
	expect(pages.map((html) => html.includes(secret))).toEqual(pages.map(() => false));
	expect(await page.section('webhook')).toContain(
		`Client 1001 ${receiver().url.replace('abc', '***')}&more=***`,
	);
	expect(await page.section('webhook')).toContain('http://ann:***@');
	expect(await page.section('requests')).toContain('url=no-url?***');
});

test('every time on the page is in the zone of the service', async () => {
	const zone = 'Pacific/Kiritimati';
	await sandbox().settings({ conventions: { timeZone: zone } });
	await sandbox().registerWebhook(receiver().url);
	await sandbox().api.post('/api/campaigns/voice', voiceBody());
	await sandbox().advanceTo('2999-06-01T23:30:00Z');
	await send();
	await sandbox().idle();
	const html = await page.html();
	expect(html).toContain(`Times in ${zone}`);
	expect(html).not.toContain('(UTC)');
	for (const id of ['time', 'messages', 'deliveries', 'requests']) {
		expect([id, await page.section(id)]).toEqual([
			id,
			expect.stringContaining(id === 'time' ? '2999-06-02 13:30:' : '13:30:'),
		]);
	}
	expect(await page.section('calls')).toContain('2999-01-10 09:00:00');
});

test('a search narrows all lists, or the one that is shown', async () => {
	await send('+447700900901', 'Green');
	await send('+447700900902', 'Blue');
	await sandbox().idle();
	const all = await page.html('/?q=GREEN');
	expect(sectionOf(all, 'messages')).toContain("1 with 'GREEN', latest first");
	expect(sectionOf(all, 'requests')).toContain("1 with 'GREEN', latest first");
	expect(sectionOf(all, 'stored-numbers')).toContain("Nothing here with 'GREEN'.");
	expect(all).toMatch(/name="q"\s+type="search"\s+value="GREEN"/);
	const one = await page.html('/?list=deliveries&q=900902');
	expect(sectionOf(one, 'deliveries')).toContain('+447700900902');
	expect(sectionOf(one, 'deliveries')).not.toContain('+447700900901');
	expect(one).not.toContain('<section id="messages"');
});

test('one thing is not shown as several', async () => {
	await send();
	await sandbox().idle();
	const shown = await page.counts();
	expect(shown).toMatch(/^1 delivery 1 without URL 0 SMS campaigns 1 message 0 voice/);
	expect(shown).toMatch(/1 request$/);
});

test('a request is shown as a curl command that works', async () => {
	await send('+447700900123', "It's here");
	const shown = await page.section('requests');
	const [, command = ''] = /As curl (curl .*?) Send again/.exec(shown) ?? [];
	const { stdout } = await promisify(execFile)('bash', [
		'-c',
		`${command.replaceAll(' \\ ', ' ')} -s`,
	]);
	expect(JSON.parse(stdout)).toMatch(/^[0-9a-f-]{36}$/);
	expect((await sandbox().requests()).items).toMatchObject([
		{ body: { message: "It's here" }, status: 200 },
		{ body: { message: "It's here" }, status: 200 },
	]);
});

test('the reference shows every operation and schema of the interface', async () => {
	const html = await page.html('/docs');
	const { data } = await sandbox().api.get<{
		paths: Record<string, Record<string, { operationId?: string }>>;
		components: { schemas: Record<string, unknown> };
	}>('/openapi.json');
	const ids = Object.values(data.paths).flatMap((item) =>
		Object.values(item).flatMap(({ operationId }) => operationId ?? []),
	);
	expect(ids.filter((id) => !html.includes(`id="operation-${id}"`))).toEqual([]);
	expect(ids).toHaveLength(25);
	const schemas = Object.keys(data.components.schemas);
	expect(schemas.filter((name) => !html.includes(`id="schema-${name}"`))).toEqual([]);
	const links = [...html.matchAll(/href="#(schema-\w+)"/g)].map(([, id = '']) => id);
	expect(links.filter((id) => !html.includes(`id="${id}"`))).toEqual([]);
	expect((await sandbox().summary()).requests).toBe(0);
});

test('the URLs agreed with the operator are shown', async () => {
	expect(await page.section('webhook')).not.toContain('Agreed');
	const client = { clientId: 1001, callFlowIds: [], cliIds: [], optOutLinkIds: [] };
	await sandbox().settings({
		clients: [{ ...client, agreedWebhookUrls: ['https://n8n.example.com/'] }],
	});
	expect(await page.section('webhook')).toContain(
		'Agreed with the operator for client 1001: https://n8n.example.com/',
	);
	const html = await page.submit('register', { url: receiver().url });
	expect(sectionOf(html, 'service')).toContain('has not been agreed with the operator');
});
