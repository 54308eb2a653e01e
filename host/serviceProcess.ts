import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from './ports.ts';
import { npmEnvironment, repository } from './runtime.mjs';
import { startServer, untilReady, type Server } from './server.ts';

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
	/** Where to keep its data. */
	database: string;
}

/** Starts the local stand-in for the messaging service and waits until it listens. */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
	const { logFile, database, preferredPort } = options;
	const port = await freePort(preferredPort);
	mkdirSync(path.dirname(database), { recursive: true });
	const server = startServer({
		name: 'The sandbox',
		args: [
			'--disable-warning=ExperimentalWarning',
			path.join(repository, 'sandbox', 'service', 'main.ts'),
			...['--port', String(port), '--database', database, '--json', '--exit-with-stdin'],
		],
		cwd: repository,
		env: npmEnvironment(),
		logFile,
	});
	/** The first line of its output, once it listens. */
	const firstLine = () => /^\{.*\}$/m.exec(readFileSync(logFile, 'utf8'))?.[0];
	await untilReady(server, 30_000, () => Promise.resolve(firstLine() !== undefined));
	return { ...(JSON.parse(firstLine() ?? '') as { url: string; apiKey: string }), server };
}
