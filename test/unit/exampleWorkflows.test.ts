import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { DateTime } from 'luxon';
import type { WorkflowContent } from '../../host/n8nClient.ts';
import { credentialType, exampleFiles } from '../../host/workflows.ts';
import { firstIds } from '../../sandbox/service/database.ts';

const folder = path.resolve(__dirname, '..', '..', 'examples');
const readText = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const examples = exampleFiles().map((file) => ({
	file,
	workflow: JSON.parse(readText(file)) as WorkflowContent,
}));

/** Every text in a value, with the name of the field that it is in. */
function textsOf(value: unknown, field = ''): { field: string; text: string }[] {
	if (typeof value === 'string') return [{ field, text: value }];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) =>
		textsOf(inner, Array.isArray(value) ? field : name),
	);
}

describe.each(examples)('the example workflow $file', ({ file, workflow }) => {
	test('holds nothing of the n8n or the person it was made with', () => {
		const known = ['name', 'tags', 'nodes', 'connections', 'pinData', 'settings'];
		expect(Object.keys(workflow).filter((key) => !known.includes(key))).toEqual([]);
		const own = { [credentialType]: { id: null, name: 'Messaging Service Sandbox' } };
		for (const { name, type, credentials } of workflow.nodes) {
			// `npm start` gives its credential to those nodes that have a place for one.
			const isOurs = type.startsWith('n8n-nodes-messaging-service.');
			expect([name, credentials]).toEqual([name, isOurs ? own : undefined]);
		}
		expect(readText(file)).not.toMatch(/instanceId|"(api)?-?key"|password|Bearer /i);
	});

	test('has no webhook URL that anybody knows', () => {
		const known = workflow.nodes
			.filter(({ type }) => type.endsWith('messagingServiceTrigger'))
			.filter(({ parameters, webhookId }) => parameters.path ?? webhookId);
		expect(known.map(({ name }) => name)).toEqual([]);
	});

	test('calls and writes only to numbers that are kept for fiction', () => {
		const digits = [...readText(file).matchAll(/(?<![\dA-Fa-f-])\+?\d[\d ]{8,}\d(?![\dA-Fa-f-])/g)]
			.map(([number]) => number.replace(/\D/g, '').replace(/^0+/, ''))
			.filter((number) => number.length <= 15);
		// Ofcom keeps 07700 900xxx for fiction, the North American plan 555-01xx.
		const isFictional = (number: string) => /^((44)?7700900\d{3}|1\d{3}55501\d{2})$/.test(number);
		expect(digits.filter((number) => !isFictional(number))).toEqual([]);
	});

	test('has pinned no voice campaign that the sandbox may make: what was noted of one would count', () => {
		// The answers to calls that it plans itself are noted with these only.
		if (file === 'remind-of-appointments-by-call.json') return;
		const ids = textsOf(workflow.pinData)
			.filter(({ field, text }) => field === 'campaignId' && /^\d+$/.test(text))
			.map(({ text }) => Number(text));
		expect(ids.filter((id) => id >= Number(firstIds.voiceCampaigns))).toEqual([]);
	});

	test('says which trigger to run it from, where it has several', () => {
		const triggers = workflow.nodes.filter(
			({ type, disabled }) => /trigger$/i.test(type) && disabled !== true,
		);
		const notes = workflow.nodes
			.filter(({ type }) => type.endsWith('stickyNote'))
			.map(({ parameters }) => String(parameters.content));
		const isByHand = triggers.some(({ type }) => type.endsWith('manualTrigger'));
		// n8n runs an unnamed workflow from its other trigger, not from the manual one.
		if (triggers.length < 2 || !isByHand) return;
		expect(notes.join('\n')).toMatch(/(choose|from) \*(Start|On [A-Z])/);
	});

	test('goes on without the page that tells about it, if somebody closes that', () => {
		const nodeOf = (wanted: string) => workflow.nodes.find(({ name }) => name === wanted);
		// n8n runs the branches of an output one after the other, and waits for a page for ever.
		const outputs = Object.values(workflow.connections) as { main?: { node: string }[][] }[];
		const branches = outputs
			.flatMap(({ main = [] }) => main)
			.filter((targets) => targets.length > 1)
			.flatMap((targets) => targets.map(({ node }) => node));
		const endless = branches
			.filter((name) => nodeOf(name)?.type === 'n8n-nodes-base.form')
			.filter((name) => nodeOf(name)?.parameters.limitWaitTime !== true);
		expect(endless).toEqual([]);
	});

	test('starts campaigns at a time that lies ahead whenever it is run', () => {
		const fixed = workflow.nodes
			.flatMap(({ parameters }) => textsOf(parameters))
			.filter(({ field }) => ['startDate', 'startDateTime'].includes(field))
			// From now on, or what a node before it has computed.
			.filter(({ text }) => !/^=\{\{ \$(now(\.setZone\([^)]*\))?\.plus\(|json\.)/.test(text));
		expect(fixed).toEqual([]);
	});
});

test("nine o'clock is that of the next day there, also when the clocks change", () => {
	const { workflow } = examples.find(({ file }) => file === 'nine-oclock-for-everyone.json') ?? {};
	const written = workflow?.nodes
		.flatMap(({ parameters }) => textsOf(parameters))
		.find(({ field }) => field === 'startDateTime');
	const code = /^=\{\{([^]*)\}\}$/.exec(written?.text ?? '')?.[1] ?? '';
	const startOf = (now: string, here: string, there: string) =>
		String(
			runInNewContext(code, {
				$now: DateTime.fromISO(now, { zone: here }),
				$json: { check_timeZone: there },
			}),
		);
	expect(startOf('2026-10-24T15:30', 'Europe/London', 'Asia/Tokyo')).toMatch(/^2026-10-25T09:00/);
	expect(startOf('2026-03-07T17:00', 'America/New_York', 'Africa/Johannesburg')).toMatch(
		/^2026-03-09T09:00/,
	);
});

test('a first Execute of Text Each Person by Name texts the made-up people', () => {
	const { workflow } = examples.find(({ file }) => file.startsWith('text-each-person')) ?? {};
	const triggers = workflow?.nodes.filter(({ type }) => /trigger$/i.test(type)) ?? [];
	// n8n takes a form before a manual trigger, unless the form is switched off.
	expect(triggers.filter(({ disabled }) => disabled !== true).map(({ name }) => name)).toEqual([
		'Start',
	]);
});
