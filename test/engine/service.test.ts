import { readFileSync } from 'node:fs';
import type { IDataObject } from 'n8n-workflow';
import { actionSuite } from '../support/actionSuite';
import type { CredentialValues } from '../support/engine';
import { expectNoSecret } from '../support/secrets';
import { serversOfTest } from '../support/servers';
import { otherConventions } from '../../sandbox/service/settings.ts';
import { voiceBody } from '../support/voiceCampaign';

const { credential, describeOperation, run, sandbox } = actionSuite();
const startServer = serversOfTest();

const check = { resource: 'service', operation: 'check' };

const NUMBER = '+447700900101';
const PERSONAL = ['Ann Example', '7700900', 'Hello Ann', 'customer-1'];

/** Some of everything that a list can show. */
async function fill() {
	const { api } = sandbox();
	for (const end of ['101', '102', '103', '104', '105']) {
		const phoneNumber = `+447700900${end}`;
		await api.post('/api/SMSMessages', { sender: 'Shop', message: 'Hello Ann', phoneNumber });
		// A moment between them, so that their times tell the order.
		await sandbox().advance(1);
	}
	const contacts = [{ phoneNumber: '+447700900101', name: 'Ann Example' }];
	await api.post('/api/Campaigns', { sender: 'Shop', message: 'Hello Ann', contacts });
	await api.post('/api/campaigns/voice', voiceBody({ name: 'Ann Example' }));
	await api.post('/api/PhoneNumberStorageItem', {
		storageID: 'customer-1',
		number: '+447700900101',
	});
}

/** The findings by their questions, and how many requests they took. */
async function checked(values: CredentialValues = {}, timezone = 'UTC') {
	const { items, error, requests } = await run(check, { credential: credential(values), timezone });
	expect(error).toBeUndefined();
	expect(requests.length).toBeLessThanOrEqual(40);
	expect(requests.filter(({ method, path }) => method !== 'GET' && path !== '/token')).toEqual([]);
	const findings = items.map(({ json }) => json);
	for (const finding of findings) {
		expect(Object.keys(finding)).toEqual([
			...['question', 'result', 'found', 'setting', 'value', 'advice'],
		]);
		expect(finding.question).toMatch(/\?$|^Everything else$/);
		expect(finding.found).not.toMatch(/\?$/);
	}
	expectNoSecret(findings, [...PERSONAL, sandbox().apiKey]);
	return findings;
}

/** The findings whose result is not ok, each in one line. */
const notOk = (findings: IDataObject[]) =>
	findings
		.filter(({ result }) => result !== 'ok')
		.map(({ question, result, setting, value, advice }) =>
			[question, result, ...(result === 'set' ? [setting, value] : [advice])].join(' | '),
		);

const about = (findings: IDataObject[], words: string) =>
	String(findings.find(({ question }) => String(question).includes(words))?.found);

/** A service: its settings, the credential and the zone of the workflow, and what the check says. */
interface Service {
	name: string;
	/** How a person came upon it before there was a check, for the table of the page. */
	without?: string;
	settings: Record<string, unknown>;
	values?: CredentialValues;
	timezone?: string;
	/** The findings that are not ok. */
	findings: string[];
	/** What was found out about questions with these words. */
	found?: Record<string, string>;
}

const CONVENTIONS = { serviceConventions: true };
const ZONE = 'In which time zone are times?';
const ASK_ZONE = 'In which time zone are the times that have none, such as dateCreated?';

const TWO_PAGES = 'an error as soon as a list has two pages, then a question to the operator';
const WRONG_HOUR = 'campaigns start hours early or late, until somebody notices';

