import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { EventKind } from './events';
import { isAnsweredOnceStored } from './hostSupport';

/** An item on its way; its kind decides the output it goes to. */
export interface EventItem extends INodeExecutionData {
	kind?: EventKind;
}

/** The order of the outputs, where each kind has its own. */
const OUTPUT_ORDER: readonly EventKind[] = ['callAttempted', 'smsStatus', 'unknown'];

function distribute(items: EventItem[], hasSeparateOutputs: boolean): INodeExecutionData[][] {
	const plain = (list: EventItem[]) => list.map(({ json }) => ({ json }));
	return hasSeparateOutputs
		? OUTPUT_ORDER.map((kind) => plain(items.filter((item) => item.kind === kind)))
		: [plain(items)];
}

/**
 * What the webhook starts an execution with: the outputs of the trigger or, where `runEvents` makes
 * those, the items.
 */
export function startData(items: EventItem[], hasSeparateOutputs: boolean): INodeExecutionData[][] {
	return isAnsweredOnceStored ? distribute(items, hasSeparateOutputs) : [items];
}

/**
 * The trigger as first node of the execution that its webhook has started, on n8n that would
 * otherwise answer a delivery before it has stored the execution: answers it now, unless the user
 * wants the answer at the end.
 */
async function runEvents(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	if (this.getNodeParameter('responseMode', 0, 'onReceived') !== 'lastNode') {
		await this.sendResponse({ statusCode: 200, headers: {}, body: '' });
	}
	const { separateOutputs } = this.getNodeParameter('options', 0, {}) as {
		separateOutputs?: boolean;
	};
	return distribute(this.getInputData(), separateOutputs === true);
}

/** The trigger's `execute`; absent where n8n passes on what the webhook has started with. */
export const execute = isAnsweredOnceStored ? undefined : runEvents;
