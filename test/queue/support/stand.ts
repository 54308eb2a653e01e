import type { Part } from '../stand/stand.ts';
import { host, type E2eHost } from '../../e2e/support/host.ts';
import { tell } from './commands.mts';

/** Where the parts of the stand are. */
export interface QueueHost extends E2eHost {
	/** The webhook processor itself, without the proxy. */
	webhookProcessorUrl: string;
	/** Where the process that runs the stand takes commands. */
	commandUrl: string;
}

/** What the stand can be told. */
export type StandCommand =
	| { command: 'start' | 'stop' | 'kill' | 'describe'; part: Part }
	| { command: 'rows'; query: string }
	| { command: 'execute'; statements: string };

/** The stand that hostSetup.cjs has started. */
export function queueHost(): QueueHost {
	const running = host();
	if (!('webhookProcessorUrl' in running)) throw new Error('This is no queue mode stand.');
	return running as QueueHost;
}

async function command<Result = null>(what: StandCommand): Promise<Result> {
	return await tell(queueHost().commandUrl, what);
}

/** Starts a part that was stopped, under its old address. */
export async function start(part: Part): Promise<void> {
	await command({ command: 'start', part });
}

/** Asks a part to end, as an operating system does. */
export async function stop(part: Part): Promise<void> {
	await command({ command: 'stop', part });
}

/** Kills a part and everything it has started, without warning. */
export async function kill(part: Part): Promise<void> {
	await command({ command: 'kill', part });
}

/** The process of a part, and its log. */
export async function describePart(part: Part): Promise<{ pid: number; logFile: string }> {
	return await command({ command: 'describe', part });
}

/** Kills a part and starts it again. */
export async function killAndStart(part: Part): Promise<void> {
	await kill(part);
	await start(part);
}

/** Ends a part in good order and starts it again. */
export async function restart(part: Part): Promise<void> {
	await stop(part);
	await start(part);
}

/** The rows of a query to n8n's database. */
export async function rows<Row>(query: string): Promise<Row[]> {
	return await command({ command: 'rows', query });
}

/** Runs statements in n8n's database. */
export async function execute(statements: string): Promise<void> {
	await command({ command: 'execute', statements });
}
