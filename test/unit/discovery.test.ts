import { readFileSync } from 'node:fs';
import path from 'node:path';
import { validateNodeDescription } from 'n8n-core/dist/nodes-loader/validate-node-description';
import type { INode, INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { MessagingServicePollTrigger } from '../../nodes/MessagingService/MessagingServicePollTrigger.node';
import { MessagingServiceTrigger } from '../../nodes/MessagingService/MessagingServiceTrigger.node';
import { resources } from '../../nodes/MessagingService/resources';

const folder = path.resolve(__dirname, '..', '..', 'nodes', 'MessagingService');

interface Codex {
	node: string;
	categories: string[];
	alias: string[];
}

const codexOf = (name: string) =>
	JSON.parse(readFileSync(path.join(folder, `${name}.node.json`), 'utf8')) as Codex;

/** A node's subtitle, evaluated as the editor does it. */
async function subtitleOf(nodeType: INodeType, parameters: INodeParameters): Promise<unknown> {
	const { name, subtitle = '' } = nodeType.description;
	const node: INode = {
		...{ id: '1', name, type: name, typeVersion: 1, position: [0, 0] },
		parameters,
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => nodeType,
			getByNameAndVersion: () => nodeType,
			getKnownTypes: () => ({}),
		},
	});
	await workflow.expression.acquireIsolate();
	try {
		return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

describe('the search of the node panel', () => {
	const wanted = ['SMS', 'text message', 'call', 'voice', 'campaign', 'broadcast'];

	test.each(['MessagingService', 'MessagingServiceTrigger'])('finds %s', (name) => {
		const codex = codexOf(name);
		expect(codex.alias).toEqual(
			expect.arrayContaining([...wanted, 'delivery report', 'opt-out', 'IVR']),
		);
		expect(new Set(codex.alias.map((alias) => alias.toLowerCase())).size).toBe(codex.alias.length);
		expect(codex.categories).toEqual(['Communication', 'Marketing']);
		expect(codex.node.toLowerCase()).toBe(`n8n-nodes-messaging-service.${name.toLowerCase()}`);
	});

	test('shows one description for the pair: that of the trigger, which covers both', () => {
		const { description } = new MessagingServiceTrigger().description;
		expect(description).toMatch(/SMS/);
		expect(description).toMatch(/voice campaigns/);
		expect(description).toMatch(/start workflows/);
	});
});

/** Fields of the action node that a model gets wrong: each has a hint wherever it is shown. */
const HINTED = [
	...['contactsSource', 'phoneNumbersSource', 'phoneNumberField', 'otherFields', 'message'],
	...['inputFieldNames'],
	...['optOutLinkId', 'callflow_Id', 'defaultCli_Id', 'cli_Id', 'answerMachineDetected'],
	...['smsOnBusy', 'startDateTime', 'startDate', 'startTime', 'finishTime', 'webHookUrl', 'dryRun'],
];

/** The fields of a node, and those of their collections that have a value of the service. */
const withMembers = (properties: readonly INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) =>
		property.type === 'collection' && !['inputFieldNames', 'otherFields'].includes(property.name)
			? [property, ...withMembers((property.options ?? []) as INodeProperties[])]
			: [property],
	);

describe("the hints for n8n's AI builder", () => {
	const nodes = [
		new MessagingService(),
		new MessagingServiceTrigger(),
		new MessagingServicePollTrigger(),
	];

	test.each(nodes)('say when to use the node, and with which others', ({ description }) => {
		const { searchHint, relatedNodes = [] } = description.builderHint ?? {};
		expect(searchHint).toMatch(/^[A-Z].*\.$/);
		const names = nodes.map((node) => `n8n-nodes-messaging-service.${node.description.name}`);
		expect(relatedNodes.length).toBeGreaterThan(0);
		expect(relatedNodes.filter(({ nodeType }) => !names.includes(nodeType))).toEqual([]);
	});

	test.each(HINTED)('say how to fill in %s', (name) => {
		const fields = withMembers(new MessagingService().description.properties).filter(
			(property) => property.name === name,
		);
		expect(fields.length).toBeGreaterThan(0);
		for (const { builderHint } of fields) expect(builderHint?.propertyHint).toMatch(/^[A-Z].*\.$/);
	});

	test.each(nodes)(
		'stand where n8n 2.41 accepts them: with any other it does not load the node',
		({ description }) => {
			expect(() => {
				validateNodeDescription(description);
			}).not.toThrow();
			const menu: INodeProperties = {
				...{ displayName: 'Resource', name: 'resource', type: 'options', default: '' },
				builderHint: { propertyHint: 'here' },
			};
			expect(() => {
				validateNodeDescription({ ...description, properties: [menu] });
			}).toThrow('builderHint');
		},
	);
});

describe('the subtitle', () => {
	test.each(
		resources.flatMap(({ value, name, operations }) =>
			operations.map((operation) => ({
				parameters: { resource: value, operation: operation.value },
				wanted: `${operation.name}: ${name}`,
			})),
		),
	)('of the action node reads $wanted', async ({ parameters, wanted }) => {
		expect(await subtitleOf(new MessagingService(), parameters)).toBe(wanted);
	});

	test('of the trigger names the events', async () => {
		const trigger = new MessagingServiceTrigger();
		const events = ['callAttempted', 'smsStatus'];
		expect(await subtitleOf(trigger, { events })).toBe('Call Attempted, SMS Status');
		expect(await subtitleOf(trigger, { events: ['smsStatus'] })).toBe('SMS Status');
	});
});
