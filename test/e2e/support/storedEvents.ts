import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse as parseFlatted } from 'flatted';
import type { NodeRun, OutputItem } from '../../../sandbox/host/n8nClient.ts';
import { host } from './host.ts';

/** The executions of a workflow as n8n has stored them, crashed ones included. */
export interface StoredExecutions {
	count: number;
	/** How many there are by status. */
	statuses: Record<string, number>;
	/** The items the trigger gave out or, where it was not run any more, was going to. */
	items: OutputItem[];
}

interface StoredData {
	resultData?: { runData?: Record<string, NodeRun[]> };
	executionData?: {
		nodeExecutionStack?: { node?: { name: string }; data?: { main?: (OutputItem[] | null)[] } }[];
	};
}

/** Reads n8n's database beside the running n8n: thousands of executions in no time. */
export function storedExecutions(
	n8nFolder: string,
	workflowId: string,
	triggerName: string,
): StoredExecutions {
	const file = path.join(host().folder, n8nFolder, '.n8n', 'database.sqlite');
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		const rows = database
			.prepare(
				`SELECT e.status AS status, d.data AS data FROM execution_entity e
				JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ?`,
			)
			.all(workflowId) as { status: string; data: string }[];
		const statuses: Record<string, number> = {};
		const items = rows.flatMap(({ status, data }) => {
			statuses[status] = (statuses[status] ?? 0) + 1;
			const { resultData, executionData } = parseFlatted(data) as StoredData;
			const runs = resultData?.runData?.[triggerName];
			const waiting = executionData?.nodeExecutionStack?.filter(
				({ node }) => node?.name === triggerName,
			);
			const main = runs
				? runs.flatMap((run) => run.data?.main ?? [])
				: (waiting ?? []).flatMap((entry) => entry.data?.main ?? []);
			return main.flatMap((output) => output ?? []);
		});
		return { count: rows.length, statuses, items };
	} finally {
		database.close();
	}
}
