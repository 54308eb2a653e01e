import { mkdirSync } from 'node:fs';
import path from 'node:path';
import axios from 'axios';
import { npmEnvironment, withNode } from './environment.cjs';
import type { N8nInstallation } from './n8nInstall.ts';
import { freePort, loopback } from './ports.ts';
import { startServer, untilReady, type Server } from './server.ts';

/** A running n8n. */
export interface N8nProcess {
	/**
	 * Where its editor, REST interface and webhooks are, without a slash at the end; of a worker,
	 * where it tells about its health.
	 */
	url: string;
	server: Server;
}

/** What to start n8n with. */
export interface N8nOptions {
	installation: N8nInstallation;
	/** n8n's user folder: everything it keeps is in its `.n8n`. */
	userFolder: string;
	logFile: string;
	/** n8n's command and its arguments: all of n8n unless given. */
	command?: readonly string[];
	/** Used when it is free; another one otherwise, which stays free while n8n is stopped. */
	preferredPort?: number;
	/** More variables, or other values for ours. */
	environment?: NodeJS.ProcessEnv;
}

/** The settings of n8n itself that leak from the user's own shell must not decide anything here. */
function withoutN8nSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	const foreign =
		/^(N8N_|DB_|EXECUTIONS_|QUEUE_|OFFLOAD_|WEBHOOK_URL$|NODES_|NODE_FUNCTION_|GENERIC_TIMEZONE$)/;
	return Object.fromEntries(Object.entries(environment).filter(([name]) => !foreign.test(name)));
}

/**
 * n8n for local use: loopback only, SQLite, every execution saved, and nothing that calls home.
 * `N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE` is what makes many webhook executions a second possible.
 */
async function environmentFor(options: N8nOptions, port: number): Promise<NodeJS.ProcessEnv> {
	const url = `http://${loopback}:${String(port)}`;
	const direct = [process.env.NO_PROXY ?? process.env.no_proxy, loopback, 'localhost']
		.filter(Boolean)
		.join(',');
	return {
		// n8n starts its task runners on the `node` that it finds.
		...withoutN8nSettings(withNode(options.installation.node, npmEnvironment())),
		NO_PROXY: direct,
		no_proxy: direct,
		N8N_USER_FOLDER: options.userFolder,
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'false',
		DB_TYPE: 'sqlite',

		N8N_LISTEN_ADDRESS: loopback,
		N8N_HOST: loopback,
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: url,
		N8N_WEBHOOK_URL: url,
		N8N_SECURE_COOKIE: 'false',
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: loopback,
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),

		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
		EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
		EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
		EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'true',
		EXECUTIONS_DATA_PRUNE_MAX_COUNT: '100000',

		N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		...options.installation.settings,
		...options.environment,
	};
}

/** What n8n responds at this address, if anything, and if with success. */
async function ask(url: string): Promise<unknown> {
	try {
		return (await axios.get<unknown>(url, { proxy: false, timeout: 5000 })).data;
	} catch {
		return undefined;
	}
}

/** Whether n8n says that it is ready: reachable, database connected and migrated. */
export async function isReady(url: string): Promise<boolean> {
	return (await ask(`${url}/healthz/readiness`)) !== undefined;
}

/** Whether the REST interface is up: it comes a little later than the readiness response. */
async function hasRest(url: string): Promise<boolean> {
	return typeof (await ask(`${url}/rest/settings`)) === 'object';
}

/** Starts n8n and waits until it is ready; a main process, until its REST interface responds. */
export async function startN8n(options: N8nOptions): Promise<N8nProcess> {
	const { command = ['start'], logFile } = options;
	const isMain = command[0] === 'start';
	// n8n takes seconds until it listens, in which no outgoing connection may take the port.
	const port = await freePort(options.preferredPort);
	const url = `http://${loopback}:${String(port)}`;
	const watch = path.join(import.meta.dirname, 'parentWatch.mjs');
	mkdirSync(options.userFolder, { recursive: true });
	const server = startServer({
		name: isMain ? 'n8n' : `n8n ${command.join(' ')}`,
		node: options.installation.node,
		args: ['--import', watch, options.installation.program, ...command],
		cwd: options.userFolder,
		env: await environmentFor(options, port),
		logFile,
	});
	await untilReady(server, 180_000, async () => (await isReady(url)) && (!isMain || hasRest(url)));
	return { url, server };
}
