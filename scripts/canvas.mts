/**
 * The layout of an example: notes at the left, and the steps from left to right. What belongs to a
 * step is what lies on it; everything else follows from the connections.
 */
import type { WorkflowContent, WorkflowNode } from '../host/n8nClient.ts';

/** Side of a node on n8n's canvas, and the width of one that has a model or tools. */
const nodeSize = 96;
const wideNode = 256;
/** From one node to the next below it. */
const laneHeight = 152;
/** From one node to the next; more behind a node whose outputs have names. */
const columnWidth = 176;
const columnWidthNamed = 256;
/** Around the nodes of a step: at its sides, for its heading, below the names of the nodes. */
const margin = { side: 32, top: 56, bottom: 56 };
const gap = 32;
const noteWidth = 400;
/** How far the steps may go to the right: one of these. */
const rightEdges = [1200, 1400, 1600, 1800, 2000, 2160, 2340];
/** What n8n's editor has for a canvas on a screen of 1280 by 800 pixels. */
const screen = { width: 1180, height: 680 };

interface Size {
	width: number;
	height: number;
}

export const isNote = ({ type }: WorkflowNode) => type.endsWith('stickyNote');
export const isStep = (node: WorkflowNode) => isNote(node) && node.parameters.color === 7;

/** About how high a text is on a note of this width. */
export function textHeight(text: string, width: number): number {
	const lines = text
		.split('\n')
		.map((line) => Math.max(1, Math.ceil(line.length / ((width - 40) / 6.8))));
	return 40 + lines.reduce((sum, count) => sum + count * 22, 0);
}

interface Wire {
	from: string;
	to: string;
	output: number;
	/** From an AI node to its model or tool. */
	isHelp: boolean;
}

/** All connections in the order of the outputs; an AI node's tools and model follow its results. */
function wiresOf({ connections }: WorkflowContent): Wire[] {
	return Object.entries(connections).flatMap(([from, kinds]) =>
		Object.entries(kinds as Record<string, ({ node: string }[] | null)[]>).flatMap(
			([kind, outputs]) =>
				outputs.flatMap((targets, output) =>
					(targets ?? []).map(({ node }) =>
						kind === 'main'
							? { from, to: node, output, isHelp: false }
							: { from: node, to: from, output: outputs.length + 1, isHelp: true },
					),
				),
		),
	);
}

interface Cell {
	column: number;
	lane: number;
}

/** Columns by the longest way from a start, lanes by the first free one; ways back do not count. */
function cellsOf(nodes: readonly WorkflowNode[], wires: readonly Wire[]): Map<string, Cell> {
	const own = new Set(nodes.map(({ name }) => name));
	const inside = wires.filter(({ from, to }) => own.has(from) && own.has(to));
	const cells = new Map<string, Cell>();
	const taken = new Set<string>();
	const path = new Set<string>();
	const columns = new Map<string, number>();
	const walk = (name: string, column: number): void => {
		if (path.has(name) || (columns.get(name) ?? -1) >= column) return;
		columns.set(name, column);
		path.add(name);
		for (const { from, to } of inside) if (from === name) walk(to, column + 1);
		path.delete(name);
	};
	const place = (name: string, wanted: number): void => {
		if (cells.has(name)) return;
		const column = columns.get(name) ?? 0;
		let lane = wanted;
		while (taken.has(`${String(column)} ${String(lane)}`)) lane += 1;
		taken.add(`${String(column)} ${String(lane)}`);
		cells.set(name, { column, lane });
		for (const { to, isHelp } of inside
			.filter(({ from }) => from === name)
			.sort((a, b) => a.output - b.output)) {
			// What helps a node has words above it: not below the name of a node in the first lane.
			place(to, isHelp ? Math.max(lane, 2) : lane);
		}
	};
	const starts = nodes.filter(({ name }) => !inside.some(({ to }) => to === name));
	for (const { name } of starts.length > 0 ? starts : nodes.slice(0, 1)) walk(name, 0);
	for (const { name } of nodes) walk(name, columns.get(name) ?? 0);
	for (const { name } of [...starts, ...nodes]) place(name, 0);
	return cells;
}

