import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowContent, WorkflowNode } from '../../host/n8nClient.ts';
import { exampleFiles } from '../../host/workflows.ts';
import { updatedExample } from '../../scripts/sharedCode.mts';

const folder = path.resolve(__dirname, '..', '..', 'examples');

interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** Side of a node on n8n's canvas, the width of one with a model or tools, and the height of its name below it. */
const nodeSize = 96;
const wideNode = 256;
const nameHeight = 32;
/** Height of the heading of a group. */
const headingHeight = 48;
/** How far below its node n8n draws a connection that goes back. */
const wayBack = 130;

const isNote = ({ type }: WorkflowNode) => type.endsWith('stickyNote');
const isGroup = (node: WorkflowNode) => isNote(node) && node.parameters.color === 7;

function boxOf({ name, position: [left, top], parameters }: WorkflowNode, isSticky: boolean): Box {
	const [width, height] = isSticky
		? [Number(parameters.width), Number(parameters.height)]
		: [nodeSize, nodeSize + nameHeight];
	return { name, left, top, right: left + width, bottom: top + height };
}

/** Who has a model or tools: they are connected to it by something else than "main". */
const withHelpers = ({ connections }: WorkflowContent) =>
	new Set(
		Object.values(connections).flatMap((kinds) =>
			Object.entries(kinds as Record<string, ({ node: string }[] | null)[]>).flatMap(
				([kind, outputs]) =>
					kind === 'main' ? [] : outputs.flatMap((all) => (all ?? []).map(({ node }) => node)),
			),
		),
	);

const overlap = (a: Box, b: Box) =>
	a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const holds = (outer: Box, inner: Box) =>
	outer.left <= inner.left &&
	outer.right >= inner.right &&
	outer.top <= inner.top &&
	outer.bottom >= inner.bottom;
const pairs = (boxes: Box[]) =>
	boxes.flatMap((a, index) => boxes.slice(index + 1).map((b) => [a, b] as const));

const canvases = exampleFiles().map((file) => {
	const workflow = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as WorkflowContent;
	const { nodes, connections } = workflow;
	const wide = withHelpers(workflow);
	const wires = Object.entries(connections).flatMap(([from, outputs]) =>
		((outputs as { main?: ({ node: string }[] | null)[] }).main ?? []).flatMap((targets) =>
			(targets ?? []).map(({ node }) => ({ from, to: node })),
		),
	);
	return {
		...{ file, wires, nodes },
		steps: nodes
			.filter((node) => !isNote(node))
			.map((node) => boxOf(node, false))
			.map((box) => (wide.has(box.name) ? { ...box, right: box.left + wideNode } : box)),
		groups: nodes.filter(isGroup).map((node) => boxOf(node, true)),
		notes: nodes.filter((node) => isNote(node) && !isGroup(node)),
	};
});

/** With room for each connection, these could not be read any more. */
const tooFull = ['answer-by-link.json', 'sign-up-with-proof.json'];

