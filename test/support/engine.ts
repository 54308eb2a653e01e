import { difference, get, mapValues } from 'lodash';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { ExecutionLifecycleHooks, LoadOptionsContext, WorkflowExecute } from 'n8n-core';
import { parse, stringify } from 'flatted';
import type {
	IBinaryData,
	IConnections,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteData,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeListSearchResult,
	INodeType,
	IRun,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createRunExecutionData, NodeConnectionTypes, Workflow } from 'n8n-workflow';
import { ERROR_FIELDS } from '../../nodes/MessagingService/returns/errorItem';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { expectReadable } from './errorTexts';
import { assertActionReturns } from './returns';
import { nodeTypesFor, surroundings } from './surroundings';
import { isSandbox } from '../../host/sandbox.ts';

/** The credential's values, as a user would enter them. */
export type CredentialValues = ICredentialDataDecryptedObject;

/** An error as n8n shows it. */
export type EngineError = Error & {
	description?: string | null;
	httpCode?: string | null;
	context?: IDataObject;
};

/** What a run of the action node in n8n's engine gave. */
export interface EngineResult {
	/** Output items of the success branch. */
	items: INodeExecutionData[];
	/** Output items of the error branch, when the node has one. */
	errorItems: INodeExecutionData[];
	/** The error that stopped the run, as n8n records it. */
	error: EngineError | undefined;
	/** What the editor shows beside the output of the first run of the node. */
	hints: string[];
	run: IRun;
}

const ACTION = 'Messaging Service';

/** Another one before it. */
const FIRST = 'First';

// The tests look at the errors themselves. A silent logger still looks for its caller on the stack,
// which takes a fifth of a run's time.
const logger = Container.get(Logger);
for (const level of ['error', 'warn', 'info', 'debug', 'verbose']) {
	Object.defineProperty(logger, level, { value: () => undefined, configurable: true });
}

