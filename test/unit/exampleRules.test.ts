import type { WorkflowNode } from '../../host/n8nClient.ts';
import {
	conditionsOf,
	exampleGraphs,
	isAction,
	isClaim,
	isOfType,
	isTable,
	reachesPeople,
	writtenBy,
	type ExampleGraph,
} from '../../scripts/exampleGraph.mts';

const isStop = (node: WorkflowNode) => isOfType(node, 'stopAndError');

const starts = (graph: ExampleGraph, ...types: string[]) =>
	graph.nodes.filter((node) => types.some((type) => isOfType(node, type)));
const names = (nodes: readonly WorkflowNode[]) => nodes.map(({ name }) => name);

describe.each(exampleGraphs().map((graph) => ({ file: graph.file, graph })))(
	'the rules of examples/README.md hold in $file',
	({ graph }) => {
		test('nothing is lost in silence: what fails is seen, and who was not reached ends in an error', () => {
			for (const node of graph.nodes.filter(isAction)) {
				if (node.onError === undefined) continue;
				const output = node.onError === 'continueErrorOutput' ? 1 : 0;
				const next = graph.reachedFrom(graph.after(node, output));
				const seen = next.filter(
					(other) =>
						isStop(other) ||
						['form', 'respondToWebhook', 'dataTable'].some((type) => isOfType(other, type)),
				);
				expect([node.name, seen.length > 0]).toEqual([node.name, true]);
				if (reachesPeople(node)) {
					expect([node.name, next.some(isStop)]).toEqual([node.name, true]);
				}
			}
		});

		test('nothing is lost in silence: an execution ends in an error only after all else is done', () => {
			const doesSomething = (node: WorkflowNode) =>
				reachesPeople(node) || isTable(node, 'update', 'upsert', 'insert');
			for (const node of graph.nodes) {
				// What a schedule starts, over a table that it makes, is done the next time.
				if (/(schedule|manual)Trigger$/.test(node.type) || isTable(node, 'create')) continue;
				const branches = graph
					.after(node)
					.map((first) => ({ first, all: graph.reachedFrom([first]) }));
				for (const { first, all } of branches.filter((branch) => branch.all.some(isStop))) {
					const before = branches.filter(
						(other) =>
							!other.all.some((each) => all.includes(each)) && other.all.some(doesSomething),
					);
					const above = before.filter((other) => other.first.position[1] > first.position[1]);
					expect([node.name, above.map((other) => other.first.name)]).toEqual([node.name, []]);
				}
			}
		});

		test('a run that no form has started ends at no page, which n8n would refuse to show', () => {
			const asks = ({ parameters }: WorkflowNode) =>
				JSON.stringify(parameters).includes("').isExecuted");
			const manual = starts(graph, 'manualTrigger').filter(({ disabled }) => disabled !== true);
			const pages = graph
				.reachedFrom(manual, asks)
				.flatMap((node) => graph.after(node, 0))
				.filter((node) => isOfType(node, 'form'));
			expect(names(pages)).toEqual([]);
		});

		test('nothing is lost in silence: what is made once for several people does not stand before each', () => {
			const lists = graph.nodes.filter(({ name }) => name === 'Read the List');
			const several = starts(graph, 'messagingServiceTrigger', 'messagingServicePollTrigger');
			const made = graph
				.reachedFrom([...lists, ...several])
				.filter((node) => isTable(node, 'create') && node.executeOnce === true);
			expect(names(made.filter((node) => graph.after(node).length > 0))).toEqual([]);
		});

		test('nothing is lost in silence: a list of names says how many more there are', () => {
			for (const { name, parameters } of graph.nodes) {
				const text = String(parameters.errorMessage ?? parameters.completionMessage ?? '');
				const cuts = text.match(/\.slice\(0, \d+\)(\.map\(|\.join\()/g) ?? [];
				const told = text.match(/\.length - \d+\) \+ ' more'/g) ?? [];
				expect([name, told.length]).toEqual([name, cuts.length]);
			}
		});

		test('nothing is lost in silence: the first error of a run names those of the next one, too', () => {
			const isDone = (node: WorkflowNode) => isTable(node, 'update') || isAction(node);
			const messageOf = (stop: WorkflowNode) => String(stop.parameters.errorMessage);
			const started = graph.reachedFrom(starts(graph, 'scheduleTrigger'));
			for (const claim of started.filter(isClaim)) {
				const stops = graph.reachedFrom([claim]).filter(isStop);
				// Those whom only an error of the run that claimed them names: no later run finds them.
				const named = graph.reachedFrom(graph.after(claim), isDone).filter(isStop);
				for (const later of named) {
					const [beginning = ''] = messageOf(later).slice(1).split(': {{');
					const before = stops.filter((stop) => stop.position[1] < later.position[1]);
					const silent = before.filter((stop) => !messageOf(stop).includes(beginning));
					expect([later.name, names(silent)]).toEqual([later.name, []]);
				}
			}
		});

		test('due and not done: a number that the service refuses does not keep the others from their turn', () => {
			// The rows that were claimed, not those that a claim let somebody read.
			const isRead = (node: WorkflowNode) => isTable(node, 'get');
			const campaigns = graph
				.reachedFrom(graph.nodes.filter(isClaim), isRead)
				.filter(reachesPeople)
				.filter(({ parameters }) => /Campaign$/.test(String(parameters.resource)));
			for (const { name, parameters } of campaigns) {
				expect([name, parameters.additionalFields]).toEqual([
					name,
					expect.objectContaining({ invalidPhoneNumbers: 'ignore' }),
				]);
			}
		});

		test('a table is made before anything is looked for in it', () => {
			for (const node of graph.nodes) {
				const next = graph.after(node);
				const tables = next.filter((each) => isTable(each, 'create'));
				for (const table of tables) {
					const above = next.filter(
						(each) => !tables.includes(each) && each.position[1] <= table.position[1],
					);
					expect([node.name, names(above)]).toEqual([node.name, []]);
				}
			}
		});

		test('whoever sends a form again is told on the canvas what that does', () => {
			const isOnce = (node: WorkflowNode) => isClaim(node) || isTable(node, 'rowNotExists');
			const forms = starts(graph, 'formTrigger').filter(
				({ parameters }) => parameters.authentication !== undefined,
			);
			if (!graph.reachedFrom(forms, isOnce).some(reachesPeople)) return;
			expect(graph.notes.join('\n')).toMatch(/(form|workflow|list|List\*) again/);
		});

		test('claimed, then sent: what starts by itself texts only rows that it has claimed', () => {
			const own = starts(graph, 'scheduleTrigger', 'webhook');
			const unclaimed = graph.reachedFrom(own, isClaim).filter(reachesPeople);
			expect(names(unclaimed)).toEqual([]);
		});

		test('claimed, then sent, then done: what the table says afterwards depends on sent', () => {
			const own = starts(graph, 'scheduleTrigger');
			const claims = graph.reachedFrom(own).filter(isClaim);
			const claiming = claims.filter((claim) => graph.reachedFrom([claim]).some(reachesPeople));
			for (const claim of claiming) {
				const after = graph.reachedFrom([claim]).filter((node) => isTable(node, 'update'));
				expect(JSON.stringify(after)).toMatch(/possibly (sent|planned)/);
			}
		});

		test('claimed, then sent, then done: who was claimed when n8n was killed is named', () => {
			const own = graph.reachedFrom(starts(graph, 'scheduleTrigger'));
			const sends = (node: WorkflowNode) => graph.reachedFrom([node]).some(reachesPeople);
			if (!own.some((node) => isClaim(node) && sends(node))) return;
			const isOld = (node: WorkflowNode) =>
				isTable(node, 'update', 'get') &&
				conditionsOf(node).some(
					({ keyName, condition }) => keyName === 'updatedAt' && condition === 'lt',
				);
			const interrupted = own.filter(isOld);
			expect(graph.reachedFrom(interrupted).some(isStop)).toBe(true);
		});

		test('nothing is lost in silence: after a long wait, n8n gets the time to load its tables', () => {
			// n8n resumes what it slept through before that. A wait of 65 seconds or more is resumed anew.
			const isWait = (node: WorkflowNode) => isOfType(node, 'wait');
			const isReady = ({ name, parameters }: WorkflowNode) =>
				name === 'Until n8n Is Ready' && parameters.amount === 2 && parameters.unit === 'minutes';
			const waits = graph.nodes.filter((node) => isWait(node) && !isReady(node));
			const next = graph.reachedFrom(
				waits.flatMap((wait) => graph.after(wait)),
				isWait,
			);
			expect(names(next.filter((node) => isOfType(node, 'dataTable')))).toEqual([]);
		});

		test('within the hours: what starts by itself texts people later if it may not now', () => {
			const own = starts(graph, 'scheduleTrigger', 'webhook', 'messagingServicePollTrigger');
			for (const sender of graph.reachedFrom(own).filter(reachesPeople)) {
				if (sender.parameters.resource === 'voiceCampaign') continue;
				expect(JSON.stringify(graph.reachedFrom([sender]))).toContain('nextAllowedTime');
			}
		});

		test('within the hours: what neither waits nor is due again names whom it may not text yet', () => {
			const claimed = graph.reachedFrom(graph.nodes.filter(isClaim));
			for (const sender of graph.nodes.filter(reachesPeople)) {
				const after = graph.reachedFrom(graph.after(sender));
				if (claimed.includes(sender) || after.includes(sender)) continue;
				expect([sender.name, JSON.stringify(after)]).toEqual([
					sender.name,
					expect.not.stringMatching(/!(json|row)\.nextAllowedTime/),
				]);
			}
		});

		test('opt-outs hold, also before anybody has set up anything', () => {
			for (const { name, parameters } of graph.nodes.filter(
				(node) => isAction(node) && /^(send|create)$/.test(String(node.parameters.operation)),
			)) {
				if (parameters.resource === 'phoneNumberStorage') continue;
				const { doNotContactStored } = parameters.options as Record<string, unknown>;
				expect([name, doNotContactStored]).toEqual([
					name,
					{
						match: [
							{ parameter: 'parameter1', value: 'Opt out' },
							{ parameter: 'parameter1', value: 'Undeliverable' },
						],
					},
				]);
			}
		});

		test('opt-outs hold: only skipped === true is a row left out; a failed campaign lists whom it leaves out', () => {
			const truthy = /![$\w.]*\bskipped\b|\bskipped *(&&|\|\||\)|\?[^?])/;
			const careless = graph.nodes.filter(({ parameters }) =>
				truthy.test(JSON.stringify(parameters)),
			);
			expect(names(careless)).toEqual([]);
		});

		test('opt-outs hold: the row of a person who is left out does not stay claimed', () => {
			for (const claim of graph.nodes.filter(isClaim)) {
				for (const sender of graph.reachedFrom([claim]).filter(reachesPeople)) {
					if (sender.parameters.resource !== 'smsMessage') continue;
					const after = graph.reachedFrom([sender]).filter((node) => isTable(node, 'update'));
					expect([sender.name, JSON.stringify(after)]).toEqual([
						sender.name,
						expect.stringContaining('skipped'),
					]);
				}
			}
		});

		test('opt-outs hold: who opts out also loses the consent in the table of people, if the service fails as well', () => {
			const stores = graph.nodes.filter(
				({ parameters }) =>
					(parameters.parameters as { parameter1?: string } | undefined)?.parameter1 === 'Opt out',
			);
			const takesOut = graph.nodes.filter(
				(node) => isTable(node, 'update') && writtenBy(node).includes('optedOut'),
			);
			const triggers = graph.nodes.filter(({ type }) => /Trigger$/.test(type));
			const others = stores.filter((store) => {
				const own = triggers.filter((trigger) => graph.reachedFrom([trigger]).includes(store));
				const before = graph.reachedFrom(own, (node) => node === store);
				return !takesOut.some(
					(node) => before.includes(node) && node.position[1] <= store.position[1],
				);
			});
			expect(names(others)).toEqual([]);
		});

		test('opt-outs hold: a list writes no yes before each no, and none where somebody has opted out', () => {
			const writesConsent = (node: WorkflowNode) =>
				isTable(node, 'upsert', 'insert', 'update') && writtenBy(node).includes('consent');
			const lists = graph.nodes.filter(({ name }) => name === 'Read the List');
			const [first, ...others] = graph
				.reachedFrom(lists)
				.filter(writesConsent)
				.sort((a, b) => a.position[1] - b.position[1]);
			if (first === undefined) return;
			const consentOf = ({ parameters }: WorkflowNode) =>
				(parameters.columns as { value: { consent: string } }).value.consent;
			expect([first, ...others].map(consentOf)).toEqual(['no', 'yes']);
			expect(others.map(conditionsOf)).toEqual([
				expect.arrayContaining([{ keyName: 'optedOut', condition: 'isEmpty' }]),
			]);
		});

		test('only its own: what follows campaigns follows those with a word in their name', () => {
			const polls = starts(graph, 'messagingServicePollTrigger');
			const isOwn = (node: WorkflowNode) =>
				isOfType(node, 'filter') &&
				/campaignName\)(\.toLowerCase\(\))?\.(startsWith|includes)/.test(
					JSON.stringify(node.parameters),
				);
			expect(names(graph.reachedFrom(polls, isOwn).filter(reachesPeople))).toEqual([]);
		});

		test('nothing unread: who reads yes and no, dates or times names what cannot be read', () => {
			const list = graph.nodes.find(({ name }) => name === 'Read the List');
			const [, kinds = '{}'] = /\nconst kinds = (.*);/.exec(String(list?.parameters.jsCode)) ?? [];
			if (kinds === '{}') return;
			const pages = graph.nodes.filter((node) => isOfType(node, 'form'));
			expect(JSON.stringify(pages)).toContain('row.problem');
		});

		test('newer wins: an event changes a row only from an older state', () => {
			const events = starts(graph, 'messagingServiceTrigger');
			const updates = graph.reachedFrom(events).filter((node) => isTable(node, 'update'));
			const careless = updates.filter(
				(node) => !isClaim(node) && !writtenBy(node).includes('optedOut'),
			);
			expect(names(careless)).toEqual([]);
			// What arrives twice would take back what somebody has written meanwhile.
			const upserts = graph.reachedFrom(events).filter((node) => isTable(node, 'upsert'));
			const constant = upserts.filter((node) =>
				Object.values((node.parameters.columns as { value: object }).value).some(
					(value) => !String(value).startsWith('='),
				),
			);
			expect(names(constant)).toEqual([]);
		});

		test('what reads a whole table reads it once, not for each item before it', () => {
			const isWhole = (node: WorkflowNode) =>
				isTable(node, 'get') &&
				node.parameters.returnAll === true &&
				!JSON.stringify(node.parameters).includes('$json');
			const isStart = ({ type }: WorkflowNode) => /Trigger$|\.webhook$/.test(type);
			const many = graph.nodes
				.filter((node) => !isStart(node))
				.flatMap((node) => graph.after(node))
				.filter((node) => isWhole(node) && node.executeOnce !== true);
			expect(names(many)).toEqual([]);
		});

		test('n8n looks for rows that exist, or do not, by equal values only', () => {
			const looks = graph.nodes.filter((node) => isTable(node, 'rowExists', 'rowNotExists'));
			const other = looks.filter((node) =>
				JSON.stringify(node.parameters.filters).includes('"condition":'),
			);
			expect(names(other)).toEqual([]);
		});

		test('strangers: a webhook that leads to a text asks for a secret, or for a random code', () => {
			const webhooks = starts(graph, 'webhook').filter(
				({ parameters }) => parameters.authentication === undefined,
			);
			const isCode = (node: WorkflowNode) =>
				isClaim(node) && conditionsOf(node).some(({ keyName }) => keyName === 'code');
			expect(names(graph.reachedFrom(webhooks, isCode).filter(reachesPeople))).toEqual([]);
		});

		test('strangers: a public form takes little, and texts only what they cannot write, seldom', () => {
			const forms = starts(graph, 'formTrigger').filter(
				({ parameters }) => parameters.authentication === undefined,
			);
			const isOurs = (node: WorkflowNode) =>
				isOfType(node, 'if') && JSON.stringify(node.parameters).includes('$json.check.country');
			const isLimit = (node: WorkflowNode) =>
				isTable(node, 'get') && conditionsOf(node).some(({ keyName }) => keyName === 'createdAt');
			for (const form of forms) {
				expect(JSON.stringify(graph.after(form))).toMatch(/slice\(0, \d\d\)/);
				expect(names(graph.reachedFrom([form], isOurs).filter(reachesPeople))).toEqual([]);
				expect(names(graph.reachedFrom([form], isLimit).filter(reachesPeople))).toEqual([]);
				// n8n never removes an execution that waits for somebody to look at its last page.
				const pages = graph.reachedFrom([form]).filter((node) => isOfType(node, 'form'));
				expect(names(pages.filter(({ parameters }) => parameters.limitWaitTime !== true))).toEqual(
					[],
				);
				for (const { parameters } of graph.reachedFrom([form]).filter(reachesPeople)) {
					expect(String(parameters.message).match(/\$json\.\w+/g)).toEqual(['$json.code']);
				}
			}
		});

		test('strangers: a request costs no more after a thousand others: it reads one row of a table', () => {
			const open = starts(graph, 'formTrigger', 'webhook').filter(
				({ parameters }) => parameters.authentication === undefined,
			);
			const isDecided = (node: WorkflowNode) =>
				isClaim(node) && graph.reachedFrom([node]).some(reachesPeople);
			const reads = graph.reachedFrom(open, isDecided).filter((node) => isTable(node, 'get'));
			expect(names(reads.filter(({ parameters }) => parameters.limit !== 1))).toEqual([]);
		});

		test('strangers: what a page says of a file has no HTML in it', () => {
			const pages = graph.nodes.filter(({ parameters }) =>
				/\$json\.error|\.map\(\(\{ json \}\)/.test(String(parameters.completionMessage)),
			);
			const asWritten = pages.filter(
				({ parameters }) => !String(parameters.completionMessage).includes('.replace(/[<>]/g'),
			);
			expect(names(asWritten)).toEqual([]);
		});

		test('can be executed first: it makes the tables that it reads, or goes on without', () => {
			const tables = graph.nodes.filter((node) => isOfType(node, 'dataTable'));
			const made = tables.map(({ parameters }) => parameters.tableName);
			const missing = tables.filter(
				({ parameters: { dataTableId }, onError }) =>
					dataTableId !== undefined &&
					onError === undefined &&
					!made.includes((dataTableId as { value: string }).value),
			);
			expect(names(missing)).toEqual([]);
		});

		test('strangers: a page on which anybody can enter the number of anybody is switched off', () => {
			const open = starts(graph, 'formTrigger').filter(
				(form) =>
					form.parameters.authentication === undefined &&
					JSON.stringify(form.parameters).includes('"phone"') &&
					graph
						.reachedFrom([form])
						.some(({ parameters }) => parameters.resource === 'phoneNumberStorage'),
			);
			expect(open.filter(({ disabled }) => disabled !== true)).toEqual([]);
			if (open.length > 0) expect(starts(graph, 'messagingServiceTrigger')).toEqual([]);
		});
	},
);

test('no table has the name of another as a part of its own: n8n would take either', () => {
	const tables = exampleGraphs().flatMap(({ nodes }) =>
		nodes
			.filter((node) => isOfType(node, 'dataTable') && !isTable(node, 'list'))
			.map(({ parameters: { tableName, dataTableId } }) =>
				String(tableName ?? (dataTableId as { value: string }).value).toLowerCase(),
			),
	);
	const different = [...new Set(tables)];
	const parts = different.filter((name) =>
		different.some((other) => other !== name && other.includes(name)),
	);
	expect(different.length).toBeGreaterThan(10);
	expect(parts).toEqual([]);
});
