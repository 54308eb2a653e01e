import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { parse as parseFlatted } from 'flatted';
import { localOwner } from './localOwner.ts';
import { poll } from './poll.ts';

/** A node of a workflow, as n8n keeps it. */
export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string | null; name: string }>;
	webhookId?: string;
	onError?: string;
	[setting: string]: unknown;
}

/** What a workflow consists of. */
export interface WorkflowContent {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	/** What n8n's list of workflows can be narrowed down to. */
	tags?: { name: string }[];
	/** Example items of nodes, by their names. */
	pinData?: Record<string, { json: Record<string, unknown> }[]>;
	[setting: string]: unknown;
}

/** A workflow in n8n. */
export interface Workflow extends WorkflowContent {
	id: string;
	versionId: string;
	active: boolean;
	isArchived: boolean;
}

/** A credential as n8n lists it: without its data. */
export interface CredentialSummary {
	id: string;
	name: string;
	type: string;
}

/** How far the publishing of a workflow is, and what its triggers said. */
export interface Publication {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: { errorMessage: string | null }[];
}

/** The statuses in which an execution stays. */
export type FinalStatus = 'success' | 'error' | 'crashed' | 'canceled';

/** Every status an execution can have that the client knows. */
export type ExecutionStatus = FinalStatus | 'new' | 'running' | 'waiting';

/** One output item of a node. */
export interface OutputItem {
	json: Record<string, unknown>;
	error?: unknown;
	pairedItem?: unknown;
}

/** One run of one node. */
export interface NodeRun {
	executionStatus?: string;
	/** Its place among all runs of nodes in the execution. */
	executionIndex?: number;
	error?: { message: string; description?: string | null; [detail: string]: unknown };
	/** Where a node that waits for a form has it, for example. */
	metadata?: Record<string, unknown>;
	data?: { main?: (OutputItem[] | null)[] };
}

/** An execution with its data. */
export interface Execution {
	id: string;
	status: string;
	mode: string;
	workflowId: string;
	runData: Record<string, NodeRun[]>;
	/** The error that ended the execution, if one did. */
	error?: { message: string; description?: string | null; [detail: string]: unknown };
	/** The items a node put out, by its name: of the first output unless told otherwise. */
	items(nodeName: string, output?: number): OutputItem[];
}

/** A node type as n8n describes it to its editor. */
export interface NodeTypeDescription {
	name: string;
	displayName: string;
	version: number | number[];
	[property: string]: unknown;
}

const finalStatuses: FinalStatus[] = ['success', 'error', 'crashed', 'canceled'];

/** What an error response of n8n says, without its stack trace. */
function messageOf(body: unknown): string {
	const message =
		typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
	return typeof message === 'string' ? message : JSON.stringify(body).slice(0, 1000);
}

/** On a busy machine, n8n takes a slow database for a lost one, and refuses everything for seconds. */
const isRefusingAll = ({ status, data }: AxiosResponse<unknown>) =>
	status === 503 && messageOf(data) === 'Database is not ready!';

/** A response of n8n with an error status. */
class Refusal extends Error {
	readonly status: number;

	/** What n8n says. */
	readonly reason: string;

	constructor(request: string, status: number, reason: string) {
		super(`n8n answered ${request} with ${String(status)}: ${reason}`);
		this.status = status;
		this.reason = reason;
	}
}

/** n8n's own REST interface, as the editor of its version uses it, with the owner logged in. */
export class N8nClient {
	private readonly http: AxiosInstance;

	private cookie = '';

	/** Major version of n8n, known once logged in. */
	private major = 0;

	readonly url: string;

	constructor(url: string) {
		this.url = url;
		this.http = axios.create({
			baseURL: url,
			proxy: false,
			timeout: 120_000,
			// On a busy machine, a connection that is kept may be closed just as it is used again.
			httpAgent: new Agent({ keepAlive: false }),
			maxContentLength: Infinity,
			maxBodyLength: Infinity,
			validateStatus: () => true,
		});
	}

	/** Logs in as the local owner, whose account is made when this n8n has none yet. */
	async logIn(): Promise<void> {
		const settings = await this.call<{ userManagement: { showSetupOnFirstLoad?: boolean } }>(
			'GET',
			'/rest/settings',
		);
		const owner = localOwner();
		if (settings.userManagement.showSetupOnFirstLoad === true) {
			await this.call('POST', '/rest/owner/setup', owner);
		} else {
			const { email, password } = owner;
			await this.call('POST', '/rest/login', { emailOrLdapLoginId: email, password });
		}
		const { versionCli } = await this.call<{ versionCli: string }>('GET', '/rest/settings');
		this.major = Number.parseInt(versionCli, 10);
	}