describe.each(canvases)('the canvas of $file', ({ file, wires, nodes, steps, groups, notes }) => {
	test('has nothing on top of something else', () => {
		const stickies = [...groups, ...notes.map((note) => boxOf(note, true))];
		const covered = [...pairs(steps), ...pairs(stickies)].filter(([a, b]) => overlap(a, b));
		expect(covered.map(([a, b]) => [a.name, b.name])).toEqual([]);
	});

	test('has each node in a group, the groups in at most two rows', () => {
		const outside = steps.filter((step) => !groups.some((group) => holds(group, step)));
		expect(outside.map(({ name }) => name)).toEqual([]);
		expect(new Set(groups.map(({ top }) => top)).size).toBeLessThanOrEqual(2);
	});

	test('can be read when it is opened on a screen of 1280 pixels', () => {
		// Each node is in a group.
		const boxes = [...groups, ...notes.map((note) => boxOf(note, true))];
		const width = Math.max(...boxes.map(({ right }) => right));
		const height = Math.max(...boxes.map(({ bottom }) => bottom));
		// What n8n does: all of it, with a fifth around it, in the room that the editor has.
		expect(Math.min(1238 / (1.2 * width), 698 / (1.2 * height))).toBeGreaterThanOrEqual(0.6);
	});

	test('lies on the lines of the grid, to which n8n moves it otherwise', () => {
		const beside = nodes.filter(({ position }) => position.some((place) => place % 16 !== 0));
		expect(beside.map(({ name }) => name)).toEqual([]);
	});

	test('has its notes first: no group is left of one, or above it', () => {
		const late = notes.filter((note) => {
			const { left, right, top, bottom } = boxOf(note, true);
			return groups.some(
				(group) =>
					(group.top < bottom && group.bottom > top && group.left < left) ||
					(group.left < right && group.right > left && group.top < top),
			);
		});
		expect(late.map(({ name }) => name)).toEqual([]);
	});

	test('reads from left to right, with no connection across a heading or a note', () => {
		const placeOf = (name: string) => steps.find((step) => step.name === name);
		const texts = [
			...groups.map((group) => ({ ...group, bottom: group.top + headingHeight })),
			...notes.map((note) => boxOf(note, true)),
		];
		const crossing = wires.filter(({ from, to }) => {
			const source = placeOf(from);
			const target = placeOf(to);
			if (source === undefined || target === undefined) return true;
			if (target.left > source.right) return false;
			const line = source.top + nodeSize / 2 + wayBack;
			return texts.some(
				({ top, bottom, left, right }) =>
					line > top && line < bottom && target.left < right && source.right > left,
			);
		});
		expect(crossing).toEqual([]);
	});

	test('draws no connection back behind a node', () => {
		const placeOf = (name: string) => steps.find((step) => step.name === name);
		const hidden = wires.flatMap(({ from, to }) => {
			const source = placeOf(from);
			const target = placeOf(to);
			if (source === undefined || target === undefined || target.left > source.right) return [];
			const line = source.top + nodeSize / 2 + wayBack;
			return steps
				.filter(
					({ top, left, right }) =>
						line > top && line < top + nodeSize && target.left < right && source.right > left,
				)
				.map(({ name }) => [from, to, name]);
		});
		expect(hidden.length > 0).toBe(tooFull.includes(file));
	});

	test('leaves room behind the end of a road, where what follows would look connected', () => {
		const starts = new Set(wires.map(({ from }) => from));
		const tight = nodes
			.filter(({ name, type }) => !/Note$/.test(type) && !starts.has(name))
			.filter(({ type }) => !type.endsWith('stopAndError'))
			.filter(({ position: [x, y] }) =>
				steps.some(({ left, top }) => top === y && left > x && left - x < nodeSize + 80),
			);
		expect(tight.map(({ name }) => name)).toEqual([]);
	});

	test('leaves room for the words behind a node with an error output', () => {
		const tight = nodes
			.filter(({ onError }) => onError === 'continueErrorOutput')
			.filter(({ position: [x, y] }) =>
				steps.some(({ left, top }) => top === y && left > x && left - x < nodeSize + 112),
			);
		expect(tight.map(({ name }) => name)).toEqual([]);
	});
});

test.each(exampleFiles())('%s is as npm run examples writes it', (file) => {
	const text = readFileSync(path.join(folder, file), 'utf8');
	expect(updatedExample(file)).toEqual(JSON.parse(text));
});

test('each example is listed with a picture of its canvas, which was taken', () => {
	const list = readFileSync(path.join(folder, 'README.md'), 'utf8');
	const shown = [...list.matchAll(/<img src="\.\.\/docs\/pictures\/example-([\w-]+)\.webp"/g)];
	expect(shown.map(([, name]) => `${String(name)}.json`).sort()).toEqual(exampleFiles());
	const pictures = readdirSync(path.join(folder, '..', 'docs', 'pictures'));
	expect(pictures).toEqual(
		expect.arrayContaining(shown.map(([, name]) => `example-${String(name)}.webp`)),
	);
});

test('each example has a tag, and a tag has several examples', () => {
	const tags = exampleFiles().map((file) => {
		const { tags: own = [] } = JSON.parse(
			readFileSync(path.join(folder, file), 'utf8'),
		) as WorkflowContent;
		return own.map(({ name }) => name);
	});
	expect(tags.filter((own) => own.length === 0)).toEqual([]);
	const names = ['AI', 'calls', 'first steps', 'opt-outs', 'results', 'send'];
	expect([...new Set(tags.flat())].sort()).toEqual(names);
});
