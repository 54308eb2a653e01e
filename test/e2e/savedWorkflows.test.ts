import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { countBy, difference } from 'lodash';
import type { INodeTypeDescription } from 'n8n-workflow';
import type { N8nClient, WorkflowContent } from '../../host/n8nClient.ts';
import { credentialType, exampleFiles, nodeTypes } from '../../host/workflows.ts';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { resources } from '../../nodes/MessagingService/resources';
import { loggedIn, sandbox } from './support/host.ts';
import { itOnN8n2 } from './support/versions.ts';
import { createCredential } from './support/workflows.ts';

/**
 * Workflows as people have them: in the form in which the editor copies them, with n8n's own nodes
 * around ours. Those of `examples/` have most operations, and tests of their own; these have the others.
 */
const folder = path.join(__dirname, 'workflows');

const CLICK = 'When clicking ‘Execute workflow’';

interface Saved {
	/** The node from which it is executed. */
	start: string;
	credential?: Record<string, unknown>;
	/** The requests that the service accepts. */
	requests: Record<string, number>;
	/** How many items the last node has. */
	last: [name: string, items: number];
}

const SAVED: Record<string, Saved> = {
	'planned-campaigns.json': {
		start: 'Every Monday',
		requests: {
			createSmsCampaign: 3,
			getSmsCampaign: 3,
			updateSmsCampaign: 1,
			postSmsCampaignById: 1,
			listSmsCampaignContacts: 3,
		},
		last: ['Aggregate', 1],
	},
	'calls-for-a-client.json': {
		start: CLICK,
		requests: { createVoiceCampaignForClient: 1, getVoiceCampaign: 1, listAllVoiceCampaigns: 1 },
		last: ['Merge', 1],
	},
	'customers-by-webhook.json': {
		start: 'Webhook',
		requests: {
			saveStoredPhoneNumber: 3,
			postStoredPhoneNumberById: 1,
			getStoredPhoneNumber: 2,
			listStoredPhoneNumbers: 1,
		},
		last: ['Get many stored phone numbers', 2],
	},
	'opt-outs-from-a-list.json': {
		start: CLICK,
		credential: {
			...{ sendingPolicy: true, doNotContactParameter: 'parameter9' },
			...{ doNotContactValue: 'Opt out' },
		},
		// Undo Opt-Out looks whether another record keeps somebody on the list.
		requests: { saveStoredPhoneNumber: 3, listStoredPhoneNumbers: 1 },
		last: ['Merge', 3],
	},
	'webhook-by-hand.json': {
		start: CLICK,
		requests: { updateWebHook: 2 },
		last: ['Remove webhook', 1],
	},
};

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as WorkflowContent;

/** The operations in a workflow; n8n does not save what is a default. */
function operationsIn({ nodes }: WorkflowContent): string[] {
	const { properties }: INodeTypeDescription = new MessagingService().description;
	const initial = (name: string, resource?: string) =>
		properties.find(
			({ name: each, displayOptions }) =>
				each === name &&
				(resource === undefined || displayOptions?.show?.resource?.includes(resource) === true),
		)?.default;
	return nodes
		.filter(({ type }) => type === nodeTypes.action)
		.map(({ parameters }) => {
			const resource = String(parameters.resource ?? initial('resource'));
			return `${resource} ${String(parameters.operation ?? initial('operation', resource))}`;
		});
}

describe('saved workflows', () => {
	let n8n: N8nClient;

	beforeAll(async () => {
		n8n = await loggedIn();
	});

	it('have every operation', () => {
		const examples = exampleFiles().map((file) => path.join(__dirname, '../../examples', file));
		const own = Object.keys(SAVED).map((file) => path.join(folder, file));
		expect(readdirSync(folder).sort()).toEqual(Object.keys(SAVED).sort());
		const all = resources.flatMap(({ value: resource, operations }) =>
			operations.map(({ value }) => `${resource} ${value}`),
		);
		const found = [...examples, ...own].map(read).flatMap(operationsIn);
		expect(difference(all, found)).toEqual([]);
	});

	for (const [file, { start, credential: data, requests, last }] of Object.entries(SAVED)) {
		itOnN8n2('newer versions of its nodes')(`do what they say: ${file}`, async () => {
			const credential = await createCredential(n8n, file, data);
			const { nodes, ...content } = read(path.join(folder, file));
			for (const { credentials } of nodes) {
				if (credentials?.[credentialType]) credentials[credentialType] = credential;
			}
			const before = (await sandbox().requests({ limit: 10_000 })).items.length;
			const { id } = await n8n.createWorkflow({ ...content, name: file, nodes });
			const execution = await n8n.runWorkflow(id, start);
			expect(execution.error).toBeUndefined();
			const [name, count] = last;
			expect(execution.items(name)).toHaveLength(count);
			const sent = (await sandbox().requests({ limit: 10_000 })).items.slice(before);
			const accepted = sent.filter(({ status }) => Number(status) < 400);
			expect(countBy(accepted, 'operationId')).toEqual(requests);
		});
	}
});
