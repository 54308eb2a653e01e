import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowNode } from '../../../host/n8nClient.ts';
import { DateTime } from 'luxon';
import { nodeTypes } from '../../../host/workflows.ts';
import { dataOf, exampleSuite } from '../support/exampleSuite.ts';
import { bodies, postToService } from '../support/host.ts';

const page = readFileSync(path.resolve(__dirname, '..', '..', '..', 'docs', 'recipes.md'), 'utf8');

/** An expression as the page has it. */
function written(expression: string): string {
	expect(page).toContain(expression);
	return `=${expression}`;
}

interface Campaign {
	startDateTime: string;
	contacts: { phoneNumber: string }[];
}

interface VoiceCampaign {
	name: string;
	startTime: string;
	phoneNumbers: { number: string }[];
}

const sms = { resource: 'smsMessage', operation: 'send', sender: 'Shop', message: 'Hello' };
const campaign = {
	...{ resource: 'smsCampaign', operation: 'create', sender: 'Shop', message: 'Hello' },
	phoneNumberField: 'phone',
};
const zone = { executionOrder: 'v1', timezone: 'America/New_York' };
const minutesOf = (text: string) => Date.parse(text) / 60_000;
const rows = [0, 1, 2, 3, 4].map((index) => ({ phone: `+44770090012${String(index)}` }));