	/** The cookie by which n8n knows the owner, for a browser. */
	get session(): { name: string; value: string } {
		const [name = '', value = ''] = this.cookie.split('=', 2);
		return { name, value };
	}

	/** Every node type that n8n has loaded. */
	async nodeTypes(): Promise<NodeTypeDescription[]> {
		return await this.raw<NodeTypeDescription[]>('GET', '/types/nodes.json');
	}

	/** Every credential type that n8n has loaded. */
	async credentialTypes(): Promise<{ name: string; displayName: string }[]> {
		return await this.raw('GET', '/types/credentials.json');
	}

	/** All credentials. */
	async credentials(): Promise<CredentialSummary[]> {
		return await this.call('GET', '/rest/credentials');
	}

	/** A credential with its data; secrets are blanked out. */
	async credential(
		id: string,
	): Promise<CredentialSummary & { data?: Record<string, unknown> | undefined }> {
		return await this.call('GET', `/rest/credentials/${id}?includeData=true`);
	}

	/** Makes a credential. */
	async createCredential(
		name: string,
		type: string,
		data: Record<string, unknown>,
	): Promise<CredentialSummary> {
		return await this.call('POST', '/rest/credentials', { name, type, data });
	}

	/** Replaces a credential's data. */
	async updateCredential(
		{ id, name, type }: CredentialSummary,
		data: Record<string, unknown>,
	): Promise<CredentialSummary> {
		return await this.call('PATCH', `/rest/credentials/${id}`, { id, name, type, data });
	}

	/** What the editor's "Test" of a credential says. */
	async testCredential(
		credential: CredentialSummary,
		data: Record<string, unknown>,
	): Promise<{ status: string; message: string }> {
		return await this.call('POST', '/rest/credentials/test', {
			credentials: { id: credential.id, name: credential.name, type: credential.type, data },
		});
	}

	/** A key of n8n's public API that may read workflows and executions. */
	async createApiKey(): Promise<string> {
		const { rawApiKey } = await this.call<{ rawApiKey: string }>('POST', '/rest/api-keys', {
			label: randomUUID(),
			expiresAt: null,
			scopes: ['workflow:list', 'workflow:read', 'execution:list', 'execution:read'],
		});
		return rawApiKey;
	}

	/** All workflows that are not archived. */
	async workflows(): Promise<Workflow[]> {
		const listed = await this.call<Workflow[]>('GET', '/rest/workflows');
		return listed.filter((workflow) => !workflow.isArchived);
	}

	/** One workflow. */
	async workflow(id: string): Promise<Workflow> {
		return await this.call('GET', `/rest/workflows/${id}`);
	}

	/** Makes a workflow. */
	async createWorkflow(content: WorkflowContent): Promise<Workflow> {
		const { name, nodes, connections, settings = { executionOrder: 'v1' }, pinData } = content;
		const tags = await this.tagIds((content.tags ?? []).map((tag) => tag.name));
		const workflow = { name, nodes, connections, settings, pinData, tags, active: false };
		return await this.call('POST', '/rest/workflows', workflow);
	}

	/** The identifiers of tags, which are made where n8n does not know them. */
	private async tagIds(names: readonly string[]): Promise<string[]> {
		if (names.length === 0) return [];
		const known = await this.call<{ id: string; name: string }[]>('GET', '/rest/tags');
		const ids: string[] = [];
		for (const name of names) {
			const tag = known.find((each) => each.name === name);
			ids.push((tag ?? (await this.call<{ id: string }>('POST', '/rest/tags', { name }))).id);
		}
		return ids;
	}

	/** Changes a workflow. */
	async updateWorkflow(id: string, change: Partial<WorkflowContent>): Promise<Workflow> {
		const { versionId } = await this.workflow(id);
		return await this.call('PATCH', `/rest/workflows/${id}`, { ...change, versionId });
	}

	/** Archives a workflow, which unpublishes it. */
	async archiveWorkflow(id: string): Promise<void> {
		await this.call('POST', `/rest/workflows/${id}/archive`, {});
	}

	/** Unpublishes, archives and removes a workflow. */
	async deleteWorkflow(id: string): Promise<void> {
		if ((await this.workflow(id)).active) await this.deactivateWorkflow(id);
		await this.archiveWorkflow(id);
		await this.call('DELETE', `/rest/workflows/${id}`);
	}

