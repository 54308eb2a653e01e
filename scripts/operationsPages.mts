import type { INodeProperties } from 'n8n-workflow';
import type { Resource } from '../nodes/MessagingService/resources/operation.ts';
import type { Returns } from '../nodes/MessagingService/returns/fields.ts';
import { readEndpoints } from './endpoints.mts';
import { type Line, linesOf, rowOf, table } from './fieldLines.mts';
import { returnedBy, type Returned } from './returned.mts';

/** Whether a field belongs to a resource and operation; fields of every operation do not. */
function belongsTo({ displayOptions }: INodeProperties, resource: string, operation: string) {
	const { resource: resources, operation: operations, ...others } = displayOptions?.show ?? {};
	// A field may have another form where the node is the tool of an agent.
	if ('@tool' in others) return false;
	return resources?.includes(resource) === true && operations?.includes(operation) === true;
}

/** One operation, as its section needs it. */
interface Section {
	name: string;
	description: string;
	endpoints: string;
	lines: Line[];
	/** What it returns: an example, and what other settings return. */
	returned: Returned;
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}_ -]/gu, '')
		.replaceAll(' ', '-');

/** The operation under which each line stands: the first one that has it. */
function homesOf(sections: readonly Section[]): Map<string, string> {
	const homes = new Map<string, string>();
	for (const { name, lines } of sections) {
		for (const line of lines) homes.set(rowOf(line), homes.get(rowOf(line)) ?? name);
	}
	return homes;
}

/** Names of fields, those inside a collection once, in brackets after it: "Options (Number Format)". */
function namesOf(lines: readonly Line[]): string {
	const groups = new Map<string, Set<string>>();
	const fields = new Set(lines.map(({ name }) => name));
	for (const { name } of lines) {
		const [group = name, inside] = name.split(' › ');
		const members = groups.get(group) ?? new Set();
		groups.set(group, inside === undefined || fields.has(group) ? members : members.add(inside));
	}
	return [...groups]
		.map(([group, members]) =>
			members.size === 0 ? group : `${group} (${[...members].join(', ')})`,
		)
		.join(', ');
}

/** The fields of an operation: those of an earlier one by their names, the others in a table. */
function fieldsOf({ name, lines }: Section, homes: ReadonlyMap<string, string>): string[] {
	const byHome = new Map<string, Line[]>();
	for (const line of lines) {
		const home = homes.get(rowOf(line)) ?? name;
		byHome.set(home, [...(byHome.get(home) ?? []), line]);
	}
	return [...byHome].flatMap(([home, group]) =>
		home === name
			? [...table(group), '']
			: [`Fields as under [${home}](#${anchorOf(home)}): ${namesOf(group)}.`, ''],
	);
}

/** What an operation returns; an example that an earlier operation has shown is not repeated. */
function returnedLines({ name, returned }: Section, shown: Map<string, string>): string[] {
	const json = JSON.stringify(returned.sample, null, 2);
	const earlier = shown.get(json);
	shown.set(json, earlier ?? name);
	return [
		...(earlier === undefined
			? [returned.intro, '', '```json', json, '```', '']
			: [`Returns the same fields as [${earlier}](#${anchorOf(earlier)}).`, '']),
		...(returned.others.length === 0 ? [] : [...returned.others, '']),
	];
}

function page(resource: string, sections: readonly Section[]): string {
	const homes = homesOf(sections);
	/** The operation in which each example stands. */
	const shown = new Map<string, string>();
	return [
		`# ${resource}`,
		'',
		...sections.flatMap((section) => [
			`## ${section.name}`,
			'',
			`${section.description.replace(/\.$/, '')}. ${section.endpoints}`.trim(),
			'',
			...fieldsOf(section, homes),
			...returnedLines(section, shown),
		]),
		'`npm run docs` generates this page.',
		'',
	].join('\n');
}

/**
 * docs/operations/: a page for each resource, with the fields of its operations as the editor shows
 * them, the endpoints that they use, and what they return. The keys are the names of the files.
 */
export function operationsPages(
	properties: readonly INodeProperties[],
	resources: readonly Resource[],
	returnsOf: (resource: string, operation: string) => Returns,
): Map<string, string> {
	const endpoints = readEndpoints();
	return new Map(
		resources.map((resource) => {
			const sections = resource.operations.map((operation): Section => {
				const { name, description, value } = operation;
				const pair = `${resource.value} ${value}`;
				const used = endpoints.filter(({ usedBy }) => usedBy.includes(pair));
				const fields = properties.filter((field) => belongsTo(field, resource.value, value));
				return {
					name,
					description,
					endpoints: used.map(({ line }) => line).join(', '),
					lines: fields.flatMap((field) => linesOf(field, fields)),
					returned: returnedBy(operation, returnsOf(resource.value, value), fields),
				};
			});
			return [`${anchorOf(resource.name)}.md`, page(resource.name, sections)];
		}),
	);
}