/** What docs/recipes.md tells people to build out of n8n's own nodes, built as it is written there. */
describe('the recipes', () => {
	const { suite } = exampleSuite('Recipes');

	const node = (
		name: string,
		type: string,
		typeVersion: number,
		parameters: Record<string, unknown>,
	): WorkflowNode => ({
		...{ id: name, name, type, typeVersion, parameters, position: [0, 0] },
	});
	const service = (name: string, parameters: Record<string, unknown>) =>
		node(name, nodeTypes.action, 1, parameters);

	/** Rows, then these nodes one after the other; a loop leads back from the last. */
	async function run(input: Record<string, unknown>[], nodes: WorkflowNode[], isLoop = false) {
		const { type, id: credentialId, name } = suite.credential;
		const credentials = { [type]: { id: credentialId, name } };
		const all = [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('Rows', 'n8n-nodes-base.code', 2, {
				jsCode: `return ${JSON.stringify(input)}.map((json) => ({ json }));`,
			}),
			...nodes.map((each) => ({
				...each,
				...(each.type === nodeTypes.action && { credentials }),
			})),
		];
		const to = (name = '') => ({ node: name, type: 'main', index: 0 });
		const connections = Object.fromEntries(
			all.map(({ name, type }, index) => {
				const next = [to(all[index + 1]?.name)];
				if (type.endsWith('splitInBatches')) return [name, { main: [[], next] }];
				if (index < all.length - 1) return [name, { main: [next] }];
				return [name, { main: [isLoop ? [to(nodes[0]?.name)] : []] }];
			}),
		);
		const content = { name: 'Recipe', nodes: all, connections, settings: zone };
		const { id } = await suite.n8n.createWorkflow(content);
		const execution = await suite.n8n.runWorkflow(id, 'Start');
		expect(execution.error).toBeUndefined();
		await suite.n8n.deleteWorkflow(id);
		return execution;
	}

	const loop = node('Loop Over Items', 'n8n-nodes-base.splitInBatches', 3, {
		...{ batchSize: 2, options: {} },
	});

	it('spread campaigns over the day', async () => {
		const startDateTime = written('{{ $now.plus({ minutes: 30 * $runIndex }) }}');
		await run(rows, [loop, service('Create', { ...campaign, startDateTime })], true);
		const made = await bodies<Campaign>('/api/Campaigns');
		expect(made.map(({ contacts }) => contacts.length)).toEqual([2, 2, 1]);
		const [first = 0, second = 0, third = 0] = made.map((each) => minutesOf(each.startDateTime));
		expect([second - first, third - second].map(Math.round)).toEqual([30, 30]);
	});

	it('spread calls over the day', async () => {
		const parameters = {
			...{ resource: 'voiceCampaign', operation: 'create', phoneNumberField: 'phone' },
			...{ name: `=Reminders ${written('{{ $runIndex }}').slice(1)}`, startDate: '2030-05-17' },
			startTime: written(
				"{{ $today.set({ hour: 9 }).plus({ minutes: 30 * $runIndex }).toFormat('HH:mm') }}",
			),
			...{ finishTime: '17:00', answerMachineDetected: '1', smsOnBusy: '0' },
			callflow_Id: { __rl: true, mode: 'id', value: '301' },
			defaultCli_Id: { __rl: true, mode: 'id', value: '401' },
		};
		await run(rows, [loop, service('Create', parameters)], true);
		const made = await bodies<VoiceCampaign>('/api/campaigns/voice');
		expect(
			made.map(({ name, startTime, phoneNumbers }) => [name, startTime, phoneNumbers.length]),
		).toEqual([
			['Reminders 0', '09:00', 2],
			['Reminders 1', '09:30', 2],
			['Reminders 2', '10:00', 1],
		]);
	});

	it('start a campaign tomorrow at nine', async () => {
		const startDateTime = written(
			"{{ $now.setZone('Europe/London').plus({ days: 1 }).set({ hour: 9, minute: 0, second: 0, millisecond: 0 }) }}",
		);
		await run(rows, [service('Create', { ...campaign, startDateTime })]);
		const [made] = await bodies<Campaign>('/api/Campaigns');
		const start = DateTime.fromISO(made?.startDateTime ?? '', { zone: 'Europe/London' });
		expect(start.toFormat('HH:mm:ss')).toBe('09:00:00');
		expect(start.diffNow('hours').hours).toBeGreaterThan(7);
		expect(made?.contacts).toHaveLength(5);
	});

	it('send nothing on a holiday', async () => {
		const table = (parameters: Record<string, unknown>) => ({
			...{ dataTableId: { __rl: true, mode: 'name', value: 'Holidays' } },
			...parameters,
		});
		const today = written('{{ $today.toISODate() }}');
		const create = node('Table', 'n8n-nodes-base.dataTable', 1.1, {
			...{ resource: 'table', operation: 'create', tableName: 'Holidays' },
			columns: { column: [{ name: 'date', type: 'string' }] },
			options: { createIfNotExists: true },
		});
		await run([{}], [create]);
		const unlessHoliday = node('Holiday?', 'n8n-nodes-base.dataTable', 1.1, {
			...table({ resource: 'row', operation: 'rowNotExists', matchType: 'allConditions' }),
			filters: { conditions: [{ keyName: 'date', keyValue: today }] },
		});
		const send = service('Send', { ...sms, phoneNumber: '={{ $json.phone }}' });
		await run(rows.slice(0, 1), [unlessHoliday, send]);
		expect(await bodies()).toHaveLength(1);
		const add = node('Add', 'n8n-nodes-base.dataTable', 1.1, {
			...table({ resource: 'row', operation: 'insert', options: {} }),
			columns: {
				...{ mappingMode: 'defineBelow', value: { date: today }, matchingColumns: [] },
				schema: [{ id: 'date', displayName: 'date', type: 'string', display: true }],
			},
		});
		await run([{}], [add]);
		await run(rows.slice(0, 1), [unlessHoliday, send]);
		expect(await bodies()).toHaveLength(1);
	});

	const check = service('Check', {
		...{ resource: 'phoneNumber', operation: 'check', phoneNumber: '={{ $json.phone }}' },
		options: { defaultCountry: 'GB' },
	});

	it('choose the sender by country, and send to each number once', async () => {
		const once = node('Once', 'n8n-nodes-base.removeDuplicates', 2, {
			...{ operation: 'removeDuplicateInputItems', compare: 'selectedFields' },
			...{ fieldsToCompare: 'phoneNumber', options: {} },
		});
		const sender = written("{{ $json.country === 'US' ? '+12125550100' : 'Shop' }}");
		const greeting = written("Hello {{ $json.name || 'there' }}");
		const link = 'https://shop.example.com/?name={{ encodeURIComponent($json.name) }}';
		const message = `${greeting} ${written(link).slice(1)}`;
		const input = [
			{ phone: '07700 900123', name: 'A & B' },
			{ phone: '+447700900123', name: 'A & B' },
			{ phone: '+12125550123', name: '' },
		];
		const send = { ...sms, sender, message, phoneNumber: '={{ $json.phone }}' };
		await run(input, [
			check,
			once,
			service('Send', { ...send, options: { defaultCountry: 'GB' } }),
		]);
		expect(await bodies()).toEqual([
			{
				...{ phoneNumber: '+447700900123', sender: 'Shop' },
				message: 'Hello A & B https://shop.example.com/?name=A%20%26%20B',
			},
			{
				...{ phoneNumber: '+12125550123', sender: '+12125550100' },
				message: 'Hello there https://shop.example.com/?name=',
			},
		]);
	});

	it('find the rows that are open after n8n was killed', async () => {
		for (const phoneNumber of ['+447700900101', '+447700900102']) {
			await postToService('SMSMessages', { phoneNumber, message: 'Hello', sender: 'Shop' });
		}
		const input = ['07700 900101', '+44 7700 900102', '07700 900103'].map((phone) => ({ phone }));
		const { type, id: credentialId, name } = suite.credential;
		const credentials = { [type]: { id: credentialId, name } };
		const to = (wanted: string, index = 0) => ({ node: wanted, type: 'main', index });
		const { id } = await suite.n8n.createWorkflow({
			name: 'After a Kill',
			nodes: [
				node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
				node('Rows', 'n8n-nodes-base.code', 2, {
					jsCode: `return ${JSON.stringify(input)}.map((json) => ({ json }));`,
				}),
				{ ...check, credentials },
				{
					...service('Sent', { resource: 'smsMessage', operation: 'getAll', returnAll: true }),
					credentials,
				},
				node('Compare', 'n8n-nodes-base.compareDatasets', 2.3, {
					mergeByFields: { values: [{ field1: 'phoneNumber', field2: 'phoneNumber' }] },
					options: {},
				}),
			],
			connections: {
				Start: { main: [[to('Rows'), to('Sent')]] },
				Rows: { main: [[to('Check')]] },
				Check: { main: [[to('Compare')]] },
				Sent: { main: [[to('Compare', 1)]] },
			},
			settings: zone,
		});
		const execution = await suite.n8n.runWorkflow(id, 'Start');
		await suite.n8n.deleteWorkflow(id);
		expect(dataOf(execution, 'Compare').map(({ phone }) => phone)).toEqual(['07700 900103']);
	});
});