const SERVICES: Service[] = [
	{
		name: 'the service as the package expects it',
		settings: {},
		findings: [],
		found: {
			'let n8n in': 'a list of SMS campaigns',
			'list of SMS messages': '6 records',
			'chooses a page': 'pageIndex',
			'sets the size': 'pageSize',
			order: 'oldest first',
			'How large': '1,000 and perhaps more',
			'single SMS message': 'a record',
			'time zone': 'they fit UTC, that of the workflow',
			'phone numbers written': 'with +',
		},
	},
	{
		name: 'pages by page and limit, the first of which is 0',
		without: TWO_PAGES,
		settings: { conventions: { pageIndexName: 'page', pageSizeName: 'limit', firstPageIndex: 0 } },
		findings: [
			'Which parameter chooses a page? | set | Page Index Parameter | page',
			'Which parameter sets the size of a page? | set | Page Size Parameter | limit',
		],
	},
	{
		name: 'pages by PageIndex and PageSize, where others are ignored',
		without: TWO_PAGES,
		settings: {
			strict: false,
			conventions: { pageIndexName: 'PageIndex', pageSizeName: 'PageSize' },
		},
		findings: [
			'Which parameter chooses a page? | set | Page Index Parameter | PageIndex',
			'Which parameter sets the size of a page? | set | Page Size Parameter | PageSize',
		],
	},
	{
		name: 'pages by pageNumber, in short pages, the newest first',
		without: TWO_PAGES,
		settings: {
			conventions: { pageIndexName: 'pageNumber', maximumPageSize: 4, listOrder: 'newestFirst' },
		},
		findings: ['Which parameter chooses a page? | set | Page Index Parameter | pageNumber'],
		found: {
			'list of SMS messages': '6 records',
			'How large': '4: longer ones are cut',
			order: 'newest first',
		},
	},
	{
		name: 'lists in no order',
		without: 'each poll and summary reads the whole list, and nothing says why',
		settings: { conventions: { listOrder: 'none' } },
		findings: [
			'In what order are records? | ask | Can lists be in the order of dateCreated? Which query parameter sorts them?',
		],
	},
	...[
		['page', 'per_page'],
		['PageNumber', 'perPage'],
		['page', 'count'],
		['page', 'size'],
	].map(([pageIndexName, pageSizeName]): Service => ({
		name: `pages by ${String(pageIndexName)} and ${String(pageSizeName)}`,
		settings: { conventions: { pageIndexName, pageSizeName } },
		findings: [
			`Which parameter chooses a page? | set | Page Index Parameter | ${String(pageIndexName)}`,
			`Which parameter sets the size of a page? | set | Page Size Parameter | ${String(pageSizeName)}`,
		],
	})),
	{
		name: 'lists in no order, of which two records are given unless more are asked for',
		settings: { conventions: { listOrder: 'none', defaultPageSize: 2 } },
		findings: [
			'In what order are records? | ask | Can lists be in the order of dateCreated? Which query parameter sorts them?',
		],
	},
	{
		name: 'the right names in the credential',
		settings: { conventions: { pageIndexName: 'seite', pageSizeName: 'laenge' } },
		values: { ...CONVENTIONS, pageIndexParameter: 'seite', pageSizeParameter: 'laenge' },
		findings: [],
	},
	{
		name: 'pages of a fixed size',
		settings: { strict: false, conventions: { pageSizeName: 'laenge', defaultPageSize: 4 } },
		findings: [
			'Which parameter sets the size of a page? | ask | Which query parameter sets the number of records per page?',
		],
		found: {
			'chooses a page': 'pageIndex',
			'How large': '4 records, which cannot be changed',
		},
	},
	{
		name: 'no pages at all',
		without: TWO_PAGES,
		settings: { conventions: { ignorePaging: true } },
		findings: [
			'Which parameter chooses a page? | ask | Which query parameter chooses the page of a list by its number?',
		],
	},
	{
		name: 'a time zone ahead of that of the workflow',
		without: WRONG_HOUR,
		settings: { conventions: { timeZone: 'Asia/Tokyo' } },
		findings: [`${ZONE} | ask | ${ASK_ZONE}`],
		found: {
			'time zone':
				'read in UTC, that of the workflow, the newest lies 540 minutes ahead of the clock of the service',
		},
	},
	{
		name: 'UTC, where the workflow is ahead of it',
		without: WRONG_HOUR,
		settings: {},
		timezone: 'Asia/Tokyo',
		findings: [`${ZONE} | set | Service Time Zone | UTC`],
	},
	{
		name: 'the time zone in the credential',
		settings: { conventions: { timeZone: 'Asia/Tokyo' } },
		values: { ...CONVENTIONS, serviceTimeZone: 'Asia/Tokyo' },
		findings: [],
	},
	{
		name: 'a time zone in the credential that is ahead of the service',
		settings: { conventions: { timeZone: 'Asia/Tokyo' } },
		values: { ...CONVENTIONS, serviceTimeZone: 'Europe/London' },
		timezone: 'Asia/Tokyo',
		findings: [`${ZONE} | set | Service Time Zone | Asia/Tokyo`],
	},
	{
		name: 'numbers without +, one message behind a slash',
		settings: { conventions: { numberForm: 'withoutPlus', messagePath: 'slash' } },
		findings: [],
		found: { 'phone numbers written': 'without +', 'single SMS message': 'a record' },
	},
	{
		name: 'national numbers',
		without: 'the numbers of results match no row of your sheet',
		settings: { conventions: { numberForm: 'national' } },
		findings: [
			'How are phone numbers written? | ask | Of which country are phone numbers that begin with 0?',
		],
	},
	{
		name: 'national numbers, with a Default Country',
		settings: { conventions: { numberForm: 'national' } },
		values: { defaultCountry: 'GB' },
		findings: [],
		found: { 'phone numbers written': 'without country code' },
	},
	{
		name: 'a status that the interface does not show',
		without: 'results with a number in place of a status',
		settings: { conventions: { undocumented: true } },
		findings: [
			'Which statuses are there that the interface does not show? | ask | What do these statuses of SMS messages mean: 50?',
		],
	},
	{
		name: 'the other service that the page of the sandbox makes',
		settings: { conventions: otherConventions },
		findings: [
			'Which parameter chooses a page? | set | Page Index Parameter | page',
			'Which parameter sets the size of a page? | set | Page Size Parameter | limit',
			'Which statuses are there that the interface does not show? | ask | What do these statuses of SMS messages mean: 50?',
		],
		found: { order: 'newest first', 'phone numbers written': 'without +' },
	},
	{
		name: 'a login for a token',
		settings: { authentication: { tokenOnly: true } },
		values: {
			authentication: 'accessToken',
			tokenUrl: '/token',
			loginWith: 'json',
			loginJson: '{"username":"sandbox-user","password":"sandbox-password"}',
		},
		findings: [],
	},
];

