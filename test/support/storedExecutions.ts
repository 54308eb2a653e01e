import { parse as parseFlatted } from 'flatted';
import type { NodeRun, OutputItem } from '../../host/n8nClient.ts';

/** An execution as n8n's database has it. */
export interface StoredExecution {
	status: string;
	/** The items that the trigger gave out; none when n8n did not come to run it. */
	executed: OutputItem[];
	/** The items that the trigger was going to give out when n8n would run it. */
	waiting: OutputItem[];
}

interface StoredData {
	resultData?: { runData?: Record<string, NodeRun[]> };
	executionData?: {
		nodeExecutionStack?: { node?: { name: string }; data?: { main?: (OutputItem[] | null)[] } }[];
	};
}

/** Reads the data that n8n has stored with an execution, if it has stored any. */
export function readExecution(
	{ status, data }: { status: string; data: string | null },
	triggerName: string,
): StoredExecution {
	const { resultData, executionData } = (data === null ? {} : parseFlatted(data)) as StoredData;
	const stack = executionData?.nodeExecutionStack ?? [];
	const items = (outputs: { main?: (OutputItem[] | null)[] }[]) =>
		outputs.flatMap(({ main }) => main ?? []).flatMap((output) => output ?? []);
	const given = items((resultData?.runData?.[triggerName] ?? []).flatMap((run) => run.data ?? []));
	return {
		status,
		// n8n, started again, gives a node that had ended before the kill an item that stands for its own.
		executed: given.filter(({ json }) => json.isArtificialRecoveredEventItem !== true),
		waiting: items(
			stack.filter(({ node }) => node?.name === triggerName).flatMap((entry) => entry.data ?? []),
		),
	};
}
