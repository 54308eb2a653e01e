import { isEmpty, pick, sortBy } from 'lodash';
import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import type {
	CredentialSummary,
	N8nClient,
	WorkflowContent,
	WorkflowNode,
} from '../../host/n8nClient.ts';
import { credentialType, nodeTypes } from '../../host/workflows.ts';
import {
	credentialFor,
	locator,
	pairs,
	properties,
	validParameters,
} from '../support/everyOperation.ts';
import { loggedIn, sandbox } from './support/host.ts';
import { chain, createCredential, rowsWorkflow } from './support/workflows.ts';

/** By the search of a locator: the record that another operation has made. */
const MADE: Readonly<Record<string, string>> = {
	searchSmsCampaigns: "={{ $('smsCampaign create').first().json.id }}",
	searchSmsMessages: "={{ $('smsMessage send').first().json.newId }}",
	searchVoiceCampaigns: "={{ $('voiceCampaign create').first().json.id }}",
	searchStoredNumbers: "={{ $('phoneNumberStorage create').first().json.storageID }}",
};

/** What the sandbox has, and names that it does not have yet. */
const OF_SANDBOX: Readonly<Record<string, unknown>> = {
	callflow_Id: locator('301'),
	defaultCli_Id: locator('401'),
	cli_Id: locator('402'),
};

/** What makes a record comes before what reads it. */
const operations = sortBy(pairs, ({ operation }) => !/^(create|send)/.test(operation));

type Pair = (typeof pairs)[number];

const nameOf = ({ resource, operation }: Pair) => `${resource} ${operation}`;

function parametersOf(pair: Pair): INodeParameters {
	const parameters = validParameters(pair) as INodeParameters;
	for (const [name, value] of Object.entries(OF_SANDBOX)) {
		if (name in parameters) parameters[name] = value as NodeParameterValueType;
	}
	if (pair.resource === 'voiceCampaign') parameters.name = nameOf(pair);
	const locators = properties.filter(
		({ name, type }) => type === 'resourceLocator' && name in parameters,
	);
	for (const { name, displayOptions, modes = [] } of locators) {
		const isOfPair =
			displayOptions?.show?.resource?.includes(pair.resource) === true &&
			displayOptions.show.operation?.includes(pair.operation) === true;
		const made = modes.map(({ typeOptions }) => MADE[typeOptions?.searchListMethod ?? '']);
		const id = made.find((each) => each !== undefined);
		if (isOfPair && id !== undefined) parameters[name] = locator(id) as NodeParameterValueType;
	}
	return parameters;
}

/** Each operation once. */
function workflowOfAll(credentialOf: (pair: Pair) => CredentialSummary): WorkflowContent {
	const before = rowsWorkflow('Every operation', [{}]);
	const nodes: WorkflowNode[] = operations.map((pair, index) => ({
		id: `operation-${String(index)}`,
		name: nameOf(pair),
		type: nodeTypes.action,
		typeVersion: 1,
		position: [440 + index * 220, 0],
		parameters: parametersOf(pair),
		credentials: { [credentialType]: pick(credentialOf(pair), ['id', 'name']) },
		alwaysOutputData: true,
		executeOnce: true,
	}));
	const all = [...before.nodes, ...nodes];
	return { ...before, nodes: all, connections: chain(...all.map((node) => node.name)) };
}

/** The requests that the sandbox has received so far. */
async function requests() {
	return (await sandbox().requests({ limit: 10_000 })).items;
}

describe('every operation in a real n8n', () => {
	let n8n: N8nClient;
	let credential: CredentialSummary;
	/** With what some operations need. */
	let special: CredentialSummary;

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await createCredential(n8n, 'Operations');
		const needed = operations.map(credentialFor).find((fields) => !isEmpty(fields));
		special = await createCredential(n8n, 'Special Operations', needed);
	});

	it('runs in one workflow, each on what the others made', async () => {
		const before = await requests();
		const { id } = await n8n.createWorkflow(
			workflowOfAll((pair) => (isEmpty(credentialFor(pair)) ? credential : special)),
		);
		const execution = await n8n.runWorkflow(id, 'Start');

		expect(execution.error).toBeUndefined();
		const isMissing = (pair: Pair) => execution.items(nameOf(pair)).length === 0;
		expect(operations.filter(isMissing)).toEqual([]);
		const answered = (await requests()).slice(before.length);
		// The storage has no page 0, which is how its first page is found out, with each credential.
		const refused = answered.filter(({ status }) => Number(status) >= 400);
		expect(new Set(refused.map(({ operationId }) => operationId))).toEqual(
			new Set(['listStoredPhoneNumbers']),
		);
	});
});
