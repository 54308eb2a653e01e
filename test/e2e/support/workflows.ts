import { createHmac } from 'node:crypto';
import type {
	CredentialSummary,
	Execution,
	N8nClient,
	WorkflowContent,
	WorkflowNode,
} from '../../../host/n8nClient.ts';
import { credentialType, nodeTypes } from '../../../host/workflows.ts';
import { sandbox } from './host.ts';

/** The node under test, in the workflows that `actionWorkflow` makes. */
export const actionName = 'Messaging Service';

/** The trigger under test, in the workflows that `triggerWorkflow` makes. */
export const triggerName = 'Messaging Service Trigger';

/** What the credential needs for the shared sandbox. */
export function sandboxCredentialData(): Record<string, unknown> {
	const { url, apiKey } = sandbox();
	return {
		baseUrl: url,
		clientId: '1001',
		authentication: 'header',
		headerName: 'X-Api-Key',
		headerSecret: apiKey,
		webhookSecret,
	};
}

/** What a path needs: it can be guessed. */
const webhookSecret = 'a secret of the tests';

/** The URL that a trigger with a path registers, and at which it takes events. */
export function webhookUrl(n8nUrl: string, path: string, secret = webhookSecret): string {
	const token = createHmac('sha256', secret).update('messaging-service-webhook').digest('hex');
	return `${n8nUrl}/webhook/${path}?token=${token}`;
}

/** A credential; for the shared sandbox unless some of its data is given. */
export async function createCredential(
	n8n: N8nClient,
	name: string,
	data: Record<string, unknown> = {},
): Promise<CredentialSummary> {
	return await n8n.createCredential(name, credentialType, { ...sandboxCredentialData(), ...data });
}

function node(
	name: string,
	type: string,
	typeVersion: number,
	column: number,
	rest: Partial<WorkflowNode> = {},
): WorkflowNode {
	return {
		id: `node-${String(column)}`,
		name,
		type,
		typeVersion,
		position: [column * 220, 0],
		parameters: {},
		...rest,
	};
}

const credentials = ({ id, name }: CredentialSummary) => ({ [credentialType]: { id, name } });

/** Connections from each node to the next. */
export const chain = (...names: string[]): Record<string, unknown> =>
	Object.fromEntries(
		names
			.slice(0, -1)
			.map((name, index) => [
				name,
				{ main: [[{ node: names[index + 1], type: 'main', index: 0 }]] },
			]),
	);

const startName = 'Start';
const rowsName = 'Rows';

/** Manual start -> a node that gives these rows. */
export function rowsWorkflow(name: string, rows: Record<string, unknown>[]): WorkflowContent {
	const jsCode = `return ${JSON.stringify(rows)}.map((json) => ({ json }));`;
	return {
		name,
		nodes: [
			node(startName, 'n8n-nodes-base.manualTrigger', 1, 0),
			node(rowsName, 'n8n-nodes-base.code', 2, 1, { parameters: { jsCode } }),
		],
		connections: chain(startName, rowsName),
	};
}

/** Manual start -> these rows -> the action node with these parameters. */
export function actionWorkflow(
	name: string,
	credential: CredentialSummary,
	rows: Record<string, unknown>[],
	parameters: Record<string, unknown>,
	settings: Partial<WorkflowNode> = {},
): WorkflowContent {
	const before = rowsWorkflow(name, rows);
	return {
		...before,
		nodes: [
			...before.nodes,
			node(actionName, nodeTypes.action, 1, 2, {
				parameters,
				credentials: credentials(credential),
				...settings,
			}),
		],
		connections: chain(startName, rowsName, actionName),
	};
}

/** Evaluation Trigger on a data table -> the action node with these parameters -> a metric. */
export function evaluatedWorkflow(
	name: string,
	credential: CredentialSummary,
	dataTableId: string,
	parameters: Record<string, unknown>,
): WorkflowContent {
	const trigger = 'Each Row';
	const metric = 'Metric';
	const assignments = [{ id: 'sent', name: 'sent', type: 'number', value: 1 }];
	return {
		name,
		nodes: [
			node(trigger, 'n8n-nodes-base.evaluationTrigger', 4.7, 0, {
				parameters: { dataTableId: { __rl: true, mode: 'id', value: dataTableId } },
			}),
			node(actionName, nodeTypes.action, 1, 1, {
				parameters,
				credentials: credentials(credential),
			}),
			node(metric, 'n8n-nodes-base.evaluation', 4.7, 2, {
				parameters: {
					...{ operation: 'setMetrics', metric: 'customMetrics' },
					metrics: { assignments },
				},
			}),
		],
		connections: chain(trigger, actionName, metric),
	};
}

/** Manual start -> these rows -> several action nodes side by side, each with its own parameters. */
export function actionsWorkflow(
	name: string,
	credential: CredentialSummary,
	rows: Record<string, unknown>[],
	actions: Record<string, Record<string, unknown>>,
): WorkflowContent {
	const before = rowsWorkflow(name, rows);
	const names = Object.keys(actions);
	return {
		...before,
		nodes: [
			...before.nodes,
			...Object.entries(actions).map(([action, parameters], index): WorkflowNode => ({
				...node(action, nodeTypes.action, 1, 2, {
					parameters,
					credentials: credentials(credential),
				}),
				id: `action-${String(index)}`,
				position: [440, index * 200],
			})),
		],
		connections: {
			...chain(startName, rowsName),
			[rowsName]: { main: [names.map((action) => ({ node: action, type: 'main', index: 0 }))] },
		},
	};
}

/** Makes an `actionWorkflow` and runs it once. */
export async function runAction(
	n8n: N8nClient,
	...workflow: Parameters<typeof actionWorkflow>
): Promise<Execution> {
	const { id } = await n8n.createWorkflow(actionWorkflow(...workflow));
	return await n8n.runWorkflow(id, 'Start');
}

/**
 * The trigger node -> a node that does nothing.
 * @param parameters with the Path of its options, if it has one, beside them
 */
export function triggerWorkflow(
	name: string,
	credential: CredentialSummary,
	{ path, ...parameters }: Record<string, unknown>,
): WorkflowContent {
	const options = { ...(parameters.options as object), ...(path !== undefined && { path }) };
	return {
		name,
		nodes: [
			node(triggerName, nodeTypes.trigger, 2, 0, {
				webhookId: crypto.randomUUID(),
				parameters: { ...parameters, options },
				credentials: credentials(credential),
			}),
			node('End', 'n8n-nodes-base.noOp', 1, 1),
		],
		connections: chain(triggerName, 'End'),
	};
}

/** Poll times so many seconds apart: n8n refuses less than a minute, but takes several of them. */
export const pollEvery = (seconds: number) => ({
	item: Array.from({ length: 60 / seconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${String(index * seconds)} * * * * *`,
	})),
});

/** The poll trigger alone, which polls every two seconds. */
export function pollWorkflow(
	name: string,
	credential: CredentialSummary,
	parameters: Record<string, unknown>,
): WorkflowContent {
	const trigger = node(name, nodeTypes.pollTrigger, 1, 0, {
		parameters: { pollTimes: pollEvery(2), ...parameters },
		credentials: credentials(credential),
	});
	return { name, nodes: [trigger], connections: {} };
}