const hasNamedOutputs = ({ type, onError }: WorkflowNode) =>
	onError === 'continueErrorOutput' || /\.(if|switch|splitInBatches)$/.test(type);

/** Places the nodes of a step at its left edge; gives the size of the step. */
function placeStep(
	step: WorkflowNode,
	nodes: readonly WorkflowNode[],
	wires: readonly Wire[],
): Size {
	const cells = cellsOf(nodes, wires);
	const columns = Math.max(...[...cells.values()].map(({ column }) => column)) + 1;
	const lanes = Math.max(...[...cells.values()].map(({ lane }) => lane)) + 1;
	const places = [0];
	for (let column = 0; column < columns; column += 1) {
		const own = nodes.filter(({ name }) => cells.get(name)?.column === column);
		const isNamed = column < columns - 1 && own.some(hasNamedOutputs);
		const isWide = own.some(({ name }) =>
			wires.some(({ from, isHelp }) => isHelp && from === name),
		);
		const width = (isNamed ? columnWidthNamed : columnWidth) + (isWide ? wideNode - nodeSize : 0);
		places.push((places.at(-1) ?? 0) + width);
	}
	for (const node of nodes) {
		const { column, lane } = cells.get(node.name) ?? { column: 0, lane: 0 };
		node.position = [(places[column] ?? 0) + margin.side, lane * laneHeight + margin.top];
	}
	const width = (places.at(-1) ?? 0) - columnWidth + nodeSize + 2 * margin.side;
	const height = (lanes - 1) * laneHeight + nodeSize + margin.top + margin.bottom;
	Object.assign(step.parameters, { width: Math.max(width, 240), height });
	return { width: Math.max(width, 240), height };
}

/** Below each other at the left; gives how far they reach. */
function placeNotes(notes: readonly WorkflowNode[]): number {
	let top = 0;
	for (const note of notes) {
		const height = Math.ceil(textHeight(String(note.parameters.content), noteWidth) / 16) * 16;
		note.position = [0, top];
		Object.assign(note.parameters, { width: noteWidth, height });
		top += height + gap / 2;
	}
	return top;
}

/** Steps beside each other as far as they fit; gives how far they reach. */
function placeSteps(sizes: readonly Size[], edge: number) {
	let [left, top, rowHeight] = [noteWidth + gap, 0, 0];
	const places = sizes.map(({ width, height }): [number, number] => {
		if (left > noteWidth + gap && left + width > edge) {
			[left, top, rowHeight] = [noteWidth + gap, top + rowHeight + gap, 0];
		}
		const place: [number, number] = [left, top];
		left += width + gap;
		rowHeight = Math.max(rowHeight, height);
		return place;
	});
	const right = Math.max(...places.map(([x], index) => x + (sizes[index]?.width ?? 0)));
	return { places, right, bottom: top + rowHeight };
}

/** Lays a canvas out anew, in place: with the rows that can be shown largest on a laptop. */
export function layOut(workflow: WorkflowContent): void {
	const { nodes } = workflow;
	const wires = wiresOf(workflow);
	const steps = nodes.filter(isStep);
	const others = nodes.filter((node) => !isNote(node));
	const contents = steps.map((step) => {
		const [left, top] = step.position;
		const { width, height } = step.parameters as unknown as Size;
		return others.filter(
			({ position: [x, y] }) => x >= left && x < left + width && y >= top && y < top + height,
		);
	});
	const bottomOfNotes = placeNotes(nodes.filter((node) => isNote(node) && !isStep(node)));
	const sizes = steps.map((step, index) => placeStep(step, contents[index] ?? [], wires));
	const scaleOf = ({ right, bottom }: { right: number; bottom: number }) =>
		Math.min(screen.width / right, screen.height / Math.max(bottom, bottomOfNotes));
	const [best] = rightEdges
		.map((edge) => placeSteps(sizes, edge))
		.sort((a, b) => scaleOf(b) - scaleOf(a));
	for (const [index, step] of steps.entries()) {
		const [left, top] = best?.places[index] ?? [0, 0];
		step.position = [left, top];
		for (const node of contents[index] ?? []) {
			node.position = [node.position[0] + left, node.position[1] + top];
		}
	}
}
