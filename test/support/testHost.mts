import path from 'node:path';
import { Lock } from '../../host/lock.ts';
import { localFolder } from '../../host/runtime.mjs';
import { stopAllServers, type Server } from '../../host/server.ts';

/** What a host process starts for the tests, and how it ends it. */
export interface TestHost<Description> {
	/** Of its lock. */
	name: string;
	/**
	 * Starts everything and describes it. A server that is watched takes the rest with it when it
	 * ends by itself: the tests cannot go on without it.
	 */
	start: (watch: (server: Server) => void) => Promise<Description>;
	/** Ends what needs more than stopping all servers. */
	end?: () => Promise<void>;
}

/**
 * Runs what tests share in this process, until its channel closes or a signal comes. The
 * description goes to whoever forked us with `--report`, and is printed otherwise.
 */
export async function runTestHost<Description extends object>({
	name,
	start,
	end,
}: TestHost<Description>): Promise<void> {
	const lock = new Lock(path.join(localFolder, `${name}.lock`));
	let stopping: Promise<void> | undefined;
	let hasLock = false;

	async function stop(exitCode: number): Promise<void> {
		stopping ??= (async () => {
			await end?.();
			await stopAllServers();
		})();
		await stopping;
		if (hasLock) lock.release();
		process.exit(exitCode);
	}

	function watch(server: Server): void {
		void server.ended.then((how) => {
			if (stopping !== undefined) return;
			console.error(`${server.name} ended by itself (${how}); its log: ${server.logFile}`);
			void stop(1);
		});
	}

	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => void stop(0));
	}
	process.on('disconnect', () => void stop(0));

	try {
		lock.take();
		hasLock = true;
		const description = await start(watch);
		if (process.argv.includes('--report')) process.send?.(description);
		else console.log(JSON.stringify(description, undefined, '\t'));
	} catch (error) {
		console.error(error instanceof Error ? error.message : String(error));
		await stop(1);
	}
}