	/**
	 * Publishes a workflow and waits until n8n has set up its triggers. A failing trigger is tried
	 * several times (by n8n 1 once); what it said in the end is in the result.
	 */
	async activateWorkflow(id: string): Promise<Publication> {
		const { versionId } = await this.workflow(id);
		try {
			await this.call('POST', `/rest/workflows/${id}/activate`, { versionId });
		} catch (error) {
			// n8n 1 responds once the triggers are set up, or with what the first failing one said.
			if (this.major > 1 || !(error instanceof Refusal && error.status === 400)) throw error;
			return { status: 'failed', triggers: [{ errorMessage: error.reason }] };
		}
		// n8n responds before it notes that it publishes.
		return await this.settledPublication(id, ['in_progress', 'not_published']);
	}

	/** Unpublishes a workflow and waits until its triggers are gone. */
	async deactivateWorkflow(id: string): Promise<Publication> {
		await this.call('POST', `/rest/workflows/${id}/deactivate`, {});
		return await this.settledPublication(id, ['in_progress']);
	}

	/** Runs a workflow as the editor does, from one of its triggers. */
	async startWorkflow(id: string, trigger: string): Promise<string> {
		const { executionId } = await this.run(id, trigger);
		if (executionId === undefined) throw new Error(`n8n did not start workflow ${id}.`);
		return executionId;
	}

	/** Listens for a test event of a trigger, as the editor does. */
	async listen(id: string, trigger: string): Promise<void> {
		const { waitingForWebhook } = await this.run(id, trigger);
		if (waitingForWebhook !== true) throw new Error(`n8n does not listen for workflow ${id}.`);
	}

	/** The editor's "Stop" while it listens. */
	async stopListening(id: string): Promise<void> {
		await this.call('DELETE', `/rest/test-webhook/${id}`);
	}

	/** Ends a running execution. */
	async stopExecution(id: string): Promise<void> {
		await this.call('POST', `/rest/executions/${id}/stop`, {});
	}

	/** The entries of a list in the form of a node, as the editor asks for them. */
	async searchList(
		nodeType: string,
		methodName: string,
		credentials: Record<string, { id: string; name: string }>,
	): Promise<{ results: { name: string; value: string }[] }> {
		const project = await this.call<{ id: string }>('GET', '/rest/projects/personal');
		return await this.call('POST', '/rest/dynamic-node-parameters/resource-locator-results', {
			path: 'parameters.campaignId',
			nodeTypeAndVersion: { name: nodeType, version: 1 },
			currentNodeParameters: {},
			projectId: project.id,
			methodName,
			credentials,
		});
	}

	/** Runs a workflow from one of its triggers and waits for its end. */
	async runWorkflow(id: string, trigger: string, timeout = 240_000): Promise<Execution> {
		return await this.finishedExecution(await this.startWorkflow(id, trigger), timeout);
	}

	/** "Retry" of a failed execution in the list of executions: gives the new one, once it has ended. */
	async retryExecution(id: string): Promise<Execution> {
		const retried = await this.call<{ id: string }>('POST', `/rest/executions/${id}/retry`, {
			loadWorkflow: false,
		});
		return await this.finishedExecution(retried.id);
	}

	/** Makes a data table of texts. @returns its ID */
	async createDataTable(name: string, rows: readonly Record<string, string>[]): Promise<string> {
		const { id: project } = await this.call<{ id: string }>('GET', '/rest/projects/personal');
		const columns = Object.keys(rows[0] ?? {}).map((column) => ({ name: column, type: 'string' }));
		const tables = `/rest/projects/${project}/data-tables`;
		const { id } = await this.call<{ id: string }>('POST', tables, { name, columns });
		await this.call('POST', `${tables}/${id}/insert`, { data: rows, returnType: 'count' });
		return id;
	}

	/** "Run test" in the Evaluations tab: gives an execution for each row, once all have ended. */
	async evaluate(id: string): Promise<Execution[]> {
		const runs = `/rest/workflows/${id}/test-runs`;
		await this.call('POST', `${runs}/new`, {});
		const run = await poll(
			async () => {
				const [latest] = await this.call<{ id: string; status: string }[]>('GET', runs);
				return ['completed', 'error'].includes(latest?.status ?? '') ? latest : undefined;
			},
			{ what: `the evaluation of workflow ${id}`, timeout: 240_000 },
		);
		const cases = await this.call<{ executionId: string }[]>('GET', `${runs}/${run.id}/test-cases`);
		return await Promise.all(
			cases.map(async ({ executionId }) => await this.execution(executionId)),
		);
	}

