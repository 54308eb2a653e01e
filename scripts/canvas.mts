/**
 * The layout of an example: notes at the left, and the steps from left to right. What belongs to a
 * step is what lies on it; everything else follows from the connections.
 */
import type { WorkflowContent, WorkflowNode } from '../host/n8nClient.ts';

/** Side of a node on n8n's canvas, and the width of one that has a model or tools. */
const nodeSize = 96;
const wideNode = 256;
/** n8n moves what lies between the lines of its grid. */
const grid = 16;
/** From one node to the next below it; where there is little room, if the upper one has one line below it. */
const laneHeight = 144;
const laneHeightTight = 128;
/** Below a lane from which n8n draws a connection back, lower than the next lane would be. */
const laneHeightWayBack = 208;
/** From one node to the next at least; behind one whose outputs have names. */
const columnWidth = 144;
const columnWidthIf = 176;
const columnWidthNamed = 208;
/** Behind the last node of a road, so that its plus is seen, and nothing looks connected to it. */
const columnWidthPlus = 176;
/** How wide a letter of a node's name is, and one of the name of an output. */
const letter = 9;
const smallLetter = 5.8;
/** Around the nodes of a step: at its sides, for its heading, below the names of the nodes. */
const margin = { side: 32, top: 48, bottom: 40 };
const gap = 16;
/** Between two rows, where n8n draws a connection that goes back. */
const gapForWayBack = 48;
/** How wide notes may be. */
const noteWidths = [368, 336, 320, 304, 288, 400, 448, 480, 512];
/** A canvas that is shown this large can be read well, or at least. */
const goodZoom = 0.7;
const readableZoom = 0.6;
/** What n8n's editor has for a canvas in a window of 1280 by 800 pixels. */
const screen = { width: 1238, height: 698 };

interface Size {
	width: number;
	height: number;
}

export const isNote = ({ type }: WorkflowNode) => type.endsWith('stickyNote');
export const isStep = (node: WorkflowNode) => isNote(node) && node.parameters.color === 7;

