import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import type { CampaignBlock, OperationInput } from '../parameters/operationInput';
import { Failure } from '../failure';
import { ParameterReader, RunParameters } from '../parameters/reader';
import { SendingGuard } from '../policy/guard';
import { readPolicy } from '../policy/policy';
import type { Rehearsal } from '../policy/rehearsal';
import { sourceOf } from '../recipients/fields';
import { INPUT_ITEMS } from '../recipients/fileFields';
import type { RecipientPlan } from '../recipients/plan';
import { findOperation } from '../resources';
import { fieldLabels } from '../resources/define';
import {
	isChanging,
	reachesPeople,
	type ChangingOperation,
	type Operation,
} from '../resources/operation';
import { clientFor, PATIENT } from '../transport/connection';
import type { ServiceClient } from '../transport/request';
import { portOf } from '../transport/port';
import { clientKeyOf } from '../transport/settings';
import { readCredentials } from './credentials';
import { AgentMemory } from './agentMemory';
import { Hints } from './hints';
import { Ledger } from './ledger';
import type { PlannedRequest } from './planned';
import { failedResult, type EarlierOfList, type Rows } from './rows';

/** One run of the node: what is known of it before its options and the credential are read. */
export interface Run {
	context: IExecuteFunctions;
	operation: Operation;
	/** Whether anything may be sent: not by a read, nor where all rows are a dry run. */
	isSending: boolean;
	/** A job for each input item, or one for all of them. */
	kind: 'perItem' | 'allItems';
	/** Whether failures become items: where the node continues on errors, or is an agent's tool that sends. */
	failuresAreItems: boolean;
	rows: Rows;
	/** What was sent; undefined for an agent's tool, and where nothing is sent. */
	ledger: Ledger | undefined;
	hints: Hints;
}

/** The part of a run for the items with one credential, as its jobs need it. */
export interface CredentialRun<Chosen extends Operation = ChangingOperation> extends Run {
	operation: Chosen;
	/** The input items. */
	itemIndexes: readonly number[];
	client: ServiceClient;
	/** The address and the Client ID: the same in each try, also where the key is replaced in between. */
	clientKey: string;
	policy: SendingGuard;
	/** What a dry run would have sent so far. */
	rehearsal: Rehearsal;
	parameters: RunParameters;
	/** Of an agent's tool that sends. */
	agent: AgentMemory | undefined;
}

/** What the operation does for one input item, or for all of them. */
export interface Job {
	run: CredentialRun;
	itemIndexes: readonly number[];
	isDryRun: boolean;
	plan?: RecipientPlan;
	/** Those that are left to send. */
	requests: PlannedRequest[];
	/** Of a list. */
	earlier: EarlierOfList;
	/** What the user should know about the requests. */
	warnings: string[];
}

/**
 * What is known of a run before its options and the credential are read.
 * @throws Failure where there is no such operation, and in a retry for what the ledger refuses
 */
export function startRun(context: IExecuteFunctions, rows: Rows): Run {
	const resource = context.getNodeParameter('resource', 0) as string;
	const name = context.getNodeParameter('operation', 0) as string;
	const operation = findOperation(resource, name);
	if (operation === undefined) {
		throw Failure.ofField(
			'Operation',
			`"${name}" of the resource "${resource}" does not exist`,
			'Select the resource and the operation again.',
		);
	}
	const { recipients } = operation;
	const source = recipients === undefined ? '' : String(sourceOf(recipients, context));
	const kind = source === INPUT_ITEMS ? 'allItems' : 'perItem';
	const isAgent = isTool(context);
	const isDryRun = context.getNode().parameters.dryRun === true;
	const ledger =
		isAgent || !isChanging(operation)
			? undefined
			: new Ledger(context, `${resource} ${name} ${source}`);
	if (isDryRun && ledger !== undefined && ledger.reached > 0) throw dryRunOfRetry();
	return {
		context,
		operation,
		isSending: isChanging(operation) && !isDryRun,
		kind,
		rows,
		// An agent must read whether a message may have been sent.
		failuresAreItems: context.continueOnFail() || (reachesPeople(operation) && isAgent),
		ledger,
		hints: new Hints(),
	};
}

/** It would say of those whom an earlier try has reached that they would be sent to. */
function dryRunOfRetry(): Failure {
	return new Failure(
		'A dry run does not know what the earlier try has sent',
		'Switch Dry Run off and retry: that sends only to those whom no try has reached. To see who would get it, use Dry Run in a new execution.',
		{ sent: 'possibly' },
	);
}