/** A line of the page's table: what a person had to do without the check, and has to do with it. */
const lineOf = ({ name, without, findings }: Service) => {
	const steps = findings.map((finding) => {
		const [, result, first = '', value = ''] = finding.split(' | ');
		return result === 'set' ? `**${first}**: \`${value}\`` : `ask: "${first}"`;
	});
	return `| ${name} | ${without ?? ''} | ${steps.join(', ')} |`;
};

test('the page says of differing services what to do, without the check and with it', () => {
	const page = readFileSync('docs/development/service-check.md', 'utf8');
	const lines = SERVICES.filter(({ without }) => without !== undefined).map(lineOf);
	expect(lines.length).toBeGreaterThanOrEqual(8);
	const table = page.split('\n').filter((line) => lines.includes(line));
	expect(table).toEqual(lines);
});

describeOperation('service', 'check', () => {
	it.each(SERVICES)('$name', async ({ settings, values, timezone, findings, found = {} }) => {
		await sandbox().settings({ conventions: settings.conventions ?? {} });
		await fill();
		await sandbox().settings(settings);
		const all = await checked(values, timezone);
		expect(notOk(all)).toEqual(findings);
		for (const [words, text] of Object.entries(found)) expect(about(all, words)).toBe(text);
	});

	it.each(
		[0, 1].flatMap((firstPageIndex) =>
			['newestLast', 'newestFirst'].map((listOrder) => ({ firstPageIndex, listOrder })),
		),
	)('the newest message is compared with the clock, wherever it is: %j', async (conventions) => {
		const { api } = sandbox();
		const phoneNumber = NUMBER;
		// The clock of the sandbox is advanced, and that of its responses is not.
		for (const seconds of [1, 1, 1, 86_400, 0]) {
			await api.post('/api/SMSMessages', { sender: 'Shop', message: 'Hello Ann', phoneNumber });
			await sandbox().advance(seconds);
		}
		await sandbox().settings({ conventions: { ...conventions, maximumPageSize: 3 } });
		const findings = await checked();
		expect(about(findings, 'time zone')).toMatch(/the newest lies 14[0-4]\d minutes ahead/);
	});

	it('a clock that is behind the zone of the credential, or an old message: it says so', async () => {
		await sandbox().settings({ conventions: { timeZone: 'Etc/GMT+5' } });
		await fill();
		const findings = await checked({ serviceConventions: true, serviceTimeZone: 'UTC' });
		expect(about(findings, 'time zone')).toMatch(
			/^they fit UTC, if the newest was sent (299|300|301) minutes ago$/,
		);
	});

	it('an account without records: what could not be tried is to be asked', async () => {
		const findings = await checked();
		expect(findings.filter(({ result }) => ['set', 'failed'].includes(String(result)))).toEqual([]);
		expect(about(findings, 'chooses a page')).toBe(
			'not tried: no list that was read has two records',
		);
		expect(about(findings, 'time zone')).toBe('not tried: there is no SMS message');
		const asked = findings.flatMap(({ result, advice }) => (result === 'ask' ? [advice] : []));
		expect(asked).toEqual([...new Set(asked)]);
	});

	it.each<[string, string, () => unknown]>([
		['messages', '/api/SMSMessages', () => ({ sender: 'S', message: 'Hi', phoneNumber: NUMBER })],
		[
			'contacts',
			'/api/Campaigns',
			() => ({ sender: 'S', message: 'Hi', contacts: [{ phoneNumber: NUMBER }] }),
		],
		['numbers of a voice campaign', '/api/campaigns/voice', voiceBody],
		['stored numbers', '/api/PhoneNumberStorageItem', () => ({ storageID: 'a', number: NUMBER })],
	])(
		'one record tells how numbers are written, and nothing of pages: %s',
		async (_name, path, body) => {
			await sandbox().api.post(path, body() as object);
			const findings = await checked();
			expect(about(findings, 'phone numbers written')).toBe('with +');
			expect(about(findings, 'chooses a page')).toBe(
				'not tried: no list that was read has two records',
			);
		},
	);

	it.each([
		['the list of SMS messages', '/api/SMSMessages$', '/api/SMSMessages'],
		['a single SMS message', '/api/SMSMessages/?[^/]+$', '/api/SMSMessages:Id'],
		['a single voice campaign', '/api/campaigns/voice/\\d+$', '/api/campaigns/voice/:id'],
		[
			'the list of phone numbers of a voice campaign',
			...['phonenumbers/10/1$', '/api/campaigns/voice/:id/phonenumbers/10/1'],
		],
		[
			'the list of stored numbers',
			...['/PhoneNumberStorageItem/10/1$', '/api/PhoneNumberStorageItem/10/1'],
		],
	])('%s that is an empty object is not there', async (name, path, shown) => {
		await fill();
		const fault = { kind: 'unexpectedBody', body: {} };
		await sandbox().fault({ match: { path }, times: 'always', fault });
		const question = `Is ${name} there?`;
		const findings = await checked();
		expect(findings.find((each) => each.question === question)).toEqual({
			...{ question, result: 'failed', found: 'a JSON object with no fields' },
			...{ setting: '', value: '' },
			advice: `Please tell us: does the service have GET ${shown}?`,
		});
	});

	it('a list that is refused: nothing says that it has no records', async () => {
		await fill();
		const match = { path: '/api/SMSMessages$' };
		await sandbox().fault({ match, times: 'always', fault: { kind: 'status', status: 403 } });
		const findings = await checked();
		expect(about(findings, 'list of SMS messages')).toBe('status 403');
		for (const question of ['In what order are records?', ZONE]) {
			expect(findings.find((each) => each.question === question)).toMatchObject({
				...{ result: 'failed', found: 'not tried: the list of SMS messages was not read' },
			});
		}
		expect(findings.map(({ found }) => found)).not.toContainEqual(
			expect.stringMatching(/there is no|too few/),
		);
	});

	it('a service that asks for a pause: the list is read after it', async () => {
		await fill();
		const match = { path: '/api/SMSMessages$' };
		await sandbox().fault({
			match,
			times: 2,
			fault: { kind: 'status', status: 429, retryAfter: 0 },
		});
		expect(notOk(await checked())).toEqual([]);
	});

	it.each([
		[404, 'Please tell us: does the service have GET /api/SMSMessages?'],
		[401, 'Please tell us: may our account GET /api/SMSMessages?'],
		[403, 'Please tell us: may our account GET /api/SMSMessages?'],
		[500, 'Check again later.'],
	])('a list that the service answers with %d: what to do about it', async (status, advice) => {
		const match = { path: '/api/SMSMessages$' };
		await sandbox().fault({ match, times: 'always', fault: { kind: 'status', status } });
		const [finding] = (await checked()).filter(({ result }) => result === 'failed');
		expect(finding).toMatchObject({ question: 'Is the list of SMS messages there?', advice });
	});

	it('a wrong key: the authentication is to be checked, and nothing else is asked', async () => {
		const findings = await checked({ headerSecret: 'wrong-key-4711' });
		expect(notOk(findings)).toEqual([
			expect.stringMatching(/let n8n in\? \| failed \| Check the kind of authentication/),
			expect.stringMatching(/^Everything else \| failed/),
		]);
		expectNoSecret(findings, ['wrong-key-4711']);
	});

	it.each([
		['Token URL', { tokenUrl: 'token' }],
		['Login JSON', { loginJson: '{"password":' }],
	])('a login for a token whose %s is wrong', async (setting, wrong) => {
		const [first] = await checked({
			...{ authentication: 'accessToken', tokenUrl: '/token', loginWith: 'json' },
			...{ loginJson: '{}', ...wrong },
		});
		expect(first).toMatchObject({ result: 'failed', setting });
		expect(first?.advice).toMatch(/^(Set|Enter) the /);
	});

	it('a wrong login for a token', async () => {
		const findings = await checked({
			...{ authentication: 'accessToken', tokenUrl: '/token', loginWith: 'json' },
			loginJson: '{"password":"wrong-4711"}',
		});
		expect(findings[0]).toMatchObject({
			...{ result: 'failed', setting: 'Log In With' },
			found: 'The service refused the login',
		});
	});

	it('an account that may not do this: its authentication is to be checked', async () => {
		const match = { path: '/api/Campaigns$' };
		await sandbox().fault({ match, times: 'always', fault: { kind: 'status', status: 403 } });
		const [first] = await checked();
		expect(first).toMatchObject({ setting: 'Authentication', found: 'status 403' });
	});

	it('of several campaigns, the newest is looked at, wherever it is in its list', async () => {
		const { api } = sandbox();
		const made = { sms: '', voice: '' };
		for (const month of ['02', '12', '05']) {
			const startDate = `2999-${month}-10`;
			const voice = voiceBody({ name: month, startDate });
			const call = await api.post<{ id: number }>('/api/campaigns/voice', voice);
			const sms = await api.post<string>('/api/Campaigns', {
				...{ sender: 'Shop', message: 'Hi', startDateTime: `${startDate}T09:00:00Z` },
				contacts: [{ phoneNumber: NUMBER }],
			});
			if (month === '12') Object.assign(made, { sms: sms.data, voice: call.data.id });
		}
		await checked();
		const { items } = await sandbox().requests({ limit: 100 });
		const urls = items.map(({ url }) => url);
		expect(urls).toContain(`/api/Campaigns/${made.sms}/Contacts`);
		expect(urls).toContain(`/api/campaigns/voice/${made.voice}/phonenumbers/10/1`);
	});

	it('an address with /api at its end', async () => {
		const [first] = await checked({ baseUrl: `${sandbox().url}/api` });
		expect(first).toMatchObject({
			...{ result: 'failed', setting: 'Base URL', found: 'status 404' },
			advice: expect.stringContaining('does not end with /api'),
		});
	});

	const failing = { kind: 'status', status: 500 };
	const busy = { kind: 'status', status: 429, retryAfter: 0 };
	it.each<[string, number, { status: number }, string[]]>([
		[
			'a list',
			...([0, failing] as const),
			[
				'Is the list of SMS messages there? | failed',
				'In what order are records? | failed',
				`${ZONE} | failed`,
			],
		],
		...[failing, busy].map((fault): [string, number, { status: number }, string[]] => [
			'its pages',
			...([1, fault] as const),
			[
				'Which parameter chooses a page? | failed',
				'Which parameter sets the size of a page? | failed',
				'How large may a page be? | failed',
			],
		]),
	])('a failure of %s does not end the other questions', async (_name, skip, fault, failures) => {
		await fill();
		const match = { path: '/api/SMSMessages$' };
		await sandbox().fault({ match, skip, times: 'always', fault } as never);
		const findings = await checked();
		const failed = findings.filter(({ result }) => result === 'failed');
		expect(failed.map(({ question, result }) => `${question} | ${result}`)).toEqual(failures);
		expect(failed[0]?.found).toBe(`status ${fault.status}`);
		expect(about(findings, 'paged list of voice campaigns')).toBe('1 record');
	});

	it('a page of 1,000 that is refused: the operator is asked whether there may be one', async () => {
		await fill();
		const match = { path: '/api/SMSMessages$' };
		// Behind the list itself, and the questions about the size of a page and its index.
		const refusal = { kind: 'status', status: 400 };
		await sandbox().fault({ match, skip: 3, times: 1, fault: refusal } as never);
		const question = 'How large may a page be?';
		expect((await checked()).find((each) => each.question === question)).toEqual({
			...{ question, result: 'failed', found: 'a page of 1,000 is refused' },
			...{ setting: '', value: '' },
			advice:
				'May a page of a list have 1,000 records? Searches in n8n and its triggers read such pages.',
		});
	});

	it('a last page that cannot be read: the times of the first one are looked at', async () => {
		await fill();
		await sandbox().settings({ conventions: { maximumPageSize: 4 } });
		// Behind the list itself, its three questions about pages.
		const match = { path: '/api/SMSMessages$' };
		await sandbox().fault({ match, skip: 4, times: 'always', fault: failing } as never);
		const findings = await checked();
		expect(notOk(findings)).toEqual([]);
		expect(about(findings, 'time zone')).toBe('they fit UTC, that of the workflow');
	});
});

