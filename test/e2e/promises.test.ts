import type { CredentialSummary, Execution, N8nClient } from '../../host/n8nClient.ts';
import { agentName, fromAi, runAgent } from './support/agent.ts';
import { countedService, rows, sendRow as send } from './support/countedService.ts';
import { loggedIn } from './support/host.ts';
import { startModelServer, toolResults } from './support/modelServer.ts';
import { itOnN8n2 } from './support/versions.ts';
import {
	actionName,
	actionsWorkflow,
	actionWorkflow,
	createCredential,
	evaluatedWorkflow,
	runAction,
} from './support/workflows.ts';

/** The promises about sending, each in a real n8n against a service that counts what it accepts. */
describe('promises about sending, in a real n8n', () => {
	let n8n: N8nClient;
	const service = countedService();
	let credential: CredentialSummary;

	const texts = (count: number) => rows(count).map(({ text }) => text);

	const credentialWith = async (name: string, data: Record<string, unknown>) =>
		await createCredential(n8n, name, { baseUrl: service.url, ...data });

	beforeAll(async () => {
		n8n = await loggedIn();
		credential = await credentialWith('Promises', {});
	});

	const run = async (
		items: Record<string, unknown>[],
		parameters: Record<string, unknown>,
		settings = {},
		used = credential,
	) => await runAction(n8n, 'Promises', used, items, parameters, settings);

	const errorBranch = { onError: 'continueErrorOutput' } as const;

	/** The messages that were accepted, sorted: several are sent simultaneously. */
	const messages = () => service.accepted.map(({ body }) => body.message).sort();

	/** The output of both branches. */
	const branches = (execution: Execution) =>
		[0, 1].map((output) => execution.items(actionName, output).map(({ json }) => json));

	it('two nodes in parallel branches, and two executions, keep to the rate of their account together', async () => {
		const limited = await credentialWith('Five a Second', { requestsPerSecond: 5 });
		const starts: number[] = [];
		service.decide = () => {
			starts.push(Date.now());
			return 'accept';
		};
		const { id } = await n8n.createWorkflow(
			actionsWorkflow('Five a Second', limited, rows(10), { First: send, Second: send }),
		);
		const runs = await Promise.all([1, 2].map(async () => await n8n.runWorkflow(id, 'Start')));
		expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(starts).toHaveLength(40);
		// 40 starts, 200 ms apart. A load only makes them slower.
		expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(7500);
	});

	it('Retry On Fail sends nothing again that was accepted or may have been accepted', async () => {
		service.decide = ({ body }) => (body.message === 'm1' ? 'failAfter' : 'accept');
		const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
		const execution = await run(rows(3), send, retryOnFail);
		expect(execution.status).toBe('error');
		expect(execution.error?.description).toContain('item 1');
		expect(messages()).toEqual(texts(3));

		service.reset();
		let refusals = 1;
		service.decide = ({ body }) => (body.message === 'm2' && refusals-- > 0 ? 'reject' : 'accept');
		const repeated = await run(rows(5), send, retryOnFail);
		expect(repeated.status).toBe('success');
		expect(repeated.items(actionName)).toHaveLength(5);
		expect(messages()).toEqual(texts(5));
	});

	it('every input row leaves once, by the success or the error output, with sent', async () => {
		service.decide = ({ body }) => {
			if (body.message === 'm1') return 'reject';
			if (body.message === 'm3') return 'cutAfter';
			return 'accept';
		};
		const items = [...rows(5), { phoneNumber: '4.47701E+11', text: 'm5' }];
		const [succeeded, failed] = branches(await run(items, send, errorBranch));
		expect(succeeded?.map(({ sent }) => sent)).toEqual(['yes', 'yes', 'yes']);
		expect(failed?.map(({ text, sent }) => [text, sent])).toEqual([
			['m1', 'no'],
			['m3', 'possibly'],
			['m5', 'no'],
		]);

		service.reset();
		const create = {
			resource: 'smsCampaign',
			operation: 'create',
			message: 'Sale',
			sender: 'Shop',
		};
		const campaign = branches(await run(items, create, errorBranch));
		expect(campaign[0]).toEqual([]);
		expect(campaign[1]?.map(({ text, sent }) => [text, sent])).toEqual(
			[...texts(5), 'm5'].map((text) => [text, 'no']),
		);
		expect(service.accepted).toEqual([]);
	});

	it('a message reaches whom the number or the file names, and nobody else', async () => {
		const toBrazil = { ...send, options: { defaultCountry: 'BR' } };
		const items = [
			{ phoneNumber: '0055 11 91234-5678', text: 'Brazil' },
			{ phoneNumber: '0055 51 97187-3921', text: 'Brazil or Peru' },
		];
		const [succeeded, failed] = branches(await run(items, toBrazil, errorBranch));
		expect(succeeded?.map(({ phoneNumber }) => phoneNumber)).toEqual(['+5511912345678']);
		expect(failed?.map(({ error }) => error)).toEqual([
			expect.stringContaining('is ambiguous (0055 51 97187-3921)'),
		]);

		service.reset();
		const file = {
			...{ resource: 'smsCampaign', operation: 'create', message: 'Sale', sender: 'Shop' },
			...{ contactsSource: 'file', phoneNumberField: 'phone', options: { unusable: 'skip' } },
		};
		const damaged = Buffer.from('sep=;\nphone;name\n+447400123456;Zo?\n+447400123457;Zoë\n');
		damaged[damaged.indexOf('?')] = 0xeb;
		const workflow = actionWorkflow('Damaged File', credential, [], file);
		const data = { data: damaged.toString('base64'), mimeType: 'text/csv' };
		const jsCode = `return [{ json: {}, binary: { data: ${JSON.stringify(data)} } }];`;
		Object.assign(workflow.nodes[1]?.parameters ?? {}, { jsCode });
		const { id } = await n8n.createWorkflow(workflow);
		const [created] = branches(await n8n.runWorkflow(id, 'Start'));
		expect(created).toMatchObject([
			{ recipients: 1, problemsCount: 1, file: { encoding: 'utf-8' } },
		]);
		expect(service.accepted.map(({ body }) => body.contacts)).toEqual([
			[{ phoneNumber: '+447400123457', name: 'Zoë' }],
		]);
	});

	it('the sending policy refuses what it does not allow before it is sent', async () => {
		const careful = await credentialWith('Policy', {
			sendingPolicy: true,
			allowedCountries: 'GB',
			maxRecipients: 2,
		});
		const items = [
			{ phoneNumber: '+447400123456', text: 'first' },
			{ phoneNumber: '+33612345678', text: 'to France' },
			{ phoneNumber: '+447400123457', text: 'second' },
			{ phoneNumber: '+447400123458', text: 'one too many' },
		];
		const [succeeded, refused] = branches(await run(items, send, errorBranch, careful));
		expect(succeeded).toHaveLength(2);
		expect(refused).toHaveLength(2);
		expect(refused?.find(({ text }) => text === 'to France')).toMatchObject({
			policyRule: 'allowedCountries',
			sent: 'no',
		});
		expect(service.accepted).toHaveLength(2);
		expect(messages()).not.toContain('to France');
	});

	it.each([
		['the newest version', undefined],
		['version 2, which calls tools in parallel', 2],
	])('%s: an agent sends an identical message once', async (_what, version) => {
		const model = await startModelServer(
			{ phone: '+447700900001', text: 'Your table is ready' },
			'Done.',
			20,
		);
		const parameters = { ...send, phoneNumber: fromAi('phone'), message: fromAi('text') };
		const execution = await runAgent(n8n, model, [{ credential, parameters }], version);
		await model.stop();
		expect(execution.error).toBeUndefined();
		expect(execution.items(agentName).map(({ json }) => json.output)).toEqual(['Done.']);
		expect(messages()).toEqual(['Your table is ready']);
		// What the model is told about the tool, and what it gets back.
		const [offered] = model.requests[0]?.tools ?? [];
		expect(offered?.function.description).toMatch(/send.*SMS message/i);
		expect(Object.keys(offered?.function.parameters.properties ?? {})).toEqual(['phone', 'text']);
		const results = toolResults(model);
		expect(results).toHaveLength(20);
		for (const result of results) expect(result).toMatch(/newId/);
	});

	it('an agent sends with each tool that has another sender, Client ID or key, and not again with an equal one', async () => {
		const model = await startModelServer(
			{ phone: '+447700900001', text: 'Your table is ready' },
			'Done.',
		);
		const parameters = { ...send, phoneNumber: fromAi('phone'), message: fromAi('text') };
		const key = { headerSecret: 'another' };
		const tools = [
			{ credential, parameters },
			{ credential, parameters: { ...parameters, sender: 'Cafe' } },
			{ credential: await credentialWith('Client', { clientId: '1002' }), parameters },
			{ credential: await credentialWith('Key', key), parameters },
			{ credential: await credentialWith('Equal', {}), parameters },
		];
		const execution = await runAgent(n8n, model, tools);
		await model.stop();
		expect(execution.error).toBeUndefined();
		expect(model.requests[0]?.tools).toHaveLength(tools.length);
		expect(service.accepted.map(({ body }) => body.sender).sort()).toEqual([
			...['Cafe', 'Shop', 'Shop', 'Shop'],
		]);
		const isRepeated = toolResults(model).map((result) => result.includes('alreadySent'));
		// Of the two that are equal, either may be the first.
		expect(isRepeated.slice(1, -1)).toEqual([false, false, false]);
		expect([isRepeated[0], isRepeated.at(-1)].sort()).toEqual([false, true]);
	});

	itOnN8n2('its evaluations have no data tables')('an evaluation reaches nobody', async () => {
		const table = await n8n.createDataTable('People to Evaluate', rows(3));
		const { id } = await n8n.createWorkflow(
			evaluatedWorkflow('Evaluated', credential, table, send),
		);
		const executions = await n8n.evaluate(id);
		expect(executions.map(({ mode, status }) => [mode, status])).toEqual(
			rows(3).map(() => ['evaluation', 'success']),
		);
		for (const execution of executions) {
			expect(branches(execution)[0]).toMatchObject([{ sent: 'no', simulated: true }]);
		}
		expect(service.accepted).toEqual([]);
	});

	it('a successful response is success with any body, and possibly sent without an ID', async () => {
		service.decide = ({ body }) => (body.message === 'm1' ? 'acceptVaguely' : 'accept');
		const [succeeded, failed] = branches(await run(rows(2), send, errorBranch));
		expect([...(succeeded ?? []), ...(failed ?? [])].map(({ sent }) => sent)).toEqual([
			'yes',
			'possibly',
		]);
		expect(messages()).toEqual(texts(2));
	});
});