/**
 * Reads what holds for the whole run, and the credential of each item.
 * @returns a run for each credential; the items that have none fail
 * @throws where any of it is wrong for all items: nothing is sent then
 */
export async function prepareRuns(run: Run): Promise<CredentialRun<Operation>[]> {
	const { context, rows } = run;
	const parameters = new RunParameters(context);
	const credentials = await readCredentials(context, rows.all);
	return credentials.flatMap(({ rows: itemIndexes, data }) => {
		try {
			if (data instanceof Failure) throw data;
			return [prepareRun({ ...run, itemIndexes, parameters }, data)];
		} catch (cause) {
			if (credentials.length === 1) throw Failure.of(cause);
			for (const row of itemIndexes) rows.set([row], failedResult(cause, 'no'));
			return [];
		}
	});
}

function prepareRun(
	run: Run & Pick<CredentialRun, 'itemIndexes' | 'parameters'>,
	credential: ICredentialDataDecryptedObject,
): CredentialRun<Operation> {
	const { context, operation, hints } = run;
	const client = clientFor(portOf(context), credential, fieldLabels(operation), PATIENT);
	const isAgentSending = isTool(context) && reachesPeople(operation);
	const policy = new SendingGuard(readPolicy(credential), {
		context: policyCountsOf(context, client.accountKey),
		client,
		isEvaluation: context.getMode() === 'evaluation',
		noteUnreadable: (storageIds) => {
			hints.addUnreadable(storageIds);
		},
	});
	return {
		...run,
		client,
		clientKey: clientKeyOf(client.settings),
		agent: isAgentSending ? new AgentMemory(context, client.accountKey) : undefined,
		policy,
		rehearsal: policy.startRehearsal(),
	};
}

/** Enough to tell the accounts of a run apart, and too short to tell anything of their keys. */
const ACCOUNT_CHARACTERS = 4;

/** What n8n keeps for an account in the node's context: the policy counts its recipients in it. */
function policyCountsOf(context: IExecuteFunctions, accountKey: string): object {
	const node = context.getContext('node') as { counts?: Record<string, object> };
	const counts = (node.counts ??= {});
	return (counts[accountKey.slice(0, ACCOUNT_CHARACTERS)] ??= {});
}

/** The input items of each job: one of them, or all. */
export function jobItems({ kind, itemIndexes }: CredentialRun<Operation>): (readonly number[])[] {
	return kind === 'allItems' ? [itemIndexes] : itemIndexes.map((row) => [row]);
}

/** How many requests may be in progress: that of each account limits its own. */
export function concurrencyOf(runs: readonly CredentialRun<Operation>[]): number {
	return Math.max(1, ...runs.map(({ client }) => client.concurrency));
}

/**
 * Whether the node runs as an agent's tool. Of the two contexts in which n8n runs a tool, one says
 * no: there, the type of the node ends with "Tool".
 */
export function isTool(context: IExecuteFunctions): boolean {
	if (context.getNode().type.endsWith('Tool')) return true;
	return 'isToolExecution' in context && context.isToolExecution();
}

/** Whether the user has cancelled the execution, or it ran out of time. */
export function isCanceled({ context }: Pick<Run, 'context'>): boolean {
	return context.getExecutionCancelSignal()?.aborted === true;
}

/** Whether nothing more is started: after a failure, unless failures become items, or once canceled. */
export function isOver(run: Run): boolean {
	return (run.rows.hasFailed && !run.failuresAreItems) || isCanceled(run);
}

/**
 * What an operation gets for some input items. It is made anew where it is needed: that of 100,000
 * items would take more memory than what is sent.
 */
export function inputFor(
	{ context, client, parameters, policy }: CredentialRun<Operation>,
	itemIndexes: readonly number[],
	block?: CampaignBlock,
): OperationInput {
	return {
		context,
		client,
		itemIndexes,
		parameters: new ParameterReader(parameters, itemIndexes),
		block,
		isOfAgent: isTool(context),
		optOutMatches: () => policy.optOutMatches(),
	};
}

/** What the operation of a job gets, with which it warns the user: in the output items, and in a hint. */
export function warnedInputFor({ run, itemIndexes, warnings }: Job): OperationInput {
	const warn = (text: string) => {
		warnings.push(text);
		const item = itemIndexes.length === 1 && run.rows.total > 1 ? itemIndexes[0] : undefined;
		run.hints.addWarning(text, item);
	};
	return { ...inputFor(run, itemIndexes), warn };
}
