/** What leads where in an example: for the tests of its rules and for the page of what is public. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowContent, WorkflowNode } from '../host/n8nClient.ts';
import { exampleFiles } from '../host/workflows.ts';
import { examplesFolder } from './sharedCode.mts';

/** A connection: `output` is the number of the output that it leaves by. */
interface Wire {
	from: string;
	to: string;
	output: number;
}

/** An example as a graph: what leads where. */
export class ExampleGraph {
	readonly file: string;
	/** As people see it. */
	readonly name: string;
	readonly nodes: readonly WorkflowNode[];
	/** The texts of its notes. */
	readonly notes: readonly string[];
	private readonly wires: readonly Wire[];

	constructor(file: string, { name, nodes, connections }: WorkflowContent) {
		this.file = file;
		this.name = name;
		const isNote = (node: WorkflowNode) => isOfType(node, 'stickyNote');
		this.nodes = nodes.filter((node) => !isNote(node));
		this.notes = nodes.filter(isNote).map(({ parameters }) => String(parameters.content));
		this.wires = Object.entries(connections).flatMap(([from, kinds]) =>
			((kinds as { main?: ({ node: string }[] | null)[] }).main ?? []).flatMap((targets, output) =>
				(targets ?? []).map(({ node }) => ({ from, to: node, output })),
			),
		);
	}

	node(name: string): WorkflowNode {
		const found = this.nodes.find((node) => node.name === name);
		if (found === undefined) throw new Error(`${this.file} has no node "${name}"`);
		return found;
	}

	/** The nodes that follow one, of one of its outputs or of all. */
	after({ name }: WorkflowNode, output?: number): WorkflowNode[] {
		return this.wires
			.filter((wire) => wire.from === name && (output === undefined || wire.output === output))
			.map(({ to }) => this.node(to));
	}

	/** All that these nodes lead to, themselves included, without passing one that `isStop` names. */
	reachedFrom(
		starts: readonly WorkflowNode[],
		isStop: (node: WorkflowNode) => boolean = () => false,
	): WorkflowNode[] {
		const seen = new Set<WorkflowNode>();
		const open = starts.filter((node) => !isStop(node));
		for (let node = open.pop(); node !== undefined; node = open.pop()) {
			if (seen.has(node)) continue;
			seen.add(node);
			open.push(...this.after(node).filter((next) => !isStop(next)));
		}
		return [...seen];
	}
}

/** All examples. */
export const exampleGraphs = (): ExampleGraph[] =>
	exampleFiles().map(
		(file) =>
			new ExampleGraph(
				file,
				JSON.parse(readFileSync(path.join(examplesFolder, file), 'utf8')) as WorkflowContent,
			),
	);

export const isOfType = ({ type }: WorkflowNode, name: string): boolean =>
	type.endsWith(`.${name}`);

export const isTable = (node: WorkflowNode, ...operations: string[]): boolean =>
	isOfType(node, 'dataTable') && operations.includes(String(node.parameters.operation));

/** Whether a node is the action node of the package, in a workflow or as a tool. */
export const isAction = ({ type }: WorkflowNode): boolean =>
	/\.messagingService(Tool)?$/.test(type);

/** Whether a node texts or calls people. */
export function reachesPeople(node: WorkflowNode): boolean {
	const { resource, operation, dryRun } = node.parameters;
	const action = `${String(resource)} ${String(operation)}`;
	return (
		isAction(node) &&
		dryRun !== true &&
		['smsMessage send', 'smsCampaign create', 'voiceCampaign create'].includes(action)
	);
}

/** What rows an operation of a data table looks for. */
interface Condition {
	keyName: string;
	keyValue?: string;
	condition?: string;
}

export const conditionsOf = ({ parameters }: WorkflowNode): Condition[] =>
	(parameters.filters as { conditions: Condition[] }).conditions;

/** The columns that a node writes. */
export const writtenBy = ({ parameters }: WorkflowNode): string[] =>
	Object.keys((parameters.columns as { value: object }).value);

/** Whether a node changes rows only from the state in which they are due: two runs cannot both have them. */
export const isClaim = (node: WorkflowNode): boolean =>
	isTable(node, 'update') &&
	conditionsOf(node).some(({ keyName }) => writtenBy(node).includes(keyName));
