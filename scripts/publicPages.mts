/** What anybody can reach once the examples are published, as a table for docs/self-hosting.md. */
import type { WorkflowNode } from '../host/n8nClient.ts';
import {
	conditionsOf,
	exampleGraphs,
	isClaim,
	isOfType,
	isTable,
	reachesPeople,
	type ExampleGraph,
} from './exampleGraph.mts';

const start = '<!-- What is public: npm run docs writes it from the examples. -->';
const end = '<!-- End of what is public. -->';

/** Where the service or a person on the internet gets in; undefined for other nodes. */
function addressOf(node: WorkflowNode): string | undefined {
	const {
		path,
		httpMethod,
		options = {},
	} = node.parameters as {
		path?: string;
		httpMethod?: string;
		options?: { path?: string };
	};
	if (isOfType(node, 'formTrigger')) return `\`/form/${options.path ?? ''}\``;
	if (isOfType(node, 'webhook')) return `\`${httpMethod ?? 'GET'} /webhook/${path ?? ''}\``;
	if (isOfType(node, 'mcpTrigger')) return `\`/mcp/${path ?? ''}\``;
	return undefined;
}

/** Who is let in. */
function guardOf(graph: ExampleGraph, node: WorkflowNode): string {
	const { authentication } = node.parameters;
	if (authentication === 'n8nOAuth2') return 'assistants that an n8n user has allowed';
	if (authentication === 'headerAuth') return 'who knows the secret of a header';
	if (authentication === 'basicAuth') return 'who knows the password';
	const isByCode = graph
		.reachedFrom([node])
		.some(
			(each) =>
				isTable(each, 'get', 'update') &&
				conditionsOf(each).some(({ keyName }) => ['code', 'link'].includes(keyName)),
		);
	return isByCode ? '**anybody with a link**' : '**anybody**';
}

/** What it can set off. */
function effectOf(graph: ExampleGraph, node: WorkflowNode): string {
	const next = graph.reachedFrom([node]);
	const tables = next
		.filter((each) => isTable(each, 'insert', 'upsert', 'update'))
		.map(({ parameters }) => (parameters.dataTableId as { value: string }).value);
	const isSeldom = next.some(
		(each) =>
			isTable(each, 'get') && conditionsOf(each).some(({ keyName }) => keyName === 'createdAt'),
	);
	const how = isSeldom ? ', one number once a day' : next.some(isClaim) ? ', each once' : '';
	const effects = [
		...(next.some(reachesPeople) || isOfType(node, 'mcpTrigger')
			? [`texts or calls people${how}`]
			: []),
		...(next.some(({ parameters }) => parameters.resource === 'phoneNumberStorage')
			? ['stores numbers in the service']
			: []),
		...(tables.length > 0 ? [`writes to ${[...new Set(tables)].join(', ')}`] : []),
	];
	return effects.length > 0 ? effects.join('; ') : 'shows or passes on results';
}

const linkTo = ({ name, file }: ExampleGraph) => `[${name}](../examples/${file})`;

/** The table, a line for each address, without forms that ask for a login and the service's events. */
function publicTable(): string {
	const hasLogin = ({ parameters }: WorkflowNode) => parameters.authentication === 'n8nUserAuth';
	const lines = exampleGraphs().flatMap((graph) =>
		graph.nodes
			.filter((node) => !hasLogin(node))
			.flatMap((node) => {
				const address = addressOf(node);
				if (address === undefined) return [];
				const off = node.disabled === true ? ' (switched off)' : '';
				const cells = [linkTo(graph), address + off, guardOf(graph, node), effectOf(graph, node)];
				return [`| ${cells.join(' | ')} |`];
			}),
	);
	return [
		'| Workflow | Address | Who gets in | What it does |',
		'|---|---|---|---|',
		...lines,
	].join('\n');
}

/** The page with today's table. */
export function withPublicTable(page: string): string {
	const [before, rest] = page.split(start);
	const [, after] = (rest ?? '').split(end);
	if (before === undefined || after === undefined) throw new Error('The page has no place for it.');
	return `${before}${start}\n\n${publicTable()}\n\n${end}${after}`;
}
