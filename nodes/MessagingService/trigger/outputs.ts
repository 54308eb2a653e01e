import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { EventKind } from './events';
import { isAnsweredOnceStored } from './hostSupport';
import { hintAtWaiting } from './lastNode';

/** An item on its way; its kind decides the output it goes to. */
export interface EventItem extends INodeExecutionData {
	kind?: EventKind;
}

/** The order of the outputs, where each kind has its own. */
const OUTPUT_ORDER: readonly EventKind[] = ['callAttempted', 'smsStatus', 'unknown'];

/** The items of each output. */
export function distribute(
	items: EventItem[],
	hasSeparateOutputs: boolean,
): INodeExecutionData[][] {
	const plain = (list: EventItem[]) => list.map(({ json }) => ({ json }));
	return hasSeparateOutputs
		? OUTPUT_ORDER.map((kind) => plain(items.filter((item) => item.kind === kind)))
		: [plain(items)];
}

/**
 * The trigger as first node of the execution that its webhook has started: passes the items on. On
 * n8n that responds to a delivery before it has stored the execution, it sends the response here,
 * unless the user wants it at the end.
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { separateOutputs, responseMode } = this.getNodeParameter('options', 0, {}) as {
		separateOutputs?: boolean;
		responseMode?: string;
	};
	if (!isAnsweredOnceStored && responseMode !== 'lastNode') {
		await this.sendResponse({ statusCode: 200, headers: {}, body: '' });
	}
	hintAtWaiting(this, responseMode);
	return distribute(this.getInputData(), separateOutputs === true);
}
