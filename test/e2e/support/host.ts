import { N8nClient } from '../../../host/n8nClient.ts';
import { ServiceClient } from '../../../host/serviceClient.ts';

/** Where the shared n8n and sandbox are. */
export interface E2eHost {
	n8nUrl: string;
	n8nVersion: string;
	/** Where n8n itself is installed. */
	n8nFolder: string;
	n8nLog: string;
	sandboxUrl: string;
	sandboxKey: string;
	/** The packed package that n8n runs. */
	tarball: string;
	/** For what tests leave behind: pictures, for example. */
	folder: string;
}

/** What globalSetup.cjs has started. */
export function host(): E2eHost {
	const description = process.env.E2E_HOST;
	if (description === undefined) {
		throw new Error('No shared n8n: run these tests with `npm test -- e2e`.');
	}
	return JSON.parse(description) as E2eHost;
}

/** The shared n8n, with the owner logged in. */
export async function loggedIn(): Promise<N8nClient> {
	const client = new N8nClient(host().n8nUrl);
	await client.logIn();
	return client;
}

/** The shared sandbox. */
export function sandbox(): ServiceClient {
	const { sandboxUrl, sandboxKey } = host();
	return new ServiceClient(sandboxUrl, sandboxKey);
}
