import { createInterface } from 'node:readline';
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './ports.ts';
import { npmEnvironment, repository } from './runtime.mjs';
import { startServer, tailOf, type Server } from './server.ts';

/** A running sandbox. */
export interface ServiceProcess {
	url: string;
	apiKey: string;
	server: Server;
}

/** What to start the sandbox with. */
export interface ServiceOptions {
	logFile: string;
	/** Used when it is free; any free port otherwise. */
	preferredPort?: number;
	/** Where to keep its data; in memory otherwise. */
	database?: string;
	/** Whether a response that does not match openapi.yaml becomes an error. */
	validateResponses?: boolean;
}

/** Starts the local stand-in for the messaging service and waits until it listens. */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
	const port = await freePort(options.preferredPort);
	if (options.database !== undefined) {
		mkdirSync(path.dirname(options.database), { recursive: true });
	}
	const server = startServer({
		name: 'sandbox',
		args: [
			'--disable-warning=ExperimentalWarning',
			path.join(repository, 'sandbox', 'service', 'main.ts'),
			...['--port', String(port), '--json', '--exit-with-stdin'],
			// The example workflows and the end-to-end tests expect UTC.
			...['--time-zone', 'UTC'],
			...(options.validateResponses === true ? ['--validate-responses'] : []),
			...(options.database === undefined ? [] : ['--database', options.database]),
		],
		cwd: repository,
		env: npmEnvironment(),
		logFile: options.logFile,
		stdout: 'pipe',
	});
	const { stdout } = server.process;
	if (stdout === null) throw new Error('The sandbox has no standard output.');
	try {
		const lines = createInterface({ input: stdout });
		const firstLine = await Promise.race([
			new Promise<string>((resolve) => {
				lines.once('line', resolve);
			}),
			server.ended.then((how) => {
				throw new Error(`The sandbox ended while starting (${how}).\n${tailOf(options.logFile)}`);
			}),
			sleep(30_000, undefined, { ref: false }).then(() => {
				throw new Error(`The sandbox did not start within 30 s. Its log: ${options.logFile}`);
			}),
		]);
		lines.on('line', (line) => {
			appendFileSync(options.logFile, `${line}\n`);
		});
		const { url, apiKey } = JSON.parse(firstLine) as { url: string; apiKey: string };
		return { url, apiKey, server };
	} catch (error) {
		await server.stop();
		throw error;
	}
}
