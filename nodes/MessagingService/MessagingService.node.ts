import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { testMessagingService } from './methods/credentialTest';
import {
	searchSmsCampaigns,
	searchStoredNumbers,
	searchVoiceCampaigns,
} from './methods/listSearch';
import { findOperation, resources } from './resources';
import { ExecutionCancelled } from './execution/cancellation';
import type { Operation, OperationCall } from './resources/define';
import { fieldLabels, toProperties } from './resources/define';
import { describePlan, DRY_RUN, listOf, plannedRequest } from './execution/dryRun';
import { readMapping } from './resources/shared/mapping';
import { ParameterReader, RunParameters } from './resources/shared/parameters';
import type { Batch, RecipientPlan } from './recipients/recipients';
import { planRecipients } from './recipients/recipients';
import { readRequestOptions } from './resources/shared/requestOptions';
import { mapConcurrently } from './transport/concurrency';
import { connect } from './transport/connection';
import { SentRecord } from './execution/sentRecord';

const MAIN = [NodeConnectionTypes.Main];
const MOST_PAIRED = 1000;

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

/** The operation that the two menus choose. */
function chosenOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0) as string;
	const name = context.getNodeParameter('operation', 0) as string;
	const operation = findOperation(resource, name);
	if (operation !== undefined) return operation;
	throw new NodeOperationError(
		context.getNode(),
		`There is no operation "${name}" of the resource "${resource}"`,
		{ description: 'Choose the resource and the operation again.' },
	);
}

/**
 * The input items that an output item stands for. Of very many, the first: n8n keeps the list with
 * the execution, and no expression can tell one of thousands from the others anyway.
 */
function pairedWith(itemIndexes: readonly number[]): INodeExecutionData['pairedItem'] {
	const [first = 0] = itemIndexes;
	if (itemIndexes.length === 1) return { item: first };
	return itemIndexes.slice(0, MOST_PAIRED).map((item) => ({ item }));
}

/** The first output item of a call says which recipients were left out, if any were. */
function withSkipped(
	records: IDataObject[],
	plan: RecipientPlan | undefined,
	batch: Batch | undefined,
): IDataObject[] {
	if (plan === undefined || plan.skipped.length === 0 || batch?.part !== 1) return records;
	const [first, ...others] = records;
	return [{ ...first, ...listOf('skipped', plan.skipped) }, ...others];
}

function withWarnings(record: IDataObject, warnings: readonly string[]): IDataObject {
	return warnings.length === 0 ? record : { ...record, warnings: [...warnings] };
}

/** Whether n8n takes the node's output for a failure to try again: it looks at the first item only. */
function looksFailed([first]: readonly INodeExecutionData[]): boolean {
	return ![undefined, null, false].includes(first?.json.error as undefined);
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
		credentials: [
			{ name: 'messagingServiceApi', required: true, testedBy: 'testMessagingService' },
		],
		properties: toProperties(resources),
	};

	methods = {
		credentialTest: { testMessagingService },
		listSearch: { searchSmsCampaigns, searchStoredNumbers, searchVoiceCampaigns },
	};

	/**
	 * Turns input items into calls of the chosen operation: one call per item, or one for all of
	 * them. Failed calls become items with `error` when the node continues on errors.
	 */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const operation = chosenOperation(this);
		const options = readRequestOptions(this);
		// Awaited per call: when it fails, each item goes out of the error branch with the reason.
		const connection = connect(this, fieldLabels(operation), options);
		const signal = this.getExecutionCancelSignal();
		const sent = new SentRecord(this);
		const isTriedAgain = this.getNode().retryOnFail === true;
		const run = new RunParameters(this, readMapping(this, operation.mappable));
		const allIndexes = items.map((_, index) => index);
		const kind = typeof operation.kind === 'function' ? operation.kind(this) : operation.kind;
		const calls = kind === 'allItems' ? [allIndexes] : allIndexes.map((index) => [index]);

		/** Output items of a call's part, or its error where the node continues on errors. */
		const attempt = async (
			itemIndexes: readonly number[],
			produce: () => Promise<INodeExecutionData[]>,
		): Promise<INodeExecutionData[]> => {
			try {
				signal?.throwIfAborted();
				return await produce();
			} catch (cause) {
				const [first = 0] = itemIndexes;
				const nodeError = toNodeError(this, cause, first);
				if (signal?.aborted === true || !this.continueOnFail()) throw nodeError;
				const json = { error: nodeError.message };
				return [{ json, error: nodeError, pairedItem: pairedWith(itemIndexes) }];
			}
		};

		const runCall = async (itemIndexes: readonly number[]) =>
			await attempt(itemIndexes, async () => {
				const client = await connection;
				const parameters = new ParameterReader(this, itemIndexes, run);
				const warnings: string[] = [];
				const warn = (text: string) => void warnings.push(text);
				const call: OperationCall = { context: this, client, parameters, itemIndexes, warn };
				const isDryRun = operation.reachesPeople === true && parameters.boolean(DRY_RUN, 'Dry Run');
				const { recipients } = operation;
				const plan = recipients === undefined ? undefined : planRecipients(recipients, call);
				if (plan?.obstacle !== undefined && !isDryRun) throw plan.obstacle;
				const parts = plan?.batches ?? [undefined];
				const outputsOfParts = await mapConcurrently(parts, options.concurrency, async (batch) =>
					attempt(batch?.itemIndexes ?? itemIndexes, async () => {
						const pairedItem = pairedWith(batch?.itemIndexes ?? itemIndexes);
						const toItem = (json: IDataObject): INodeExecutionData => ({ json, pairedItem });
						const partCall = { ...call, batch };
						if (isDryRun) {
							const request = await plannedRequest(client, async (planning) =>
								operation.run({ ...partCall, client: planning }),
							);
							const output = describePlan(request, recipients, plan, batch);
							return [toItem(withWarnings(output, warnings))];
						}
						const [first = 0] = itemIndexes;
						const isOnly = !isTriedAgain && calls.length === 1 && parts.length === 1;
						const recording = client.forCall(sent.of(first, batch?.part, isOnly));
						const result = await operation.run({ ...partCall, client: recording });
						const records = Array.isArray(result) ? result : [result];
						return withSkipped(records, plan, batch)
							.map((record) => withWarnings(record, warnings))
							.map(toItem);
					}),
				);
				return outputsOfParts.flat();
			});

		try {
			const output = (await mapConcurrently(calls, options.concurrency, runCall)).flat();
			if (!(isTriedAgain && looksFailed(output))) sent.clear();
			return [output];
		} catch (cause) {
			if (signal?.aborted !== true) throw toNodeError(this, cause, 0);
			// Only now are the requests over that were under way.
			const cancelled = new ExecutionCancelled(sent, items.length);
			// n8n does not keep the data of a cancelled execution, so it is told where it can be found.
			this.logger.warn(`${cancelled.message}. ${cancelled.description}`);
			throw toNodeError(this, cancelled, 0);
		}
	}
}
