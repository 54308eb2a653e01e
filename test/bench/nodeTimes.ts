import { readFileSync } from 'node:fs';

/** n8n's variables for a log that `nodeTimes` can read. */
export const logSettings = { N8N_LOG_LEVEL: 'debug', N8N_LOG_FORMAT: 'json' };

const NODE = /^Running node "(.+)" (started|finished successfully)$/;

/**
 * What the nodes of an execution took, by n8n's log: of an execution that is not saved, nothing else
 * tells.
 * @param start length of the log before the execution
 * @returns milliseconds by node; undefined while it runs
 */
export function nodeTimes(logFile: string, start: number): Map<string, number> | undefined {
	const times = new Map<string, number>();
	for (const line of readFileSync(logFile, 'utf8').slice(start).split('\n')) {
		if (!line.startsWith('{') || !line.endsWith('}')) continue;
		const { message, metadata } = JSON.parse(line) as {
			message: string;
			metadata: { timestamp: string };
		};
		if (message === 'Workflow execution finished successfully') return times;
		if (message === 'Workflow execution finished with error') throw new Error(line);
		const [, node, state] = NODE.exec(message) ?? [];
		if (node === undefined) continue;
		const time = Date.parse(metadata.timestamp);
		times.set(node, state === 'started' ? -time : time + (times.get(node) ?? NaN));
	}
	return undefined;
}
