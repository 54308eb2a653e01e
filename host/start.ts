/**
 * `npm start`: a real n8n with the package as users install it, beside the local stand-in service.
 *
 *     npm start -- [--no-demo] [--exit-after-demo]
 *     npm run start:queue -- [the same]
 *     npm run dev
 *
 * Everything this clone keeps is in `.local`: remove it to start afresh. In queue mode (`--queue`)
 * n8n is a main process, two workers and a webhook processor, and starts afresh each time.
 * For development (`--dev`), every save of a source is compiled and n8n loads the nodes again.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { demonstrate, describe } from './demonstration.ts';
import { startDevBuild } from './devBuild.ts';
import { localOwner, N8nClient, type CredentialSummary, type Workflow } from './n8nClient.ts';
import { Lock } from './lock.ts';
import { installN8n } from './n8nInstall.ts';
import { startN8n } from './n8nProcess.ts';
import { installPackage, openInstalledPackage, packPackage } from './packageTarball.ts';
import { freePort } from './ports.ts';
import { withProgress } from './progress.mjs';
import { provideQueuePrograms } from './queue/programs.ts';
import { n8nParts, QueueStand } from './queue/stand.ts';
import { localFolder } from './runtime.mjs';
import { stopAllServers, type Server } from './server.ts';
import { ServiceClient } from './serviceClient.ts';
import { startService, type ServiceProcess } from './serviceProcess.ts';
import { credentialType, exampleFiles, exampleWorkflow } from './workflows.ts';

/** Holds the webhook URL after the start. */
const eventsFile = 'start-here.json';
/** What to look at first, in this order. */
const firstExamples = ['text-each-person-by-name.json', eventsFile, 'call-first-then-sms.json'];
const credentialName = 'Messaging Service Sandbox';
const clientId = '1001';
const usualPorts = { n8n: 5678, sandbox: 8025 };

const { values: flags } = parseArgs({
	options: {
		queue: { type: 'boolean', default: false },
		dev: { type: 'boolean', default: false },
		'no-demo': { type: 'boolean', default: false },
		'exit-after-demo': { type: 'boolean', default: false },
	},
});

/** Where this mode keeps what it keeps. */
const home = flags.queue ? path.join(localFolder, 'queue') : localFolder;
/** Two n8n on one database would spoil it. */
const lock = new Lock(path.join(localFolder, flags.queue ? 'queue.lock' : 'start.lock'));
const stateFile = path.join(home, 'imported.json');
const log = (name: string) => path.join(home, 'logs', `${name}.log`);

let stand: QueueStand | undefined;
let stopping: Promise<never> | undefined;
let isUp = false;
let hasLock = false;

/** Stops everything that was started, then ends. */
async function stop(exitCode: number): Promise<never> {
	stopping ??= (async () => {
		await stand?.stop();
		await stopAllServers();
		if (hasLock) lock.release();
		process.exit(exitCode);
	})();
	return await stopping;
}

/** A server that ends by itself takes the rest with it. */
function watch(server: Server): void {
	void server.ended.then((how) => {
		if (stopping !== undefined) return;
		console.error(
			`\n${server.name} ended by itself (${how}). Its log: ${server.logFile}\nStopping the rest.`,
		);
		void stop(1);
	});
}

/** The credential for the sandbox, made or, where the sandbox has moved, pointed at its new place. */
async function provideCredential(
	n8n: N8nClient,
	service: ServiceProcess,
): Promise<CredentialSummary> {
	const existing = (await n8n.credentials()).find(
		({ name, type }) => name === credentialName && type === credentialType,
	);
	if (existing === undefined) {
		return await n8n.createCredential(credentialName, credentialType, {
			baseUrl: service.url,
			clientId,
			authentication: 'header',
			headerName: 'X-Api-Key',
			headerSecret: service.apiKey,
			// The sandbox's, so that webhook and lists give the same result the same eventKey.
			serviceConventions: true,
			serviceTimeZone: 'UTC',
		});
	}
	const { data = {} } = await n8n.credential(existing.id);
	if (data.baseUrl !== service.url) {
		await n8n.updateCredential(existing, { ...data, baseUrl: service.url });
	}
	return existing;
}

/**
 * The example workflows in n8n, by file name. Each is imported once and is the user's from then on;
 * one that was removed comes back.
 */
async function provideWorkflows(
	n8n: N8nClient,
	credential: CredentialSummary,
): Promise<Map<string, Workflow>> {
	const imported = existsSync(stateFile)
		? (JSON.parse(readFileSync(stateFile, 'utf8')) as Record<string, string>)
		: {};
	const present = new Map((await n8n.workflows()).map((workflow) => [workflow.id, workflow]));
	const result = new Map<string, Workflow>();
	for (const file of exampleFiles()) {
		const known = present.get(imported[file] ?? '');
		const workflow = known ?? (await n8n.createWorkflow(exampleWorkflow(file, credential)));
		imported[file] = workflow.id;
		result.set(file, workflow);
	}
	writeFileSync(stateFile, JSON.stringify(imported, undefined, '\t'));
	return result;
}

/** Publishes a workflow; fails with what its triggers said when they could not be set up. */
async function publish(n8n: N8nClient, workflow: Workflow): Promise<void> {
	const { status, triggers } = await n8n.activateWorkflow(workflow.id);
	if (status === 'published') return;
	const messages = triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
	throw new Error(`"${workflow.name}" could not be published: ${messages.join('; ') || status}`);
}

/**
 * Makes the service know this n8n's address. n8n registers the URLs of triggers when a workflow is
 * published, not when it restarts: with another port, or a new sandbox, they are published again.
 */
