import type { CredentialSummary, Workflow, WorkflowContent } from '../../../host/n8nClient.ts';
import { poll } from '../../../host/poll.ts';
import { exampleFiles, exampleWorkflow } from '../../../host/workflows.ts';
import { sendEvents } from '../../support/eventSender.ts';
import { withExample } from '../support/examples.ts';
import { withOwnTables } from '../support/exampleSuite.ts';
import { sandbox } from '../support/host.ts';
import { OwnN8n } from '../support/ownN8n.ts';
import { countOpenExecutions, storedExecutions } from '../support/storedEvents.ts';
import { itOnN8n2, n8nDifferences } from '../support/versions.ts';
import { createCredential } from '../support/workflows.ts';

const folder = 'n8n-shared-examples';
const isTrigger = ({ type }: { type: string }) => type.endsWith('messagingServiceTrigger');

/** Those with our trigger, in an order that is none of theirs. */
const filesFor = (credential: CredentialSummary) =>
	exampleFiles()
		.filter((file) => exampleWorkflow(file, credential).nodes.some(isTrigger))
		.sort((one, other) => (one.slice(-9) < other.slice(-9) ? -1 : 1));

/** An example without what needs an account elsewhere. */
function withoutMail(workflow: WorkflowContent): WorkflowContent {
	for (const node of workflow.nodes) if (/emailSend/.test(node.type)) node.disabled = true;
	return withOwnTables('of shared examples')(workflow);
}

/** Three kinds of events in turns: a text that was delivered, one that failed, a call that ended in an opt-out. */
const specials = [
	{ data: { statusCode: 1 } },
	{ data: { statusCode: 4 } },
	{
		webHookType: 0,
		data: { campaignId: '77', startTime: '2026-01-01T10:00:00Z', outCome: 1, stage: 14 },
	},
];

/** Which of these kinds a trigger lets through, by its form. */
function wantedKinds({ parameters }: { parameters: Record<string, unknown> }): boolean[] {
	const { events, filters = {} } = parameters as {
		events: string[];
		filters?: { statuses?: unknown[]; stages?: number[] };
	};
	const { statuses } = filters;
	const sms = events.includes('smsStatus');
	return [
		sms && (statuses?.includes(1) ?? true),
		sms && (statuses?.includes('failed') ?? true),
		events.includes('callAttempted') && (filters.stages?.includes(14) ?? true),
	];
}

/** Imports all of some examples, and removes them in the end. */
async function withExamples(
	n8n: OwnN8n,
	[file, ...others]: string[],
	credential: CredentialSummary,
	use: (workflows: Workflow[]) => Promise<void>,
): Promise<void> {
	if (file === undefined) {
		await use([]);
		return;
	}
	await withExample(
		n8n.client,
		file,
		credential,
		async (workflow) => {
			await withExamples(n8n, others, credential, async (more) => {
				await use([workflow, ...more]);
			});
		},
		withoutMail,
	);
}

describe('every example with the trigger', () => {
	const n8n = new OwnN8n(folder, n8nDifferences().flood);

	beforeAll(async () => {
		await n8n.start();
	});
	afterAll(async () => {
		await n8n.stop();
	});

	itOnN8n2('most examples need n8n 2')(
		'gets all of 1,000 events that it wants, each once, beside all the others',
		async () => {
			const credential = await createCredential(n8n.client, 'Shared');
			await withExamples(n8n, filesFor(credential), credential, async (workflows) => {
				expect(workflows.length).toBeGreaterThan(6);
				for (const { id } of workflows) {
					expect(await n8n.client.activateWorkflow(id)).toMatchObject({ status: 'published' });
				}
				const url = await poll(async () => (await sandbox().webhook()).url ?? undefined, {
					what: 'the registration of the first one',
					timeout: 60_000,
				});
				const { acknowledged } = await sendEvents({
					url,
					...{ count: 1000, connections: 20, tries: 1000 },
					special: (number) => specials[number % 3] ?? {},
				});
				expect(acknowledged.size).toBe(1000);
				for (const { id, name, nodes } of workflows) {
					await poll(
						() => (countOpenExecutions(folder, id, new Date(0)) === 0 ? true : undefined),
						{
							what: `the executions of ${name}`,
							timeout: 300_000,
						},
					);
					const trigger = nodes.find(isTrigger);
					if (trigger === undefined) throw new Error(`${name} has no trigger`);
					const kinds = wantedKinds(trigger);
					const { items } = storedExecutions(folder, id, trigger.name);
					const got = items.map(({ json }) => Number(String(json.phoneNumber).slice(-5)));
					const all = Array.from({ length: 1000 }, (_, number) => number);
					const wanted = all.filter((number) => kinds[number % 3]);
					expect([name, got.sort((one, other) => one - other)]).toEqual([name, wanted]);
				}
			});
		},
		900_000,
	);
});
