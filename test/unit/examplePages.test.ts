import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { DateTime } from 'luxon';
import type { WorkflowContent } from '../../host/n8nClient.ts';

const folder = path.resolve(__dirname, '..', '..', 'examples');

type Rows = readonly Record<string, unknown>[];

/** What the page at the end of a form says, where a node has sent these rows. */
function pageOf(file: string, outputs: Record<string, Rows>): string {
	const { nodes } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as WorkflowContent;
	const result = nodes.find(({ name }) => name === 'Result');
	const text = String(result?.parameters.completionMessage);
	const code = /^=\{\{([^]*)\}\}$/.exec(text)?.[1] ?? '';
	const $ = (name: string) => ({ all: () => (outputs[name] ?? []).map((json) => ({ json })) });
	return String(runInNewContext(code, { $ }));
}

const failed = { error: 'The service failed to process the request', sent: 'possibly' };
const refused = { error: 'Sender is empty', sent: 'no' };

describe.each([
	['call-first-then-sms.json', 'Create Voice Campaign'],
	['sms-campaigns-from-large-file.json', 'Create SMS Campaigns'],
	['nine-oclock-for-everyone.json', 'Create Campaign'],
	['opt-outs.json', 'Send SMS'],
	['write-results-back-to-the-sheet.json', 'Send SMS'],
])('the page at the end of %s', (file, node) => {
	const page = (...rows: Rows) =>
		pageOf(file, {
			'One Group per Time Zone': [{ check_timeZone: 'Europe/London' }],
			[node]: rows,
		});

	test('says where something was possibly sent', () => {
		expect(page(failed)).toMatch(/ossibly sent/);
		expect(page(failed)).not.toMatch(/nothing was sent|not sent(?!: 0)/i);
		expect(page(failed)).toContain(failed.error);
	});

	test('says where nothing was sent', () => {
		expect(page(refused)).toMatch(/(nothing was|not) sent/i);
		expect(page(refused)).not.toMatch(/possibly sent/i);
		expect(page(refused)).toContain(refused.error);
	});
});

test('the page of a campaign for each time zone says whom a campaign leaves out', () => {
	const skipped = [{ phoneNumber: '07400 123456', reason: 'is a duplicate of entry 1' }];
	const outputs = {
		'One Group per Time Zone': [{ check_timeZone: 'Europe/London' }],
		'Create Campaign': [{ id: 'a', recipients: 2, skipped }],
	};
	expect(pageOf('nine-oclock-for-everyone.json', outputs)).toContain(
		'campaign a, left out: 1, for example: 07400 123456 is a duplicate\n',
	);
});

test('a list of several campaigns is counted as a whole, with what failed', () => {
	const skipped = [
		{ itemIndex: 1, reason: 'is empty' },
		{ itemIndex: 2, reason: 'is a duplicate of item 0' },
	];
	const list = [{ row: 2 }, { row: 3 }, { row: 5, name: 'Ann' }];
	const rows = [
		{ id: 'a', recipients: 2, skipped },
		{ id: 'b', recipients: 1 },
		{ ...failed, error: `${failed.error}.` },
	];
	const outputs = { 'Read the List': list, 'Create Voice Campaign': rows };
	expect(pageOf('call-first-then-sms.json', outputs)).toBe(
		'People: 3, tomorrow from nine. ID of the campaign: a, b. Left out: 2: No name (is empty); Ann (is a duplicate of row 2). Possibly sent, so look in the service before you try again. The service failed to process the request.',
	);
});

test('the page of a list of calls names each who is left out', () => {
	const skipped = [
		{ itemIndex: 0, phoneNumber: '', reason: 'this row has no phone number' },
		{ itemIndex: 1, phoneNumber: '07700 900102', reason: 'it is stored' },
	];
	const outputs = {
		'Read the List': [{ name: 'Ada' }, { name: '' }, { name: 'Cy' }],
		'Create Voice Campaign': [{ id: 'a', recipients: 1, skipped }],
	};
	expect(pageOf('call-first-then-sms.json', outputs)).toContain(
		'Left out: 2: Ada (this row has no phone number); 07700 900102 (it is stored).',
	);
});

