import type {
	ICredentialsHelper,
	IDataObject,
	IHttpRequestOptions,
	INodeType,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';

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

/**
 * What n8n's engine and contexts get from the n8n around them.
 * @param readCredential gives the values of a credential, as a user would enter them
 * @param more what a context needs beside that
 */
export function surroundings(
	readCredential: (id?: string | null) => IDataObject | Promise<IDataObject>,
	more: object = {},
): IWorkflowExecuteAdditionalData {
	const type = new MessagingServiceApi();
	const credentialsHelper: Partial<ICredentialsHelper> = {
		isCredentialUsableByNode: () => true,
		getParentTypes: () => [],
		getDecrypted: async (_, { id }) => ({ ...(await readCredential(id)) }) as never,
		authenticate: async (credentials, _type, options) =>
			(await type.authenticate(credentials, options as IHttpRequestOptions)) as IHttpRequestOptions,
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
