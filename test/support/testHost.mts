import { runServers, type Run } from '../../host/run.ts';
import type { Server } from '../../host/server.ts';

/** What a host process starts for the tests, and how it ends it. */
export interface TestHost<Description> extends Omit<Run, 'start'> {
	/**
	 * Starts everything and describes it. A server that is watched takes the rest with it when it
	 * ends by itself: the tests cannot go on without it.
	 */
	start: (watch: (server: Server) => void) => Promise<Description>;
}

/**
 * Runs what tests share in this process, until its channel closes or a signal comes. The
 * description goes to whoever forked us with `--report`, and is printed otherwise.
 */
export async function runTestHost<Description extends object>({
	start,
	...run
}: TestHost<Description>): Promise<void> {
	await runServers({
		...run,
		start: async (watch) => {
			const description = await start(watch);
			if (process.argv.includes('--report')) process.send?.(description);
			else console.log(JSON.stringify(description, undefined, '\t'));
			return undefined;
		},
	});
}