	/** An execution, once it has ended. */
	async finishedExecution(id: string, timeout = 240_000): Promise<Execution> {
		return await poll(
			async () => {
				const execution = await this.execution(id);
				return (finalStatuses as string[]).includes(execution.status) ? execution : undefined;
			},
			{ what: `execution ${id} to end`, timeout },
		);
	}

	/** An execution with all its data. */
	async execution(id: string): Promise<Execution> {
		const { data, ...summary } = await this.call<
			Pick<Execution, 'id' | 'status' | 'mode' | 'workflowId'> & { data?: string }
		>('GET', `/rest/executions/${id}`);
		// An execution that has only just begun has no data, or an empty list for it.
		const parsed = (data === undefined ? undefined : parseFlatted(data)) as
			| { resultData?: { runData?: Record<string, NodeRun[]>; error?: Execution['error'] } }
			| undefined;
		const runData = parsed?.resultData?.runData ?? {};
		return {
			id: summary.id,
			status: summary.status,
			mode: summary.mode,
			workflowId: summary.workflowId,
			runData,
			error: parsed?.resultData?.error,
			items: (nodeName, output = 0) =>
				(runData[nodeName] ?? []).flatMap((run) => run.data?.main?.[output] ?? []),
		};
	}

	/** The identifiers of a workflow's executions, the newest first. */
	async executionIds(workflowId: string, limit = 100): Promise<string[]> {
		const { results } = await this.listExecutions(workflowId, finalStatuses, limit);
		return results.map(({ id }) => id);
	}

	/** How many executions a workflow has in the given statuses: n8n's own count, never an estimate. */
	async countExecutions(workflowId: string, statuses: ExecutionStatus[]): Promise<number> {
		const { count, estimated } = await this.listExecutions(workflowId, statuses, 1);
		if (estimated) throw new Error('n8n only estimated the number of executions.');
		return count;
	}

	private async listExecutions(workflowId: string, status: ExecutionStatus[], limit: number) {
		const filter = JSON.stringify({ workflowId, status });
		return await this.call<{ results: { id: string }[]; count: number; estimated: boolean }>(
			'GET',
			`/rest/executions?filter=${encodeURIComponent(filter)}&limit=${String(limit)}`,
		);
	}

	/** The editor's "Execute workflow". n8n 1 is told what to run, n8n 2 runs what it has saved. */
	private async run(
		id: string,
		trigger: string,
	): Promise<{ executionId?: string; waitingForWebhook?: boolean }> {
		return await this.call('POST', `/rest/workflows/${id}/run`, {
			...(this.major === 1 ? { workflowData: await this.workflow(id) } : {}),
			triggerToStartFrom: { name: trigger },
		});
	}

	/** How the publishing of a workflow ended. n8n 1 publishes before it responds. */
	private async settledPublication(
		id: string,
		open: Publication['status'][],
	): Promise<Publication> {
		if (this.major === 1) {
			const { active } = await this.workflow(id);
			return { status: active ? 'published' : 'not_published', triggers: [] };
		}
		return await poll(
			async () => {
				const publication = await this.call<Publication>(
					'GET',
					`/rest/workflows/${id}/publication-status`,
				);
				return open.includes(publication.status) ? undefined : publication;
			},
			{ what: `the publishing of workflow ${id}`, timeout: 240_000 },
		);
	}

	/** A request to the REST interface, whose responses come wrapped in `data`. */
	private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
		return (await this.raw<{ data: T }>(method, path, body)).data;
	}

	private async raw<T>(method: string, path: string, body?: unknown): Promise<T> {
		const headers = this.cookie === '' ? {} : { cookie: this.cookie };
		const ask = async () => {
			const answer = await this.http
				.request<unknown>({ method, url: path, data: body, headers })
				.catch((error: unknown) => {
					// Axios' own error holds the connection, which no report of a test can show.
					throw new Error(`${method} ${path}: ${error instanceof Error ? error.message : ''}`);
				});
			return isRefusingAll(answer) ? undefined : answer;
		};
		const response = await poll(ask, { what: 'the database of n8n', timeout: 120_000 });
		if (response.status >= 400) {
			throw new Refusal(`${method} ${path}`, response.status, messageOf(response.data));
		}
		const [cookie] = response.headers['set-cookie'] ?? [];
		if (cookie !== undefined) this.cookie = cookie.split(';', 1)[0] ?? '';
		return response.data as T;
	}
}
