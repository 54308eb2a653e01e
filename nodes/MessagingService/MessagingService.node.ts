import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import {
	searchSmsCampaigns,
	searchStoredNumbers,
	searchVoiceCampaigns,
} from './methods/listSearch';
import { findOperation, resources } from './resources';
import { ExecutionCancelled } from './resources/cancellation';
import { fieldLabels, toProperties } from './resources/define';
import { ParameterReader } from './resources/parameters';
import { readRequestOptions } from './resources/requestOptions';
import { mapConcurrently } from './transport/concurrency';
import { connect } from './transport/request';
import { SentRecord } from './transport/sentRecord';

const MAIN = [NodeConnectionTypes.Main];

/** The error as n8n shows it: with this node's name and the input item it is about. */
function toNodeError(context: IExecuteFunctions, error: unknown, itemIndex: number) {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	const cause = error instanceof Error ? error : String(error);
	return new NodeOperationError(context.getNode(), cause, { itemIndex });
}

/** Whether n8n may run the node again: it looks at the first output item only. */
function mayRunAgain(context: IExecuteFunctions, outputs: readonly INodeExecutionData[]): boolean {
	return outputs[0]?.error !== undefined && context.getNode().retryOnFail === true;
}

export class MessagingService implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Service',
		name: 'messagingService',
		icon: { light: 'file:messagingService.svg', dark: 'file:messagingService.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Send bulk SMS and run outbound voice campaigns',
		defaults: { name: 'Messaging Service' },
		usableAsTool: true,
		inputs: MAIN,
		outputs: MAIN,
		credentials: [{ name: 'messagingServiceApi', required: true }],
		properties: toProperties(resources),
	};

	methods = { listSearch: { searchSmsCampaigns, searchStoredNumbers, searchVoiceCampaigns } };

	/**
	 * Turns input items into calls of the chosen operation: one call per item, or one for all of
	 * them. Failed calls become items with `error` when the node continues on errors.
	 */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const resource = this.getNodeParameter('resource', 0) as string;
		const name = this.getNodeParameter('operation', 0) as string;
		const operation = findOperation(resource, name);
		if (operation === undefined) {
			throw new NodeOperationError(
				this.getNode(),
				`There is no operation "${name}" of the resource "${resource}"`,
				{ description: 'Choose the resource and the operation again.' },
			);
		}
		const options = readRequestOptions(this);
		// Awaited per call: when it fails, each item goes out of the error branch with the reason.
		const connection = connect(this, fieldLabels(operation), options);
		const signal = this.getExecutionCancelSignal();
		const sent = new SentRecord(this);
		const kind = typeof operation.kind === 'function' ? operation.kind(this) : operation.kind;
		const allIndexes = items.map((_, index) => index);
		const calls = kind === 'allItems' ? [allIndexes] : allIndexes.map((index) => [index]);

		const outputs = await mapConcurrently(calls, options.requestsAtOnce, async (itemIndexes) => {
			const [first = 0] = itemIndexes;
			const pairedItem =
				itemIndexes.length === 1 ? { item: first } : itemIndexes.map((item) => ({ item }));
			try {
				signal?.throwIfAborted();
				const client = (await connection).forCall(sent.of(first));
				const parameters = new ParameterReader(this, itemIndexes);
				const result = await operation.run({ context: this, client, parameters, itemIndexes });
				const records: IDataObject[] = Array.isArray(result) ? result : [result];
				return records.map((json): INodeExecutionData => ({ json, pairedItem }));
			} catch (error) {
				if (signal?.aborted === true) {
					throw toNodeError(this, new ExecutionCancelled(sent, items.length), first);
				}
				const nodeError = toNodeError(this, error, first);
				if (!this.continueOnFail()) throw nodeError;
				return [{ json: { error: nodeError.message }, error: nodeError, pairedItem }];
			}
		});
		const output = outputs.flat();
		if (!mayRunAgain(this, output)) sent.clear();
		return [output];
	}
}
