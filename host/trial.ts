/**
 * n8n with the package, beside the sandbox: a credential, the example workflows and a first
 * demonstration, for people who try it.
 */
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { demonstrate, describe, isComplete } from './demonstration.ts';
import { localOwner } from './localOwner.ts';
import { N8nClient, type CredentialSummary, type Workflow } from './n8nClient.ts';
import { freePort } from './ports.ts';
import { withProgress } from './progress.mjs';
import { runServers, type Run } from './run.ts';
import { startSandbox, type Sandbox } from './sandbox.ts';
import type { Server } from './server.ts';
import type { TrialOptions } from './trialOptions.ts';
import { credentialType, exampleFiles, exampleWorkflow } from './workflows.ts';

/** Holds the webhook URL after the start. */
const eventsFile = 'receive-sms-statuses.json';
/** Makes a campaign in the demonstration. */
const campaignFile = 'start-here.json';
/** What to look at first, in this order. */
const firstExamples = ['text-each-person-by-name.json', campaignFile, 'call-first-then-sms.json'];
const credentialName = 'Messaging Service Sandbox';
const clientId = '1001';
/** What to run, and where. */
export interface Trial extends Pick<Run, 'name' | 'end'> {
	/** Where the sandbox keeps its data, and where the logs go. */
	home: string;
	/** Whether it is emptied first. */
	isFresh?: boolean;
	/** Starts n8n; gives its address. */
	startN8n: (watch: (server: Server) => void) => Promise<string>;
	options: TrialOptions;
}

/** The example workflows in n8n, by the names of their files. */
type Examples = Map<string, Workflow>;

/** The credential for the sandbox, made or, where the sandbox has moved, pointed at its new place. */
async function provideCredential(n8n: N8nClient, sandbox: Sandbox): Promise<CredentialSummary> {
	const existing = (await n8n.credentials()).find(
		({ name, type }) => name === credentialName && type === credentialType,
	);
	if (existing === undefined) {
		return await n8n.createCredential(credentialName, credentialType, {
			baseUrl: sandbox.url,
			clientId,
			authentication: 'header',
			headerName: 'X-Api-Key',
			headerSecret: sandbox.apiKey,
			// Numbers and cost as in the examples.
			defaultCountry: 'GB',
			pricePerPart: 0.04,
			currency: 'GBP',
			// The sandbox's, so that webhook and lists give the same result the same eventKey.
			serviceConventions: true,
			serviceTimeZone: 'UTC',
			// What the examples store of those who opt out.
			sendingPolicy: true,
			doNotContactParameter: 'parameter1',
			doNotContactValue: 'Opt out',
		});
	}
	const { data = {} } = await n8n.credential(existing.id);
	if (data.baseUrl !== sandbox.url) {
		await n8n.updateCredential(existing, { ...data, baseUrl: sandbox.url });
	}
	return existing;
}

/** The examples as n8n lists them: the newest first. */
const importOrder = () => [
	...exampleFiles()
		.filter((file) => !firstExamples.includes(file))
		.reverse(),
	...firstExamples.toReversed(),
];

/** Imports the examples. One whose name is there already is the user's; one that was removed comes back. */
async function provideExamples(n8n: N8nClient, credential: CredentialSummary): Promise<Examples> {
	const present = await n8n.workflows();
	const examples: Examples = new Map();
	for (const file of importOrder()) {
		const example = exampleWorkflow(file, credential);
		const known = present.find(({ name }) => name === example.name);
		examples.set(file, known ?? (await n8n.createWorkflow(example)));
	}
	return examples;
}

function exampleOf(examples: Examples, file: string): Workflow {
	const workflow = examples.get(file);
	if (workflow === undefined) throw new Error(`There is no example workflow ${file}.`);
	return workflow;
}

/**
 * Makes the service know this n8n's address. With another port or a new sandbox, a published
 * workflow is published again.
 */
async function registerTrigger(
	n8n: N8nClient,
	sandbox: Sandbox,
	{ id, name }: Workflow,
): Promise<void> {
	const { url } = await sandbox.webhook();
	const { active } = await n8n.workflow(id);
	if (active && url?.startsWith(`${n8n.url}/`) === true) return;
	if (active) await n8n.deactivateWorkflow(id);
	const { status, triggers } = await n8n.activateWorkflow(id);
	if (status === 'published') return;
	const messages = triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
	throw new Error(`"${name}" could not be published: ${messages.join('; ') || status}`);
}

/** Says the next step, and below it what else there is. */
function sayWhatNext(n8nUrl: string, sandbox: Sandbox, examples: Examples, logs: string): void {
	const [{ id, name }, ...others] = firstExamples.map((file) => exampleOf(examples, file)) as [
		Workflow,
		...Workflow[],
	];
	const { email, password } = localOwner();
	const links = others.map((other) => `${n8nUrl}/workflow/${other.id}   ${other.name}`);
	console.log(`
  Next: open ${n8nUrl}/workflow/${id}
        log in as ${email} with the password ${password}
        and click "Execute workflow" in "${name}".

  then      ${links.join('\n  then      ')}
  sandbox   ${sandbox.url}   (its page; API key: ${sandbox.apiKey})
  logs      ${path.relative(process.cwd(), logs) || '.'}
`);
}

/** Runs the demonstration and says what came of it; true when nothing was lost. */
async function showDemonstration(
	n8n: N8nClient,
	sandbox: Sandbox,
	examples: Examples,
): Promise<boolean> {
	const result = await withProgress(
		'Demonstration: one SMS campaign, and its events',
		async () =>
			await demonstrate({
				n8n,
				sandbox,
				campaignWorkflowId: exampleOf(examples, campaignFile).id,
				eventsWorkflowId: exampleOf(examples, eventsFile).id,
			}),
		{ usually: '5 s' },
	);
	console.log(`\n  ${describe(result)}\n`);
	return isComplete(result);
}

/** Starts everything, says how to get there, and goes on until it is told to stop. */
export async function runTrial(trial: Trial): Promise<void> {
	const { name, home, isFresh = false, startN8n, end, options } = trial;
	const logs = path.join(home, 'logs');
	const database = path.join(home, 'sandbox', 'sandbox.sqlite');

	const provideSandbox = async () =>
		await startSandbox({
			logFile: path.join(logs, 'sandbox.log'),
			port: await freePort(options.sandboxPort),
			database,
		});

	async function start(watch: (server: Server) => void): Promise<number | undefined> {
		if (isFresh) rmSync(home, { recursive: true, force: true });
		// A sandbox with a past immediately delivers what it could not deliver when n8n was stopped.
		const early = existsSync(database) ? undefined : await provideSandbox();
		if (early !== undefined) {
			console.log(`  The sandbox is there: open ${early.url} meanwhile.`);
			watch(early.server);
		}
		const url = await startN8n(watch);
		const sandbox = early ?? (await provideSandbox());
		if (early === undefined) watch(sandbox.server);

		const n8n = new N8nClient(url);
		await n8n.logIn();
		const examples = await provideExamples(n8n, await provideCredential(n8n, sandbox));
		await registerTrigger(n8n, sandbox, exampleOf(examples, eventsFile));

		const isShown = !options.hasDemo || (await showDemonstration(n8n, sandbox, examples));
		sayWhatNext(url, sandbox, examples, logs);
		if (options.exitsAfterDemo) return isShown ? 0 : 1;
		console.log('  Ctrl-C stops everything.');
		return undefined;
	}

	await runServers({ name, start, ...(end === undefined ? {} : { end }) });
}
