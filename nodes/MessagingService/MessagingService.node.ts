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
import { fieldLabels, toProperties } from './resources/define';
import { ParameterReader } from './resources/parameters';
import { mapConcurrently } from './transport/concurrency';
import { connect } from './transport/request';

const MAIN = [NodeConnectionTypes.Main];

/** More at once gains nothing: n8n's HTTP helper opens a connection per request. */
const REQUESTS_AT_ONCE = 10;

/** The error as n8n shows it: with this node's name and the input item it is about. */
function toNodeError(context: IExecuteFunctions, error: unknown, itemIndex: number) {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	const cause = error instanceof Error ? error : new Error(String(error));
	const nodeError = new NodeOperationError(context.getNode(), cause, { itemIndex });
	// n8n replaces messages that happen to contain an error code, "preexisting" for example.
	nodeError.message = cause.message;
	return nodeError;
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
		// Awaited per call: when it fails, each item goes out of the error branch with the reason.
		const connection = connect(this, fieldLabels(operation));
		const kind = typeof operation.kind === 'function' ? operation.kind(this) : operation.kind;
		const allIndexes = items.map((_, index) => index);
		const calls = kind === 'allItems' ? [allIndexes] : allIndexes.map((index) => [index]);

		const outputs = await mapConcurrently(calls, REQUESTS_AT_ONCE, async (itemIndexes) => {
			const [first = 0] = itemIndexes;
			const pairedItem =
				itemIndexes.length === 1 ? { item: first } : itemIndexes.map((item) => ({ item }));
			try {
				const client = await connection;
				const parameters = new ParameterReader(this, itemIndexes);
				const result = await operation.run({ context: this, client, parameters, itemIndexes });
				const records: IDataObject[] = Array.isArray(result) ? result : [result];
				return records.map((json): INodeExecutionData => ({ json, pairedItem }));
			} catch (error) {
				const nodeError = toNodeError(this, error, first);
				if (!this.continueOnFail()) throw nodeError;
				return [{ json: { error: nodeError.message }, error: nodeError, pairedItem }];
			}
		});
		return [outputs.flat()];
	}
}
