import type { IExecuteFunctions } from 'n8n-workflow';
import type { Operation, OperationKind } from '../resources/operation';
import type { RunParameters } from '../resources/shared/parameters';
import type { Connection } from '../transport/connection';
import type { Progress } from './progress';
import type { SentRecord } from './sentRecord';

/** One run of the node, as its calls need it. */
export interface Run {
	context: IExecuteFunctions;
	operation: Operation;
	kind: OperationKind;
	connection: Connection;
	parameters: RunParameters;
	/** Maximum number of requests in progress. */
	concurrency: number;
	progress: Progress;
	sent: SentRecord;
	/** Set after a failure that stops the run: nothing more is started. */
	isStopped: boolean;
}
