import { readFileSync } from 'node:fs';
import path from 'node:path';
import { validateNodeDescription } from 'n8n-core/dist/nodes-loader/validate-node-description';
import type { INode, INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
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

describe("the hints for n8n's AI builder", () => {
	test.each([new MessagingService(), new MessagingServiceTrigger()])(
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
