import { AsyncLocalStorage } from 'node:async_hooks';
import { PollContext } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { MessagingServicePollTrigger } from '../../nodes/MessagingService/MessagingServicePollTrigger.node';
import { POLL_RETURNS } from '../../nodes/MessagingService/events/returns';
import { withReadableErrors } from './errorTexts';
import { assertReturns } from './returns';
import { nodeTypesFor, surroundings } from './surroundings';

/** The polling trigger's class. */
export const pollTrigger = new MessagingServicePollTrigger();

const NAME = 'Messaging Service Poll Trigger';

/** What a poll runs on. */
export interface PollSetup {
	credential: IDataObject;
	parameters?: IDataObject;
	mode?: WorkflowExecuteMode;
	/** Of the workflow. */
	id?: string;
	/** Of the trigger. */
	nodeId?: string;
	/** Why n8n polls; by default, because the workflow was published. */
	activation?: WorkflowActivateMode;
	/** The workflow's zone; UTC by default. */
	timezone?: string;
	/** Whether each poll gets a copy of the static data, as with n8n's durable poll cursors. */
	copiesData?: boolean;
	/** How long n8n lets a poll take, in milliseconds. */
	budgetMs?: number;
}

/** The polling trigger in n8n's own context, with static data that lasts from poll to poll. */
export class PolledWorkflow {
	readonly workflow: Workflow;

	/** What the node writes to n8n's log. */
	readonly log: string[] = [];

	private readonly setup: PollSetup;

	/** One for each start of the workflow, as in n8n. */
	private readonly contexts = new Map<WorkflowExecuteMode, PollContext>();

	private readonly copies = new AsyncLocalStorage<IDataObject>();

	/** @param staticData what n8n has stored, e.g. that of another instance after a restart */
	constructor(setup: PollSetup, staticData: IDataObject = {}) {
		this.setup = setup;
		this.workflow = new Workflow({
			id: setup.id ?? 'poll-test',
			nodes: [
				{
					id: setup.nodeId ?? 'poll-node',
					name: NAME,
					type: 'messagingServicePollTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: {
						pollTimes: { item: [{ mode: 'everyMinute' }] },
						...setup.parameters,
					} as INode['parameters'],
					credentials: { messagingServiceApi: { id: '1', name: 'test' } },
				},
			],
			connections: {},
			active: true,
			nodeTypes: nodeTypesFor({ messagingServicePollTrigger: pollTrigger }),
			staticData: structuredClone(staticData),
			settings: { timezone: setup.timezone ?? 'UTC' },
		});
	}

	/** What n8n would store. */
	get staticData(): IDataObject {
		return JSON.parse(JSON.stringify(this.workflow.staticData)) as IDataObject;
	}

	/** One poll; the items of the execution that n8n would start, or null. */
	async poll(mode: WorkflowExecuteMode = 'trigger'): Promise<INodeExecutionData[] | null> {
		const context = this.contexts.get(mode) ?? this.contextFor(mode);
		this.contexts.set(mode, context);
		const poll = async () =>
			await withReadableErrors(async () => await pollTrigger.poll.call(context));
		const outputs = this.setup.copiesData === true ? await this.onCopy(poll) : await poll();
		const [items] = outputs ?? [null];
		// Calls and campaigns have some columns in common, in different places.
		assertReturns(items?.map(({ json }) => json) ?? [], POLL_RETURNS, {}, {}, false);
		return items ?? null;
	}

	private contextFor(mode: WorkflowExecuteMode): PollContext {
		const node = this.workflow.getNode(NAME) as INode;
		const ofNode = () => this.workflow.getStaticData('node', node);
		const context = new PollContext(
			this.workflow,
			node,
			surroundings(() => this.setup.credential),
			mode,
			this.setup.activation ?? 'activate',
			...([undefined, undefined, undefined, undefined] as const),
			() => this.copies.getStore() ?? ofNode(),
		);
		const note = (text: string) => void this.log.push(text);
		Object.defineProperty(context, 'logger', { value: { info: note, warn: note, error: note } });
		const { budgetMs } = this.setup;
		if (budgetMs !== undefined) {
			Object.defineProperty(context, 'getPollBudgetMs', { value: () => budgetMs });
		}
		return context;
	}

	private async onCopy<Result>(poll: () => Promise<Result>): Promise<Result> {
		const stored = this.workflow.getStaticData('node', this.workflow.getNode(NAME) as INode);
		const copy = JSON.parse(JSON.stringify(stored)) as IDataObject;
		const result = await this.copies.run(copy, poll);
		Object.assign(stored, copy);
		return result;
	}
}
