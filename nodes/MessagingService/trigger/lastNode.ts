import type { IExecuteFunctions, IHookFunctions } from 'n8n-workflow';
import { deliveryOptions } from './settings';

const WAITING =
	'The workflow contains a node that waits. With Respond set to When Last Node Finishes, n8n responds to the service when the execution starts to wait. If a later step fails, the event is not delivered again.';

/** Node types that put an execution to wait. */
const WAIT_TYPES = ['n8n-nodes-base.wait', 'n8n-nodes-base.form'];

function waits(context: IHookFunctions | IExecuteFunctions): boolean {
	return context
		.getChildNodes(context.getNode().name, { includeNodeParameters: true })
		.some(
			({ type, disabled, parameters }) =>
				!disabled && (WAIT_TYPES.includes(type) || parameters?.operation === 'sendAndWait'),
		);
}

/** Logs on publishing that the response "at the end" of this workflow comes too early. */
export function warnOfWaiting(context: IHookFunctions): void {
	if (deliveryOptions(context).responseMode !== 'lastNode' || !waits(context)) return;
	context.logger.warn(WAITING, { workflowId: context.getWorkflow().id });
}

/** Says so beside the output, while the workflow is tried out in the editor. */
export function hintAtWaiting(context: IExecuteFunctions, responseMode: unknown): void {
	if (responseMode !== 'lastNode' || context.getMode() !== 'manual' || !waits(context)) return;
	context.addExecutionHints({ message: WAITING, location: 'outputPane', type: 'warning' });
}
