import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import type { Operation } from '../nodes/MessagingService/resources/operation.ts';
import { readEndpoints, readUses } from './interface.mts';
import { returnsSection } from './returnsSection.mts';

/** A line of a table of fields. */
interface Line {
	/** Where it stands: "Additional Fields › Start". */
	name: string;
	/** What belongs into it, "required" included. */
	value: string;
	text: string;
}

const MENUS = ['resource', 'operation'];

const escapeCell = (text: string) =>
	text
		.replace(/<[^>]*>/g, '')
		.replaceAll('|', '\\|')
		.replace(/\s*\n\s*/g, ' ');

/** The field's own conditions in words: "when Contacts From is All Input Items". */
function conditionOf(field: INodeProperties, fields: readonly INodeProperties[]): string {
	const { show = {}, hide = {} } = field.displayOptions ?? {};
	const named = (name: string, values: readonly unknown[]) => {
		const other = fields.find((candidate) => candidate.name === name.replace(/^\//, ''));
		const names = values.map((value) => {
			if (typeof value === 'object') return 'set';
			if (typeof value === 'boolean') return value ? 'on' : 'off';
			const option = (other?.options ?? []).find(
				(candidate) => 'value' in candidate && candidate.value === value,
			);
			return option?.name ?? String(value);
		});
		return [other?.displayName ?? name, names.join(' or ')] as const;
	};
	const of = (conditions: NonNullable<typeof show>, verb: string) =>
		Object.entries(conditions)
			.filter(([name]) => !MENUS.includes(name))
			.map(([name, values]) => named(name, values ?? []).join(` ${verb} `));
	const all = [...of(show, 'is'), ...of(hide, 'is not')];
	return all.length === 0 ? '' : `When ${all.join(' and ')}.`;
}

/** What a field takes: its kind or its choices, and its default where it says something. */
function valueOf(field: INodeProperties): string {
	const { type, options = [], required } = field;
	const choices = options.flatMap((option) => ('value' in option ? [option.name] : []));
	const kinds: Partial<Record<INodeProperties['type'], string>> = {
		string: 'text',
		number: 'number',
		boolean: 'on or off',
		dateTime: 'date and time',
		json: 'JSON',
		collection: '',
		fixedCollection: field.typeOptions?.multipleValues === true ? 'any number of entries' : '',
		resourceLocator: (field.modes ?? []).map(({ displayName }) => displayName).join(', '),
	};
	const parts = [
		choices.length > 0 && (type === 'options' || type === 'multiOptions')
			? choices.join(', ')
			: (kinds[type] ?? type),
		defaultOf(field),
		required === true ? '**required**' : '',
	];
	return parts.filter((part) => part !== '').join('; ');
}

function defaultOf({ type, default: value, options = [] }: INodeProperties): string {
	if (type === 'boolean') return value === true ? 'on by default' : '';
	const choice = options.find((option) => 'value' in option && option.value === value);
	if (type === 'options' && choice !== undefined) return `default ${choice.name}`;
	if (type === 'number') return `default ${String(value)}`;
	return '';
}

function textOf(field: INodeProperties, fields: readonly INodeProperties[]): string {
	const sentences = [conditionOf(field, fields), field.description ?? '', field.hint ?? ''];
	return sentences
		.map((sentence) => sentence.trim())
		.filter((sentence) => sentence !== '')
		.map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
		.join(' ');
}

/** A field and everything inside it. Notices are no fields. */
function linesOf(field: INodeProperties, fields: readonly INodeProperties[], within = ''): Line[] {
	if (field.type === 'notice' || field.type === 'hidden') return [];
	const name = `${within}${field.displayName}`;
	const inner = (field.options ?? []).flatMap((option): Line[] => {
		if ('values' in option) {
			return option.values.flatMap((value) => linesOf(value, fields, `${name} › `));
		}
		return 'type' in option ? linesOf(option, fields, `${name} › `) : [];
	});
	return [{ name, value: valueOf(field), text: textOf(field, fields) }, ...inner];
}

function table(lines: readonly Line[]): string[] {
	if (lines.length === 0) return ['No fields.'];
	return [
		'| Field | Value | |',
		'|---|---|---|',
		...lines.map(
			({ name, value, text }) => `| ${[name, value, text].map(escapeCell).join(' | ')} |`,
		),
	];
}

/** Whether a field belongs to a resource and operation; fields of every operation do not. */
function belongsTo({ displayOptions }: INodeProperties, resource: string, operation: string) {
	const { resource: resources, operation: operations } = displayOptions?.show ?? {};
	return resources?.includes(resource) === true && operations?.includes(operation) === true;
}

const entriesOf = (menu: INodeProperties | undefined) =>
	(menu?.options ?? []).filter((option): option is INodePropertyOptions => 'value' in option);

/** The endpoints of a resource/operation pair: "`GET /api/Campaigns`, ...". */
function endpointsOf(pair: string): string {
	const uses = readUses()[pair] ?? [];
	return readEndpoints()
		.filter(({ operationId }) => uses.includes(operationId))
		.map(({ line }) => line)
		.join(', ');
}

/**
 * docs/operations.md: every operation of the node with its fields, as the editor shows them, and what
 * it returns.
 */
export function operationsPage(
	{ properties }: INodeTypeDescription,
	findOperation: (resource: string, operation: string) => Operation | undefined,
): string {
	const resources = entriesOf(properties.find(({ name }) => name === 'resource'));
	const sections = resources.flatMap((resource) => {
		const menu = properties.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes(resource.value) === true,
		);
		return [
			`## ${resource.name}`,
			'',
			...entriesOf(menu).flatMap((operation) => {
				const fields = properties.filter(
					(field) =>
						!MENUS.includes(field.name) &&
						belongsTo(field, String(resource.value), String(operation.value)),
				);
				const pair = `${String(resource.value)} ${String(operation.value)}`;
				const definition = findOperation(String(resource.value), String(operation.value));
				return [
					`### ${resource.name}: ${operation.name}`,
					'',
					`${(operation.description ?? '').replace(/\.$/, '')}. ${endpointsOf(pair)}`,
					'',
					...table(fields.flatMap((field) => linesOf(field, fields))),
					'',
					...(definition === undefined ? [] : returnsSection(definition, fields)),
				];
			}),
		];
	});
	return [
		'# Operations',
		'',
		'Every operation of the Messaging Service node, with its fields as the editor shows them, the endpoints that',
		'it uses, and an example of what it returns. Where a field is required, it says so; everything else may stay',
		'as it is. A field of the service that you do not set is not sent.',
		'',
		'Operations that create a campaign also return which input fields they used (`columnsUsed`, `columnsNotUsed`).',
		'With a sending policy that simulates, `simulated` is true and `sent` is `no`. [bulk.md](bulk.md) explains what',
		'is returned for rows that are skipped or fail.',
		'',
		'Campaigns, messages and stored numbers can be chosen from a list, or given by their ID:',
		'',
		'![A stored number chosen from a searched list](pictures/resource-locator.png)',
		'',
		'`npm run docs` generates this page. [endpoints.md](development/endpoints.md) names the tests of each endpoint.',
		'',
		...sections,
	].join('\n');
}
