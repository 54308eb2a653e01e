import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
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
	['sms-campaign-from-spreadsheet.json', 'Create SMS Campaign'],
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

test('a list of several campaigns is counted as a whole, with what failed', () => {
	const rows = [
		{ id: 'a', recipients: 2, skipped: [{ reason: 'is empty' }] },
		{ id: 'b', recipients: 1 },
		failed,
	];
	expect(pageOf('sms-campaign-from-spreadsheet.json', { 'Create SMS Campaign': rows })).toBe(
		'People: 3, tomorrow at nine. ID of the campaign: a, b. Left out: 1, for example: is empty. Possibly sent, so look in the service before you try again. The service failed to process the request.',
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

test('an approval that ends without a response says what n8n does not replace by a text of its own', () => {
	const file = readFileSync(path.join(folder, 'campaign-with-approval.json'), 'utf8');
	const { nodes } = JSON.parse(file) as WorkflowContent;
	const failure = nodes.find(({ name }) => name === 'Failed');
	const code = /^=\{\{([^]*)\}\}$/.exec(String(failure?.parameters.errorMessage))?.[1] ?? '';
	const $json = {
		error: 'The connection was interrupted',
		description: 'The request may have been accepted. (POST /api/Campaigns, ECONNRESET)',
	};
	expect(runInNewContext(code, { $json })).toBe(
		'The connection was interrupted. The request may have been accepted. (POST /api/Campaigns)',
	);
});

test('an approval of a list in which nobody has said yes says so', () => {
	const file = readFileSync(path.join(folder, 'campaign-with-approval.json'), 'utf8');
	const { nodes } = JSON.parse(file) as WorkflowContent;
	const figures = nodes.find(({ name }) => name === 'Figures')?.parameters.assignments as {
		assignments: { name: string; value: string }[];
	};
	const $ = () => ({ first: () => ({ json: {} }) });
	const valueOf = (wanted: string) => {
		const { value } = figures.assignments.find(({ name }) => name === wanted) ?? {};
		const code = /^=\{\{([^]*)\}\}$/.exec(value ?? '')?.[1] ?? '';
		return String(runInNewContext(code, { $, $json: { wouldSend: false, error: 'No number' } }));
	};
	expect(valueOf('reason')).toBe('Nobody has said yes');
	expect(valueOf('page')).toContain('<td>Cannot be sent</td><td>Nobody has said yes</td>');
});

test('pages count people, not rows', () => {
	const stored = {
		'Fields to Store': [{ storageID: 'a' }, { storageID: 'a' }, { storageID: 'b' }],
	};
	const saved = [{}, {}, { error: 'Number is empty' }];
	expect(
		pageOf('import-stored-numbers-from-csv.json', { ...stored, 'Store Phone Numbers': saved }),
	).toMatch(/^Stored: 1\. Rows to fix: 1\./);

	const file = readFileSync(path.join(folder, 'campaign-with-approval.json'), 'utf8');
	const { nodes } = JSON.parse(file) as WorkflowContent;
	const page = nodes.find(({ name }) => name === 'Subscribers Added');
	const [, code = ''] =
		/^=\{\{([^]*?\}\)\(.*?\)) \}\}/.exec(String(page?.parameters.completionMessage)) ?? [];
	const rows = [
		{ id: 1, consent: 'no' },
		{ id: 2, consent: 'yes' },
		{ id: 1, consent: 'yes' },
		{ id: 3, consent: '' },
	];
	const $ = () => ({ all: () => rows.map((json) => ({ json })) });
	expect(runInNewContext(code, { $ })).toBe('People in this list: 3. Said yes: 2.');
});

test('whoever has no valid number is not among those whose call is planned', () => {
	const file = readFileSync(path.join(folder, 'remind-of-appointments-by-call.json'), 'utf8');
	const { nodes } = JSON.parse(file) as WorkflowContent;
	const parametersOf = (name: string) => nodes.find((node) => node.name === name)?.parameters;
	const { value } = parametersOf('Add Appointment')?.columns as { value: { answer: string } };
	const code = /^=\{\{([^]*)\}\}$/.exec(value.answer)?.[1] ?? '';
	const answerOf = (valid: boolean): unknown => runInNewContext(code, { $json: { valid } });
	const { conditions } = parametersOf('Note the Calls')?.filters as { conditions: object[] };
	expect(conditions).toContainEqual({ keyName: 'answer', keyValue: answerOf(true) });
	expect(answerOf(false)).toBe('cannot be called');
});
