import axios from 'axios';
import { N8nClient } from '../../../host/n8nClient.ts';
import { ServiceClient } from '../../../host/serviceClient.ts';
import { startSandbox, type Sandbox } from '../../support/sandbox.ts';

/** Where the shared n8n is. */
export interface E2eHost {
	n8nUrl: string;
	n8nVersion: string;
	/** Where n8n itself is installed. */
	n8nFolder: string;
	n8nLog: string;
	/** The packed package that n8n runs. */
	tarball: string;
	/** For what tests leave behind: pictures, for example. */
	folder: string;
	/** Where the process that started it all takes commands. */
	commandUrl: string;
}

/** Where the sandbox of this test file is. */
export interface FileSandbox {
	sandboxUrl: string;
	sandboxKey: string;
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

/** What globalSetup.cjs has started. */
export function sharedHost(): E2eHost {
	const description = process.env.E2E_HOST;
	if (description === undefined) {
		throw new Error('No shared n8n: run these tests with `npm test -- e2e`.');
	}
	return JSON.parse(description) as E2eHost;
}

/** The shared n8n and, in hooks and tests, the sandbox of this file. */
export function host(): E2eHost & FileSandbox {
	const started = () => {
		if (ownSandbox === undefined) throw new Error('The sandbox has not started yet.');
		return ownSandbox;
	};
	return {
		...sharedHost(),
		get sandboxUrl() {
			return started().url;
		},
		get sandboxKey() {
			return started().apiKey;
		},
	};
}

/** The shared n8n, with the owner logged in. */
export async function loggedIn(): Promise<N8nClient> {
	const client = new N8nClient(sharedHost().n8nUrl);
	await client.logIn();
	return client;
}

/** The sandbox of this file. */
export function sandbox(): ServiceClient {
	const { sandboxUrl, sandboxKey } = host();
	return new ServiceClient(sandboxUrl, sandboxKey);
}

/** A request to the sandbox of this file as a client makes it, past n8n; fails unless it succeeds. */
export async function postToService<Result>(path: string, body: object = {}): Promise<Result> {
	const { sandboxUrl, sandboxKey } = host();
	const { data, status } = await axios.post<Result>(`${sandboxUrl}/api/${path}`, body, {
		headers: { 'X-Api-Key': sandboxKey },
		proxy: false,
		validateStatus: () => true,
	});
	if (status >= 300) throw new Error(`${path}: ${String(status)} ${JSON.stringify(data)}`);
	return data;
}