describe('what is no such service', () => {
	it.each<[string, number, string, string]>([
		['a website', 200, '<!DOCTYPE html><h1>Ann Example</h1>', 'a web page'],
		['another interface', 200, '{"data":[{"phone":"+447700900101"}]}', 'a JSON object with data'],
		[
			'another interface with many fields',
			200,
			JSON.stringify(Object.fromEntries([...'abcdefghijkl'].map((name) => [name, 1]))),
			'a JSON object with a, b, c, d, e, f, g, h, i, j',
		],
		['an array', 200, '["Ann Example"]', 'a JSON array'],
		['nothing there', 404, '{"message":"Ann Example"}', 'status 404'],
	])('%s: the first finding says so, and no more is asked', async (_name, status, body, found) => {
		const { url, received } = await startServer((_request, response) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(body);
		});
		const findings = await checked({ baseUrl: url });
		expect(findings[0]).toMatchObject({ result: 'failed', found, setting: 'Base URL' });
		expect(received.length).toBeLessThanOrEqual(2);
	});

	it('nobody listens', async () => {
		const { url, close } = await startServer(() => undefined);
		await close();
		const [first] = await checked({ baseUrl: url });
		expect(first).toMatchObject({
			result: 'failed',
			found: `Could not connect to ${new URL(url).host}`,
		});
	});
});
