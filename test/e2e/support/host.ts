import { N8nClient } from '../../../host/n8nClient.ts';
import type { N8nInstallation } from '../../../host/n8nInstall.ts';
import { startSandbox, type Sandbox } from '../../../host/sandbox.ts';

/** Where the shared n8n is. */
export interface E2eHost {
	n8nUrl: string;
	installation: N8nInstallation;
	n8nLog: string;
	/** The packed package that n8n runs. */
	tarball: string;
	/** For what tests leave behind: pictures, for example. */
	folder: string;
}

let ownSandbox: Sandbox | undefined;

/** Starts the sandbox of this test file; perFile.ts does it. */
export async function startOwnSandbox(): Promise<void> {
	ownSandbox = await startSandbox();
}

/** Stops it. */
export async function stopOwnSandbox(): Promise<void> {
	await ownSandbox?.stop();
	ownSandbox = undefined;
}

/** What hostSetup.cjs has started. */
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

/** The sandbox of this file, in hooks and tests. */
export function sandbox(): Sandbox {
	if (ownSandbox === undefined) throw new Error('The sandbox has not started yet.');
	return ownSandbox;
}

/** The SMS messages, or another kind of thing, that this file's sandbox was asked to make, in order. */
export async function bodies<Body = Record<string, unknown>>(
	path = 'SMSMessages',
): Promise<Body[]> {
	const { items } = await sandbox().requests({ method: 'POST', path, limit: 100_000 });
	return items.map(({ body }) => body as Body);
}

/** A request to the sandbox of this file as a client makes it, past n8n; fails unless it succeeds. */
export async function postToService<Result>(path: string, body: object = {}): Promise<Result> {
	const { data, status } = await sandbox().api.post<Result>(`/api/${path}`, body);
	if (status >= 300) throw new Error(`${path}: ${String(status)} ${JSON.stringify(data)}`);
	return data;
}
