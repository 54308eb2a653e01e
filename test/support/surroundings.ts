import { getAdditionalKeys } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	ICredentialsHelper,
	IDataObject,
	IHttpRequestOptions,
	INodeParameters,
	INodeType,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

/** Where the n8n around the nodes seems to be. */
export const n8nBase = 'https://n8n.example.com';

/** The node types of a test, by their names. */
export function nodeTypesFor(types: Record<string, INodeType>): INodeTypes {
	const find = (name: string) => {
		const type = types[name];
		if (type === undefined) throw new Error(`No node type ${name} in this test`);
		return type;
	};
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
}

type Decrypting = Parameters<ICredentialsHelper['getDecrypted']>;

/** The expressions of a credential, resolved as n8n's own helper does. */
function resolved(
	data: IDataObject,
	{
		additionalData,
		mode,
		executeData,
		values,
	}: {
		additionalData: Decrypting[0];
		mode: Decrypting[3];
		executeData: Decrypting[4];
		values: Decrypting[6];
	},
): never {
	const hasExpression = Object.values(data).some(
		(value) => typeof value === 'string' && value.startsWith('='),
	);
	if (!hasExpression) return data as never;
	const entered = data as INodeParameters;
	const keys = getAdditionalKeys(additionalData, mode, null, { isCredential: true } as never);
	if (values !== undefined) {
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
		return workflow.expression.getParameterValue(
			...([
				entered,
				runExecutionData,
				runIndex,
				itemIndex,
				node.name,
				connectionInputData,
			] as const),
			...([mode, keys, executeData, false, entered] as const),
		) as never;
	}
	const node = {
		id: 'mock',
		name: 'mock',
		type: 'mock',
		typeVersion: 1,
		position: [0, 0] as never,
	};
	const workflow = new Workflow({
		nodes: [{ ...node, parameters: {} }],
		connections: {},
		active: false,
		nodeTypes: nodeTypesFor({ mock: { description: { properties: [] } } as never }),
	});
	return workflow.expression.getComplexParameterValue(
		...([{ ...node, parameters: {} }, entered, mode, keys] as const),
		...([undefined, undefined, entered] as const),
	) as never;
}

/**
 * What n8n's engine and contexts get from the n8n around them.
 * @param readCredential gives the values of a credential, as a user would enter them
 * @param more what a context needs beside that
 */
export function surroundings(
	readCredential: (id?: string | null) => IDataObject | Promise<IDataObject>,
	more: object = {},
): IWorkflowExecuteAdditionalData {
	const credentialsHelper: Partial<ICredentialsHelper> = {
		isCredentialUsableByNode: () => true,
		getParentTypes: () => [],
		getDecrypted: async (additionalData, { id }, _type, mode, executeData, _raw, values) =>
			resolved({ ...(await readCredential(id)) }, { additionalData, mode, executeData, values }),
		authenticate: async (_credentials, _type, options) => options as IHttpRequestOptions,
		preAuthentication: async () => undefined,
	};
	return {
		credentialsHelper,
		restApiUrl: `${n8nBase}/rest`,
		instanceBaseUrl: `${n8nBase}/`,
		webhookBaseUrl: `${n8nBase}/webhook`,
		webhookTestBaseUrl: `${n8nBase}/webhook-test`,
		webhookWaitingBaseUrl: `${n8nBase}/webhook-waiting`,
		formWaitingBaseUrl: `${n8nBase}/form-waiting`,
		variables: {},
		...more,
	} as unknown as IWorkflowExecuteAdditionalData;
}