/** Gives out prepared items, as the node before ours would. */
class InputItems implements INodeType {
	description: INodeType['description'] = {
		displayName: 'Input',
		name: 'input',
		group: ['trigger'],
		version: 1,
		description: 'Gives out prepared items',
		defaults: { name: 'Input' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	private readonly items: INodeExecutionData[];

	/** Runs that are left, where the node after it leads back to this one. */
	private runs: number;

	constructor(items: INodeExecutionData[], runs: number) {
		this.items = items;
		this.runs = runs;
	}

	execute = async () => [this.runs-- > 0 ? this.items : []];
}

/** Gives out its input in batches, as n8n's Loop Over Items does: when done, then in the loop. */
class Loop implements INodeType {
	description: INodeType['description'] = {
		displayName: 'Loop',
		name: 'loop',
		group: ['organization'],
		version: 1,
		description: 'Gives out its input in batches',
		defaults: { name: 'Loop' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		properties: [{ displayName: 'Size', name: 'size', type: 'number', default: 1 }],
	};

	async execute(this: IExecuteFunctions) {
		const context = this.getContext('node') as { rest?: INodeExecutionData[] };
		const rest = context.rest ?? this.getInputData();
		const size = this.getNodeParameter('size', 0) as number;
		context.rest = rest.slice(size);
		return [[], rest.slice(0, size)];
	}
}

/**
 * Runs the action node in n8n's own engine (`WorkflowExecute` of n8n-core) behind a node that gives
 * out `items`. HTTP, expressions, error branches and item pairing are the real ones.
 */
export async function runAction(options: {
	credential: CredentialValues;
	parameters: IDataObject;
	items?: IDataObject[];
	/** The binary field `data` of each item: in memory, as text in base64, or stored by n8n. */
	files?: (Buffer | IBinaryData)[];
	/** Further binary fields of each item that has a file, by their names. */
	otherFiles?: Record<string, Buffer>;
	onError?: INode['onError'];
	timezone?: string;
	/** More settings of the node, e.g. Retry On Fail. */
	settings?: Partial<INode>;
	/** Cancels the execution as soon as it resolves. */
	cancel?: Promise<unknown>;
	/** In a loop, the node gets the items this many times; `items` of the result are the first run's. */
	loops?: number;
	/** Puts the node into a loop over batches of so many items. */
	loop?: number;
	/** Puts another Messaging Service node, "First", before it. */
	first?: IDataObject;
	/** The credential of that node, where it has another one. */
	firstCredential?: CredentialValues;
	/** How n8n runs it: `integrated` for a sub-workflow. */
	mode?: WorkflowExecuteMode;
}): Promise<EngineResult> {
	const workflow = workflowFor(options);
	return await resultOf(
		workflow,
		new WorkflowExecute(additionalDataFor(options), options.mode ?? 'manual', startWith(workflow)),
		options,
	);
}

/**
 * Retries a failed run as n8n's list of executions does: from its stored data, the run data of the
 * failed node taken out (ExecutionService.retry), with the workflow as it is now. The run itself is
 * left as it is.
 */
export async function retryAction(
	failed: IRun,
	options: Parameters<typeof runAction>[0],
): Promise<EngineResult> {
	const workflow = workflowFor(options);
	const data = parse(stringify(failed.data)) as IRun['data'];
	delete data.resultData.error;
	data.resultData.runData[data.resultData.lastNodeExecuted ?? ACTION]?.pop();
	for (const entry of data.executionData?.nodeExecutionStack ?? []) {
		entry.node = workflow.getNode(entry.node.name) as INode;
	}
	return await resultOf(
		workflow,
		new WorkflowExecute(additionalDataFor(options), 'retry', data),
		options,
	);
}

function workflowFor(options: Parameters<typeof runAction>[0]): Workflow {
	const {
		parameters,
		items = [{}],
		onError,
		timezone = 'UTC',
		settings,
		loop,
		loops,
		first,
		files,
		otherFiles,
	} = options;
	const inMemory = (file: Buffer): IBinaryData => ({
		data: file.toString('base64'),
		mimeType: 'text/csv',
	});
	const input = items.map((json, item) => {
		const file = files?.[item];
		const data = Buffer.isBuffer(file) ? inMemory(file) : file;
		return {
			json,
			pairedItem: { item },
			...(data === undefined ? {} : { binary: { data, ...mapValues(otherFiles, inMemory) } }),
		};
	});
	const nodeTypes = nodeTypesFor({
		input: new InputItems(input, loops ?? 1),
		loop: new Loop(),
		messagingService: actionType,
		messagingServiceTool: toolType,
	});
	const to = (name: string) => [{ node: name, type: NodeConnectionTypes.Main, index: 0 }];
	const connections: IConnections =
		loop === undefined
			? {
					Input: { main: [to(first === undefined ? ACTION : FIRST)] },
					...(first === undefined ? {} : { [FIRST]: { main: [to(ACTION)] } }),
					...(loops === undefined ? {} : { [ACTION]: { main: [to('Input'), to('Input')] } }),
				}
			: {
					Input: { main: [to('Loop')] },
					Loop: { main: [[], to(ACTION)] },
					[ACTION]: { main: [to('Loop')] },
				};
	return new Workflow({
		id: 'engine-test',
		nodes: [
			node('Input', 'input', {}),
			...(loop === undefined ? [] : [node('Loop', 'loop', { size: loop })]),
			...(first === undefined ? [] : [firstNode(first, settings)]),
			{ ...actionNode(parameters), onError, ...settings },
		],
		connections,
		active: false,
		nodeTypes,
		settings: { timezone },
	});
}

async function resultOf(
	workflow: Workflow,
	execution: WorkflowExecute,
	{ cancel, credential }: Parameters<typeof runAction>[0],
): Promise<EngineResult> {
	const running = execution.processRunExecutionData(workflow);
	void cancel?.then(() => {
		running.cancel();
	});
	const run = await running;
	const tasks = run.data.resultData.runData[ACTION] ?? [];
	const { parameters } = workflow.getNode(ACTION) as INode;
	for (const outputs of isSandbox(credential.baseUrl)
		? tasks.map(({ data }) => data?.main?.[0])
		: []) {
		assertActionReturns(outputs?.map(({ json }) => json) ?? [], parameters);
	}
	const [task] = tasks;
	const items = task?.data?.main?.[0] ?? [];
	const errorItems = task?.data?.main?.[1] ?? [];
	const error = run.data.resultData.error as EngineResult['error'];
	expectReadable(error, [...items, ...errorItems]);
	// Without an error branch, an error item has nothing of its input item unless that is asked for.
	const failed =
		get(parameters, 'options.includeInputFields') === true
			? []
			: items.filter(({ json }) => typeof json.error === 'string' && 'sent' in json);
	const fields = failed.flatMap(({ json }) => Object.keys(json));
	const undeclared = difference(fields, ERROR_FIELDS);
	// No expect(): the benchmarks run without Jest.
	if (undeclared.length > 0) throw new Error(`Not in ERROR_FIELDS: ${undeclared.join(', ')}`);
	const hints = task?.hints?.map(({ message }) => message) ?? [];
	assertSaidOnce([...items, ...errorItems], hints);
	assertInOrder(items);
	assertInOrder(errorItems);
	return { items, errorItems, error, hints, run };
}

/** Fails if a hint, a warning of an item, or the problems file of an input item is there twice. */
function assertSaidOnce(items: readonly INodeExecutionData[], hints: readonly string[]): void {
	const files = items.filter(({ binary }) => binary?.problems !== undefined);
	const texts = [
		hints,
		...items.map(({ json }) => (Array.isArray(json.warnings) ? json.warnings : [])),
		files.map(({ pairedItem }) => JSON.stringify(pairedItem)),
	];
	for (const each of texts) {
		if (new Set(each).size < each.length) throw new Error(`Said twice: ${JSON.stringify(each)}`);
	}
}

/** Fails if items of one output are not in the order of their input items. */
function assertInOrder(items: readonly INodeExecutionData[]): void {
	const rows = items.flatMap(({ pairedItem }) => {
		const [first] = [pairedItem].flat();
		return typeof first === 'object' ? [first.item] : [];
	});
	if (rows.some((row, index) => row < (rows[index - 1] ?? 0))) {
		throw new Error(`Not in the order of the rows: ${rows.join()}`);
	}
}

let lastExecution = 0;

/** What the engine gets from the n8n around it. */
const additionalDataFor = ({
	credential,
	firstCredential = credential,
}: Pick<Parameters<typeof runAction>[0], 'credential' | 'firstCredential'>) =>
	surroundings((id) => (id === FIRST ? firstCredential : credential), {
		hooks: new ExecutionLifecycleHooks('manual', '1', {
			id: 'engine-test',
			name: 'engine-test',
			active: false,
			isArchived: false,
			createdAt: new Date(0),
			updatedAt: new Date(0),
			nodes: [],
			connections: {},
			activeVersionId: null,
		}),
		executionId: String(++lastExecution),
	});

function actionNode(parameters: IDataObject): INode {
	return {
		...node(ACTION, 'messagingService', parameters),
		credentials: { messagingServiceApi: { id: '1', name: 'test' } },
	};
}

function firstNode(parameters: IDataObject, settings: Partial<INode> = {}): INode {
	return {
		...actionNode(parameters),
		type: settings.type ?? 'messagingService',
		id: FIRST,
		name: FIRST,
		credentials: { messagingServiceApi: { id: FIRST, name: FIRST } },
	};
}

function node(name: string, type: string, parameters: IDataObject): INode {
	return {
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
	};
}

function startWith(workflow: Workflow) {
	const start: IExecuteData = {
		node: workflow.getNode('Input') as INode,
		data: { main: [[{ json: {} }]] },
		source: null,
	};
	return createRunExecutionData({ executionData: { nodeExecutionStack: [start] } });
}

/** A "From List" search of a resource locator, as the editor asks for it: one page of results. */
export async function searchList(
	method: keyof MessagingService['methods']['listSearch'],
	options: { credential: CredentialValues; filter?: string; paginationToken?: string },
): Promise<INodeListSearchResult> {
	const { credential, filter, paginationToken } = options;
	const action = actionNode({});
	const workflow = new Workflow({
		id: 'engine-test',
		nodes: [action],
		connections: {},
		active: false,
		nodeTypes: nodeTypesFor({ messagingService: actionType }),
	});
	const context = new LoadOptionsContext(
		workflow,
		action,
		additionalDataFor({ credential }),
		'parameters.locator',
	);
	return await actionType.methods.listSearch[method].call(context, filter, paginationToken);
}

/** The action node's class, for what n8n reads off its description. */
export const actionType = new MessagingService();

/** The same as an agent's tool, whose type has another name. */
const toolType = new MessagingService();
toolType.description = { ...toolType.description, name: 'messagingServiceTool' };