test('a file that failed halfway says which of its rows were sent', () => {
	const about = { sentRows: '1 to 2', possiblySentRows: '3 to 4', continueAtRow: 5 };
	const text = pageOf('sms-campaigns-from-large-file.json', {
		'Create SMS Campaigns': [{ ...failed, ...about }],
	});
	expect(text).toBe(
		'The service failed to process the request. Sent: rows 1 to 2. Possibly sent, so look in the service: rows 3 to 4. No row from 5 on was sent.',
	);
});

test('the forms have the colors of the other pages, in both themes', () => {
	const colorsOf = (name: string) =>
		[...readFileSync(path.join(folder, 'shared', name), 'utf8').matchAll(/--\w+: #\w+/g)]
			.map(([color]) => color)
			.filter((color) => !color.startsWith('--color-'));
	expect(colorsOf('page.js')).toHaveLength(12);
	expect(colorsOf('form.css')).toEqual(colorsOf('page.js'));
});

test('an approval that ends without a response says what n8n does not replace by a text of its own', () => {
	const file = readFileSync(path.join(folder, 'campaign-with-approval.json'), 'utf8');
	const { nodes } = JSON.parse(file) as WorkflowContent;
	const failure = nodes.find(({ name }) => name === 'Not Sent');
	const code = /^=\{\{([^]*)\}\}$/.exec(String(failure?.parameters.errorMessage))?.[1] ?? '';
	const $json = {
		error: 'The connection was interrupted',
		description: 'The request may have been accepted. (POST /api/Campaigns, ECONNRESET)',
	};
	expect(runInNewContext(code, { $json })).toBe(
		'Approved, but not sent: The connection was interrupted. The request may have been accepted. (POST /api/Campaigns)',
	);
});

describe('what somebody approves', () => {
	const codeOf = (wanted: string, node: string) => {
		const file = readFileSync(path.join(folder, wanted), 'utf8');
		const { nodes } = JSON.parse(file) as WorkflowContent;
		return String(nodes.find(({ name }) => name === node)?.parameters.jsCode);
	};
	const campaign = { text: 'Sale\n  <b>now</b> [a]: https://example.com', sender: 'My<Shop' };
	const figures = (found: object, numbers: string[]) => {
		const code = codeOf('campaign-with-approval.json', 'Figures');
		const people = numbers.map((number) => ({ json: { number } }));
		const $ = (name: string) => ({
			first: () => ({ json: name === 'This Campaign' ? campaign : {} }),
			all: () => people,
		});
		const $input = { first: () => ({ json: found }) };
		return runInNewContext(`(() => { ${code} })()`, { $, $input }) as { json: { page: string } }[];
	};

	test('is the text as it is, with its parts, the number of people and the sender', () => {
		const message = { partsInAll: 4, parts: 2, encoding: 'UCS-2' };
		const found = { wouldSend: true, recipients: 2, estimatedCost: 0.16, details: { message } };
		const [{ json: { page } = { page: '' } } = {}] = figures(found, ['+447700900101']);
		expect(page).toContain(
			'<td style="white-space: pre-wrap">Sale\n  &#60;b&#62;now&#60;/b&#62; [a]: https://example.com</td>',
		);
		expect(page).toContain('>4 (2 per person)\nLonger because of an emoji');
		expect(page).toContain('>My&#60;Shop<');
		expect(page).toContain('>at least 0.16<');
	});

	test('names what looks wrong with the text', () => {
		const warnings = ['Message contains a placeholder ([Name])', 'Name contains <b>'];
		const found = { wouldSend: true, recipients: 1, details: {}, warnings };
		const [{ json: { page } = { page: '' } } = {}] = figures(found, ['+447700900101']);
		expect(page).toContain('>Looks wrong<');
		expect(page).toContain('>Message contains a placeholder ([Name])\nName contains &#60;b&#62;<');
	});

	test('is nothing if nobody has said yes', () => {
		expect(() => figures({ wouldSend: false, error: 'No number' }, [])).toThrow(
			'The campaign cannot be sent: Nobody has said yes. Nobody was asked.',
		);
	});
});

test('pages count people, not rows', () => {
	const stored = {
		'Fields to Store': [{ storageID: 'a' }, { storageID: 'a' }, { storageID: 'b' }],
	};
	const saved = [{}, {}, { error: 'Number is empty' }];
	expect(
		pageOf('import-stored-numbers-from-csv.json', { ...stored, 'Store Phone Numbers': saved }),
	).toMatch(/^Stored: 1\. Rows to fix: 1\./);

	const rows = [
		{ row: 2, name: 'Ada', problem: '' },
		{ row: 3, name: 'Blaise', problem: '' },
		{ row: 4, name: 'Charles', problem: 'consent "perhaps" is not yes or no' },
		{ row: 5, name: 'Dorothy', problem: '' },
	];
	const numbers = rows.map(({ name }) => ({
		check:
			name === 'Dorothy' ? { valid: false, reason: 'is empty' } : { valid: true, reason: 'OK' },
	}));
	const people = [{ consent: 'yes' }, { consent: 'no' }];
	const added = { 'Read the List': rows, 'Check Numbers': numbers, 'Who Agrees': people };
	expect(pageOf('people-from-a-file.json', added)).toBe(
		'People: 2. Said yes: 1. Rows to fix: 2.\nRow 4 (Charles): consent "perhaps" is not yes or no\nRow 5 (Dorothy): is empty',
	);
	const nameless = { ...added, 'Read the List': rows.map((row) => ({ ...row, name: '' })) };
	expect(pageOf('people-from-a-file.json', nameless)).toContain('\nRow 4: consent "perhaps"');
});

test('whoever has no valid number is not among those whose call is planned', () => {
	const file = readFileSync(path.join(folder, 'remind-of-appointments-by-call.json'), 'utf8');
	const { nodes } = JSON.parse(file) as WorkflowContent;
	const parametersOf = (name: string) => nodes.find((node) => node.name === name)?.parameters;
	const { value } = parametersOf('New Ones')?.columns as { value: { answer: string } };
	const code = /^=\{\{([^]*)\}\}$/.exec(value.answer)?.[1] ?? '';
	const answerOf = (problem: string, valid: boolean): unknown => {
		const items: Record<string, object> = {
			'Read the List': { problem },
			'Check Numbers': { check: { valid } },
		};
		return runInNewContext(code, { $: (name: string) => ({ item: { json: items[name] } }) });
	};
	const { conditions } = parametersOf('Not Called Yet')?.filters as { conditions: object[] };
	expect(conditions).toContainEqual({ keyName: 'answer', keyValue: answerOf('', true) });
	expect(answerOf('', false)).toBe('cannot be called');
	expect(answerOf('day "May" is not a date', true)).toBe('cannot be called');
});

test('what an agent wants to send is shown as it is: number, sender, parts, and every sign', () => {
	const file = readFileSync(path.join(folder, 'ai-agent-sends-on-approval.json'), 'utf8');
	const { nodes } = JSON.parse(file) as WorkflowContent;
	const parametersOf = (wanted: string) => nodes.find(({ name }) => name === wanted)?.parameters;
	const template = String(parametersOf('Ask for Approval')?.message).slice(1);
	const shown = (message: string) => {
		const $tool = { parameters: { phoneNumber: '+447700900101', message } };
		return template.replaceAll(/\{\{([^]*?)\}\}(?!\))/g, (_, code: string) =>
			String(runInNewContext(code, { $tool })),
		);
	};
	// Markdown takes the second line for the definition of a link, and hides it.
	const hidden = 'Sale\n[x]: https://example.com "Pay 1.99"';
	expect(shown(hidden)).toContain(`\n    ${JSON.stringify(hidden)}`);
	expect(shown(hidden)).toContain(
		`to +447700900101, from ${String(parametersOf('Send SMS')?.sender)}`,
	);
	expect(shown('a'.repeat(160))).toContain('in 1 part?');
	expect(shown('€'.repeat(81))).toContain('in 2 parts?');
	expect(shown('ç'.repeat(71))).toContain('in 2 parts?');
});

describe('the pages with plots', () => {
	const codeOf = (wanted: string, node: string) => {
		const { nodes } = JSON.parse(
			readFileSync(path.join(folder, wanted), 'utf8'),
		) as WorkflowContent;
		return String(nodes.find(({ name }) => name === node)?.parameters.jsCode);
	};
	const now = DateTime.fromISO('2030-05-17T12:00:00', { zone: 'Europe/London' });
	const run = (code: string, context: object) =>
		runInNewContext(`(() => { ${code} })()`, { ...context, DateTime, $now: now }) as {
			json: Record<string, unknown>;
		}[];

	test('count nobody who is not due: a campaign of tomorrow is planned', () => {
		const figures = (more: object) => ({
			json: {
				createdAt: now.minus({ minutes: 1 }).toISO(),
				figures: JSON.stringify({ recipients: 100, reached: 0, smsStatuses: {}, cost: 0, ...more }),
			},
		});
		const rows = [
			figures({
				campaignId: 'a',
				sender: 'Shop',
				reached: 90,
				starts: '2030-05-17T09:00:00Z',
				finished: true,
			}),
			figures({ campaignId: 'b', sender: 'Shop', starts: '2030-05-18T09:00:00Z' }),
		];
		const $ = () => ({ all: () => rows });
		const [{ json } = { json: {} }] = run(codeOf('campaign-dashboard.json', 'Draw the Page'), {
			$,
		});
		const page = String(json.page);
		expect(page).toContain('<span class="badge">Planned</span>');
		expect(page).toContain('from 18 May, 10:00');
		expect(page).not.toContain('>Running</span>');
		expect(page).toContain('<dt>People</dt><dd>100</dd>');
		expect(page).toContain('<dt>Reached</dt><dd>90 <small>90 %</small></dd>');
		expect(page).toContain('Europe/London');
	});

	test('show the currency of the credential beside the cost', () => {
		const figures = {
			...{ campaignId: 'a', sender: 'Shop', recipients: 4, reached: 4, smsStatuses: {} },
			...{ cost: 0.16, currency: 'EUR', starts: '2030-05-17T09:00:00Z', finished: true },
		};
		const row = { createdAt: now.toISO(), figures: JSON.stringify(figures) };
		const dashboard = run(codeOf('campaign-dashboard.json', 'Draw the Page'), {
			$: () => ({ all: () => [{ json: row }] }),
		});
		const report = run(codeOf('nightly-campaign-report.json', 'Draw the Report'), {
			$input: { all: () => [{ json: figures }] },
		});
		for (const [item] of [dashboard, report])
			expect(String(item?.json.page)).toContain('<dt>Cost</dt><dd>0.16 <small>EUR</small></dd>');
	});

	test('count single texts of the day as well', () => {
		const text = (statusCode: number, dateCreated: string, more = {}) => ({
			json: { statusCode, dateCreated, price: 0.04, smsCount: 1, campaignId: null, ...more },
		});
		const items = [
			text(1, '2030-05-17T08:00:00'),
			text(5, '2030-05-17T09:00:00'),
			text(1, '2030-05-16T09:00:00'),
			text(1, '2030-05-17T09:00:00', { campaignId: 'a' }),
		];
		const $input = { all: () => items };
		const code = codeOf('nightly-campaign-report.json', 'Single Texts');
		const [{ json: counted } = { json: {} }] = run(code, { $input });
		expect(counted).toMatchObject({
			...{ campaignName: 'Single texts', recipients: 2, reached: 1, cost: 0.08 },
			smsStatuses: { Delivered: 1, Undeliverable: 1 },
		});
		const report = codeOf('nightly-campaign-report.json', 'Draw the Report');
		const [{ json } = { json: {} }] = run(report, { $input: { all: () => [{ json: counted }] } });
		expect(String(json.page)).toContain('<bdi>Single texts</bdi>');
	});
});

describe('what strangers enter', () => {
	const nodesOf = (file: string) =>
		(JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as WorkflowContent).nodes;

	test.each(['constructor', '__proto__', 'toString', 'Green Teapot'])(
		'as a product, %s is none that the shop sells',
		(product) => {
			const code = nodesOf('back-in-stock.json').map(({ parameters: { jsCode } }) => jsCode);
			const entered = { phone: '07700 900101', product };
			const first = () => ({ json: { ...entered, body: entered } });
			const [page, report] = code.filter((each) => each !== undefined).map(String);
			const run = (text = '') =>
				runInNewContext(`(() => { ${text} })()`, { $input: { first } }) as { json: object }[];
			expect(run(page)[0]?.json).toMatchObject({ isSold: false });
			expect(() => run(report)).toThrow('not among the products');
		},
	);

	test('every answer that a question offers can be given', () => {
		const nodes = nodesOf('answer-by-link.json');
		const valueOf = (node: string, pick: (parameters: never) => unknown, names: object) => {
			const found = nodes.find(({ name }) => name === node);
			const code = /^=\{\{([^]*)\}\}$/.exec(String(pick(found?.parameters as never)))?.[1] ?? '';
			return String(runInNewContext(code, names));
		};
		const columns = ({ columns }: { columns: { value: { answers: string; answer: string } } }) =>
			columns.value;
		const answers = 'Yes, Call me?, No*, 100 %, [later], a|b, ???';
		const $ = () => ({ first: () => ({ json: { answers } }) });
		const stored = valueOf('Add Question', (parameters) => columns(parameters).answers, { $ });
		const offered = stored.split('|').filter(Boolean);
		expect(offered).toEqual(['Yes', 'Call me', 'No', '100', 'later', 'ab']);
		for (const answer of offered) {
			const names = { $json: { body: { answer } } };
			const written = valueOf(
				'Write the Answer',
				(parameters) => columns(parameters).answer,
				names,
			);
			expect(written).toBe(answer);
		}
	});

	test('only "Send it", and only what the page has shown, sends a campaign after its preview', () => {
		const code = nodesOf('send-from-a-form-with-preview.json').find(
			({ name }) => name === 'Confirmed',
		)?.parameters.jsCode;
		const row = { phone: '+447700900101', consent: 'yes' };
		const form = { text: 'Hello', sender: 'MyShop' };
		const confirm = (answer: unknown, sent: object, shown = [form.text, form.sender, [row]]) => {
			const $ = (name: string) => ({
				first: () => ({ json: name === 'Form' ? form : { shown: JSON.stringify(shown) } }),
				all: () => [{ json: sent }],
			});
			const $input = { first: () => ({ json: { answer } }) };
			return runInNewContext(`(() => { ${String(code)} })()`, { $, $input }) as unknown;
		};
		expect(confirm('Send it', row)).toEqual([{ json: row }]);
		for (const answer of [undefined, null, '', 'send it', 'Perhaps', true, ['Send it'], {}]) {
			expect(() => confirm(answer, row)).toThrow('You did not confirm it.');
		}
		const other = { ...row, phone: '+447700900102' };
		expect(() => confirm('Send it', other)).toThrow('is not the one that you were shown');
	});
});