/** The lines of a text, with so many characters in each. */
function linesOf(text: string, characters: number): number {
	let [lines, used] = [1, 0];
	for (const { length } of text.replace(/[*`]/g, '').split(' ')) {
		if (used + 1 + length > characters && used > 0) [lines, used] = [lines + 1, 0];
		used += length + 1;
	}
	return lines;
}

/** How high n8n draws a text on a note of this width, with a little room below. */
export function textHeight(text: string, width: number): number {
	const [inside, character] = [width - 26, 6.9];
	const heights = text
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => {
			const words = line.replace(/^(#+|-) /, '');
			if (line.startsWith('## ')) return 8 + 32.4 * linesOf(words, inside / 11);
			if (line.startsWith('#')) return 29.6;
			if (line.startsWith('-')) return 3.5 + 18.2 * linesOf(words, (inside - 20) / character);
			return 8 + 18.9 * linesOf(words, inside / character);
		});
	return 24 + heights.reduce((sum, height) => sum + height, 0);
}

/**
 * How large n8n shows a canvas of this size when it is opened in a window of 1280 by 800 pixels:
 * the whole of it with a fifth around it, and never enlarged.
 */
export const zoomOf = ({ width, height }: Size): number =>
	Math.min(1, screen.width / width / 1.2, screen.height / height / 1.2);

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
		const next = inside.filter(({ from }) => from === name).sort((a, b) => a.output - b.output);
		for (const [index, { to, isHelp }] of next.entries()) {
			// What helps a node has words above it: not below the name of a node in the first lane.
			const below = isHelp ? Math.max(lane, 2) : lane;
			// The first of several goes where there is room above, if nothing follows it.
			const above = `${String(columns.get(to))} ${String(lane - 1)}`;
			const goesUp = index === 0 && next.length > 1 && lane > 0 && !taken.has(above);
			place(to, goesUp && !inside.some(({ from }) => from === to) ? lane - 1 : below);
		}
	};
	const starts = nodes.filter(({ name }) => !inside.some(({ to }) => to === name));
	for (const { name } of starts.length > 0 ? starts : nodes.slice(0, 1)) walk(name, 0);
	for (const { name } of nodes) walk(name, columns.get(name) ?? 0);
	for (const { name } of [...starts, ...nodes]) place(name, 0);
	return cells;
}

/** How far the next node is from this one at least: its outputs may have names. */
function roomBehind({ type, onError, parameters }: WorkflowNode): number {
	if (onError === 'continueErrorOutput') return columnWidthNamed;
	if (type.endsWith('.switch')) {
		const { values } = parameters.rules as { values: { outputKey: string }[] };
		const names = values.map(({ outputKey }) => outputKey.length);
		return nodeSize + 24 + Math.max(...names) * smallLetter;
	}
	return type.endsWith('.if') ? columnWidthIf : columnWidth;
}

/** Whether n8n writes more than the name below a node. */
const hasSubtitle = ({ type, disabled }: WorkflowNode) =>
	disabled === true || /messagingService|\.(form|switch|crypto)/.test(type);

const onGrid = (pixels: number) => Math.ceil(pixels / grid) * grid;

/** The nodes of a step, and where they are in it. */
class StepLayout {
	private readonly nodes: readonly WorkflowNode[];
	private readonly cells: Map<string, Cell>;
	private readonly wide: Set<string>;
	/** Those behind which n8n draws a line to a plus. */
	private readonly looseEnds: Set<string>;
	/** The connections that start here. */
	private readonly wires: readonly Wire[];

	constructor(nodes: readonly WorkflowNode[], wires: readonly Wire[]) {
		this.nodes = nodes;
		this.cells = cellsOf(nodes, wires);
		this.wide = new Set(wires.filter(({ isHelp }) => isHelp).map(({ from }) => from));
		const ends = nodes.filter(
			({ name, type }) =>
				!type.endsWith('stopAndError') && !wires.some(({ from }) => from === name),
		);
		this.looseEnds = new Set(ends.map(({ name }) => name));
		this.wires = wires.filter(({ from }) => this.cells.has(from));
	}

	/** Places the nodes, as in a step at the upper left; gives the size of the step. */
	place({ isTight, hasRoomForLines }: Choice, leadsDown: (to: string) => boolean): Size {
		const lefts = this.lefts();
		const hidden = (lane: number) => hasRoomForLines && this.hidesLine(lane, leadsDown);
		const tops = this.tops(isTight, hidden);
		for (const node of this.nodes) {
			const { column, lane } = this.cells.get(node.name) ?? { column: 0, lane: 0 };
			node.position = [lefts[column] ?? 0, tops[lane] ?? 0];
		}
		const right = Math.max(
			...this.nodes.map(({ name, position: [left] }) => left + this.widthOf(name)),
		);
		return {
			width: Math.max(right + margin.side, 240),
			height: (tops.at(-1) ?? 0) + nodeSize + margin.bottom,
		};
	}

	private widthOf(name: string): number {
		return this.wide.has(name) ? wideNode : nodeSize;
	}

	private at(column: number, lane: number): WorkflowNode | undefined {
		return this.nodes.find(({ name }) => {
			const cell = this.cells.get(name);
			return cell?.column === column && cell.lane === lane;
		});
	}

	private all(kind: keyof Cell): number[] {
		const count = Math.max(...[...this.cells.values()].map((cell) => cell[kind])) + 1;
		return Array.from({ length: count }, (_, index) => index);
	}

	private lefts(): number[] {
		const lefts = [margin.side];
		for (const column of this.all('column').slice(0, -1)) {
			const rooms = this.all('lane').map((lane) => {
				const [node, next] = [this.at(column, lane), this.at(column + 1, lane)];
				if (node === undefined) return 0;
				const names = next === undefined ? 0 : (node.name.length + next.name.length) / 2;
				const plus = next !== undefined && this.looseEnds.has(node.name) ? columnWidthPlus : 0;
				const room = Math.max(roomBehind(node), names * letter, plus);
				return room + this.widthOf(node.name) - nodeSize;
			});
			lefts.push((lefts[column] ?? 0) + onGrid(Math.max(...rooms)));
		}
		return lefts;
	}

	/** Whether n8n would draw a connection from a lane back behind nodes of the next one. */
	private hidesLine(lane: number, leadsDown: (to: string) => boolean): boolean {
		return this.wires.some(({ from, to }) => {
			const source = this.cells.get(from);
			const first = this.cells.get(to)?.column ?? (leadsDown(to) ? 0 : Infinity);
			if (source?.lane !== lane || first > source.column) return false;
			return this.all('column').some(
				(column) =>
					column >= first && column <= source.column && this.at(column, lane + 1) !== undefined,
			);
		});
	}

	private tops(isTight: boolean, hasHiddenLine: (lane: number) => boolean): number[] {
		const tops = [margin.top];
		for (const lane of this.all('lane').slice(0, -1)) {
			const isTall = this.all('column').some((column) => {
				const node = this.at(column, lane);
				return node !== undefined && hasSubtitle(node) && this.at(column, lane + 1) !== undefined;
			});
			const height = isTight && !isTall ? laneHeightTight : laneHeight;
			tops.push((tops[lane] ?? 0) + (hasHiddenLine(lane) ? laneHeightWayBack : height));
		}
		return tops;
	}
}

type Place = [left: number, top: number];

interface Layout {
	choice: Choice;
	notes: Place[];
	steps: Place[];
	zoom: number;
}

/** What there is to choose for a canvas. */
interface Choice {
	noteWidth: number;
	/** The notes that start another column. */
	breaks: readonly number[];
	inFirstRow: number;
	/** Whether the second row starts below the notes. */
	isBelowNotes: boolean;
	isTight: boolean;
	/** Whether no connection back is drawn behind nodes. */
	hasRoomForLines: boolean;
}

const heightOf = (note: WorkflowNode, width: number) =>
	onGrid(textHeight(String(note.parameters.content), width));

/** The notes in columns at the left, the first steps beside them, and the others there or below. */
function arrange(
	notes: readonly WorkflowNode[],
	sizes: readonly Size[],
	choice: Choice,
	hasWayBack: boolean,
): Layout {
	const { noteWidth, breaks, inFirstRow, isBelowNotes } = choice;
	let [left, top, bottom] = [0, 0, 0];
	const notePlaces = notes.map((note, index): Place => {
		if (breaks.includes(index)) [left, top] = [left + noteWidth + gap, 0];
		const place: Place = [left, top];
		top += heightOf(note, noteWidth) + gap;
		bottom = Math.max(bottom, top);
		return place;
	});
	const edge = left + noteWidth + gap;
	const row = (own: readonly Size[], start: number, y: number) =>
		own.map((_, index): Place => [
			start + own.slice(0, index).reduce((sum, { width }) => sum + width + gap, 0),
			y,
		]);
	const first = sizes.slice(0, inFirstRow);
	const below = hasWayBack ? gapForWayBack : gap;
	const firstBottom = Math.max(0, ...first.map(({ height }) => onGrid(height + below)));
	const secondTop = isBelowNotes ? Math.max(firstBottom, bottom) : firstBottom;
	const second = row(sizes.slice(inFirstRow), isBelowNotes ? 0 : edge, secondTop);
	const steps = [...row(first, edge, 0), ...second];
	const size = {
		width: Math.max(edge - gap, ...steps.map(([x], index) => x + (sizes[index]?.width ?? 0))),
		height: Math.max(bottom - gap, ...steps.map(([, y], index) => y + (sizes[index]?.height ?? 0))),
	};
	return { choice, notes: notePlaces, steps, zoom: zoomOf(size) };
}

/** All layouts that there are, the plainest first. */
function* choices(notes: number, steps: number): Generator<Choice> {
	const columns = [[], [1], [2], [1, 2]].filter((breaks) => breaks.every((index) => index < notes));
	for (const hasRoomForLines of [true, false]) {
		for (const isTight of [false, true]) {
			for (const isBelowNotes of [false, true]) {
				for (const breaks of isBelowNotes ? columns : [[]]) {
					for (const noteWidth of noteWidths) {
						for (let inFirstRow = steps; inFirstRow > 0; inFirstRow -= 1) {
							yield { noteWidth, breaks, inFirstRow, isBelowNotes, isTight, hasRoomForLines };
						}
					}
				}
			}
		}
	}
}

/** The nodes that lie on a step. */
function nodesOn(step: WorkflowNode, nodes: readonly WorkflowNode[]): WorkflowNode[] {
	const [left, top] = step.position;
	const { width, height } = step.parameters as unknown as Size;
	return nodes.filter(
		({ position: [x, y] }) => x >= left && x < left + width && y >= top && y < top + height,
	);
}

/** Lays a canvas out anew, in place: the plainest layout that can be read on a laptop, or the largest. */
export function layOut(workflow: WorkflowContent): void {
	const { nodes } = workflow;
	const wires = wiresOf(workflow);
	const steps = nodes.filter(isStep);
	const notes = nodes.filter((node) => isNote(node) && !isStep(node));
	const others = nodes.filter((node) => !isNote(node));
	const contents = steps.map((step) => nodesOn(step, others));
	const layouts = contents.map((content) => new StepLayout(content, wires));
	const stepOf = (name: string) =>
		contents.findIndex((content) => content.some((node) => node.name === name));
	const hasWayBack = (inFirstRow: number) =>
		wires.some(({ from, to }) => stepOf(from) < inFirstRow && stepOf(to) >= inFirstRow);
	/** Whether n8n would draw a connection through the notes, to what is below them. */
	const crossesNotes = ({ isBelowNotes, inFirstRow }: Choice) =>
		isBelowNotes &&
		wires.some(({ from, to }) => stepOf(from) < inFirstRow && stepOf(to) === inFirstRow);
	const worth = ({ zoom, choice }: Layout) =>
		Math.min(zoom, goodZoom) + (choice.hasRoomForLines && zoom >= readableZoom ? 1 : 0);
	const place = (choice: Choice) =>
		layouts.map((layout, step) =>
			layout.place(choice, (to) => step < choice.inFirstRow && stepOf(to) >= choice.inFirstRow),
		);
	const [best] = [...choices(notes.length, steps.length)]
		.filter((choice) => !crossesNotes(choice))
		.map((choice) => {
			return arrange(notes, place(choice), choice, hasWayBack(choice.inFirstRow));
		})
		.sort((a, b) => worth(b) - worth(a));
	if (best === undefined) throw new Error(`${workflow.name} has no steps`);
	const { noteWidth } = best.choice;
	const sizes = place(best.choice);
	for (const [index, note] of notes.entries()) {
		note.position = best.notes[index] ?? [0, 0];
		Object.assign(note.parameters, { width: noteWidth, height: heightOf(note, noteWidth) });
	}
	for (const [index, step] of steps.entries()) {
		const [left, top] = best.steps[index] ?? [0, 0];
		Object.assign(step.parameters, sizes[index]);
		step.position = [left, top];
		for (const node of contents[index] ?? []) {
			node.position = [node.position[0] + left, node.position[1] + top];
		}
	}
}
