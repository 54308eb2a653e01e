import path from 'node:path';
import { takeLock } from './lock.ts';
import { localFolder } from './runtime.mjs';
import { stopAllServers, type Server } from './server.ts';

/** What to run, and how to end it. */
export interface Run {
	/** One process of this name runs in a clone at a time. */
	name: string;
	/**
	 * Starts everything. A server that is watched takes the rest with it when it ends by itself.
	 * Everything goes on running, unless this gives an exit code.
	 */
	start: (watch: (server: Server) => void) => Promise<number | undefined>;
	/** Ends what needs more than stopping all servers. */
	end?: () => Promise<void>;
}

/** Starts servers, and stops them on a signal, when one of them ends, or when our parent is gone. */
export async function runServers({ name, start, end }: Run): Promise<void> {
	let stopping: Promise<void> | undefined;

	async function stop(exitCode: number): Promise<void> {
		stopping ??= (async () => {
			await end?.();
			await stopAllServers();
		})();
		await stopping;
		process.exit(exitCode);
	}

	function watch(server: Server): void {
		void server.ended.then((how) => {
			if (stopping !== undefined) return;
			console.error(`\n${server.name} ended by itself (${how}). Its log: ${server.logFile}`);
			void stop(1);
		});
	}

	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => void stop(0));
	}
	process.on('disconnect', () => void stop(1));

	try {
		takeLock(path.join(localFolder, `${name}.lock`));
		const exitCode = await start(watch);
		if (exitCode !== undefined) await stop(exitCode);
	} catch (error) {
		if (stopping === undefined) {
			console.error(`\n${error instanceof Error ? error.message : String(error)}`);
		}
		await stop(1);
	}
}