async function registerTriggers(
	n8n: N8nClient,
	service: ServiceClient,
	eventsWorkflow: Workflow,
): Promise<void> {
	const registered = await service.webhookUrl();
	const isCurrent = registered?.startsWith(`${n8n.url}/`) === true;
	const { active } = await n8n.workflow(eventsWorkflow.id);
	if (active && isCurrent) return;
	if (active) await n8n.deactivateWorkflow(eventsWorkflow.id);
	await publish(n8n, eventsWorkflow);
}

function sayHello(n8nUrl: string, service: ServiceProcess, workflows: Map<string, Workflow>): void {
	const links = firstExamples.map((file) => {
		const { id, name } = workflowOf(workflows, file);
		return `${n8nUrl}/workflow/${id}   ${name}`;
	});
	console.log(`
  open      ${links.join('\n  then      ')}
  login     ${localOwner.email} / ${localOwner.password}
  sandbox   ${service.url}   (API key: ${service.apiKey}; open it in the browser for its page)
  logs      ${path.relative(process.cwd(), path.dirname(log('n8n'))) || '.'}
`);
}

function workflowOf(workflows: Map<string, Workflow>, file: string): Workflow {
	const workflow = workflows.get(file);
	if (workflow === undefined) throw new Error(`There is no example workflow ${file}.`);
	return workflow;
}

/** Runs the demonstration and says what came of it; true when nothing was lost. */
async function showDemonstration(
	n8n: N8nClient,
	service: ServiceClient,
	workflows: Map<string, Workflow>,
): Promise<boolean> {
	let executions = 0;
	const result = await withProgress(
		'Demonstration: one SMS campaign from 1,000 rows, and its events',
		async () =>
			await demonstrate({
				n8n,
				service,
				campaignWorkflowId: workflowOf(workflows, 'sms-campaign-from-1000-rows.json').id,
				eventsWorkflowId: workflowOf(workflows, eventsFile).id,
				onProgress: (count) => {
					executions = count;
				},
			}),
		{
			usually: '30 to 90 s',
			detail: () => `${String(executions)} executions`,
			isCancelled: () => stopping !== undefined,
		},
	);
	console.log(`\n  ${describe(result)}\n`);
	return (
		result.campaigns === 1 &&
		result.contacts > 0 &&
		result.delivered === result.contacts &&
		result.executions === result.contacts &&
		result.lost === 0
	);
}

/** One n8n process, with what it kept; gives its address. */
async function startRegular(): Promise<string> {
	const installation = await installN8n();
	const tarball = await pack();
	const userFolder = path.join(localFolder, 'n8n');
	await installPackage(tarball, userFolder, installation);
	const { url, server } = await withProgress(
		`Starting n8n ${installation.version}`,
		async () =>
			await startN8n({
				installation,
				userFolder,
				logFile: log('n8n'),
				preferredPort: usualPorts.n8n,
				environment: flags.dev ? { N8N_DEV_RELOAD: 'true' } : {},
			}),
		{ usually: '15 s' },
	);
	watch(server);
	if (flags.dev) watch(startDevBuild(openInstalledPackage(userFolder), log('compiler')));
	return url;
}

/** n8n in queue mode, with nothing in it; gives its address. */
async function startQueue(): Promise<string> {
	rmSync(home, { recursive: true, force: true });
	const programs = await provideQueuePrograms();
	const installation = await installN8n();
	const tarball = await pack();
	const preferredPort = await freePort(usualPorts.n8n);
	const started = await withProgress(
		`Starting n8n ${installation.version} in queue mode: Redis, PostgreSQL, ${Object.keys(n8nParts).join(', ')}`,
		async () =>
			await QueueStand.start({ folder: home, programs, installation, tarball, preferredPort }),
		{ usually: '40 s' },
	);
	stand = started;
	for (const part of ['redis', 'postgres', 'main', 'worker1', 'worker2', 'webhook'] as const) {
		watch(started.server(part));
	}
	return started.url;
}

const pack = async () =>
	await withProgress('Building and packing the package', async () => await packPackage(home), {
		usually: '10 s',
	});

async function main(): Promise<void> {
	const url = await (flags.queue ? startQueue() : startRegular());
	lock.annotate(url);

	// After n8n, for it immediately delivers what it could not deliver when it was stopped.
	const service = await startService({
		logFile: log('sandbox'),
		preferredPort: usualPorts.sandbox,
		database: path.join(home, 'sandbox', 'sandbox.sqlite'),
	});
	watch(service.server);

	const n8n = new N8nClient(url);
	await n8n.logIn();
	const credential = await provideCredential(n8n, service);
	const workflows = await provideWorkflows(n8n, credential);
	const client = new ServiceClient(service.url, service.apiKey);
	const eventsWorkflow = workflowOf(workflows, eventsFile);
	await registerTriggers(n8n, client, eventsWorkflow);
	sayHello(url, service, workflows);
	isUp = true;

	let isDemonstrated = true;
	if (!flags['no-demo'] && !flags.dev) {
		try {
			isDemonstrated = await showDemonstration(n8n, client, workflows);
		} catch (error) {
			isDemonstrated = false;
			if (stopping !== undefined) return await stopping;
			console.error(`\n  ${error instanceof Error ? error.message : String(error)}\n`);
		}
	}
	if (flags['exit-after-demo']) return await stop(isDemonstrated ? 0 : 1);
	console.log(`  Open ${url} in your browser. Ctrl-C stops everything.`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		if (stopping === undefined) console.log('\nStopping ...');
		void stop(isUp && !flags['exit-after-demo'] ? 0 : 130);
	});
}
// Whoever started us is gone.
process.on('disconnect', () => void stop(1));

try {
	lock.take();
	hasLock = true;
	await main();
} catch (error) {
	if (stopping === undefined) {
		console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	}
	await stop(1);
}
