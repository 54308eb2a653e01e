import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { OutputItem } from '../../../host/n8nClient.ts';
import { readExecution } from '../../support/storedExecutions.ts';
import { host } from './host.ts';

/** The executions of a workflow as n8n has stored them, crashed ones included. */
interface StoredExecutions {
	count: number;
	/** The items the trigger gave out or, where it was not run any more, was going to. */
	items: OutputItem[];
}

/** n8n's database, read beside the running n8n. */
function openDatabase(n8nFolder: string): DatabaseSync {
	const file = path.join(host().folder, n8nFolder, '.n8n', 'database.sqlite');
	return new DatabaseSync(file, { readOnly: true });
}

/**
 * How many executions of a workflow have not ended, of those made since a moment. n8n, when it is
 * killed, may leave one that was just beginning as "running" for good.
 */
export function countOpenExecutions(n8nFolder: string, workflowId: string, since: Date): number {
	const database = openDatabase(n8nFolder);
	try {
		const row = database
			.prepare(
				`SELECT count(*) AS count FROM execution_entity
				WHERE workflowId = ? AND status IN ('new', 'running', 'waiting') AND createdAt >= ?`,
			)
			.get(workflowId, since.toISOString().replace('T', ' ').replace('Z', '')) as { count: number };
		return row.count;
	} finally {
		database.close();
	}
}

/** Reads n8n's database beside the running n8n: thousands of executions in no time. */
export function storedExecutions(
	n8nFolder: string,
	workflowId: string,
	triggerName: string,
): StoredExecutions {
	const database = openDatabase(n8nFolder);
	try {
		const rows = database
			.prepare(
				`SELECT e.status AS status, d.data AS data FROM execution_entity e
				JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ?`,
			)
			.all(workflowId) as { status: string; data: string }[];
		const items = rows.flatMap((row) => {
			const { executed, waiting } = readExecution(row, triggerName);
			return executed.length > 0 ? executed : waiting;
		});
		return { count: rows.length, items };
	} finally {
		database.close();
	}
}
