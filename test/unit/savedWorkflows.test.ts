import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import omit from 'lodash/omit';
import pick from 'lodash/pick';
import {
	NodeHelpers,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { MessagingServicePollTrigger } from '../../nodes/MessagingService/MessagingServicePollTrigger.node';
import { MessagingServiceTrigger } from '../../nodes/MessagingService/MessagingServiceTrigger.node';

/**
 * What saved workflows and credentials hold: names of parameters and values of menus. n8n does not
 * save a value that equals the default, and drops what a condition hides, so both count as well.
 * support/savedWorkflows.txt has a line for each parameter. Where a change is meant, put
 * .local/savedWorkflows.txt, which a failure writes, in its place.
 */
const RECORD = 'test/unit/support/savedWorkflows.txt';

/** The same of the last version on npm, put there when it is published, and never changed otherwise. */
const PUBLISHED = 'test/unit/support/publishedWorkflows.txt';

/** The values of a menu, and the names that a list of events or modes offers. */
const valuesOf = ({ type, options = [], modes = [] }: INodeProperties) =>
	type === 'options' || type === 'multiOptions'
		? ` [${(options as INodePropertyOptions[]).map(({ value }) => String(value)).join(' ')}]`
		: type === 'resourceLocator'
			? ` [${modes.map(({ name }) => name).join(' ')}]`
			: '';

/** The conditions of a field, apart from the two menus and the version. */
function conditionsOf({ displayOptions }: INodeProperties): string {
	const conditions = {
		...omit(displayOptions?.show, ['resource', 'operation', '@version']),
		...(displayOptions?.hide && { hiddenBy: displayOptions.hide }),
	};
	return Object.keys(conditions).length === 0 ? '' : ` if ${JSON.stringify(conditions)}`;
}

/** Whether a node of this version has the field. */
function isIn(typeVersion: number, field: INodeProperties): boolean {
	const displayOptions = { show: pick(field.displayOptions?.show, ['@version']) };
	return NodeHelpers.displayParameter({}, { ...field, displayOptions }, { typeVersion }, null);
}

/** A line for a field, and for each field within it. */
function linesOf(field: INodeProperties, path: string): string[] {
	const { type, default: initial, options = [] } = field;
	const line = `${path}: ${type}${valuesOf(field)} = ${JSON.stringify(initial)}${conditionsOf(field)}`;
	const inner = options.flatMap((option) => {
		const name = `${path}.${option.name}`;
		if ('values' in option) {
			return option.values.flatMap((value) => linesOf(value, `${name}.${value.name}`));
		}
		return 'type' in option ? linesOf(option, name) : [];
	});
	return type === 'notice' ? [] : [line, ...inner];
}

/** A node's fields in one of its versions, each below the resource and the operations that show it. */
const linesOfVersion = (
	name: string,
	version: number,
	fields: readonly INodeProperties[],
): string[] => [
	`${name} (version ${version})`,
	...fields
		.filter((field) => isIn(version, field))
		.flatMap((field) => {
			const { resource = [], operation = [] } = field.displayOptions?.show ?? {};
			const place = [resource.join('/'), operation.join('/')]
				.filter((part) => part !== '')
				.join(' ');
			return linesOf(field, field.name).map(
				(line) => `  ${place === '' ? '' : `${place}: `}${line}`,
			);
		}),
];

type Form = Pick<INodeTypeDescription, 'name' | 'version' | 'properties'>;

const linesOfForms = (forms: readonly Form[]) =>
	forms.flatMap(({ name, version, properties }) =>
		[version].flat().flatMap((each) => linesOfVersion(name, each, properties)),
	);

/** Each line with the node and version that it belongs to; a menu's values, which may be added to, apart. */
function entriesOf(lines: readonly string[]): { id: string; values: string[] }[] {
	let node = '';
	return lines.map((line) => {
		if (!line.startsWith(' ')) node = line;
		const [, values = ''] = /ptions \[(.*?)\]/.exec(line) ?? [];
		return { id: `${node}${line.replace(`[${values}]`, '')}`, values: values.split(' ') };
	});
}

/** What a published version had and its nodes no longer have. */
function lost(published: readonly string[], current: readonly string[]): string[] {
	const found = new Map(entriesOf(current).map(({ id, values }) => [id, values]));
	return entriesOf(published)
		.filter(({ id, values }) => !values.every((value) => found.get(id)?.includes(value)))
		.map(({ id }) => id);
}

const textOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');
const credential = new MessagingServiceApi();
const current = linesOfForms([
	...[new MessagingService(), new MessagingServiceTrigger(), new MessagingServicePollTrigger()].map(
		({ description }) => description,
	),
	{ name: credential.name, version: 1, properties: credential.properties },
]);

test('saved workflows and credentials find their parameters, values and defaults', () => {
	const recorded = textOf(RECORD);
	mkdirSync('.local', { recursive: true });
	writeFileSync('.local/savedWorkflows.txt', `${current.join('\n')}\n`);
	expect({
		gone: recorded.filter((line) => !current.includes(line)),
		new: current.filter((line) => !recorded.includes(line)),
	}).toEqual({ gone: [], new: [] });
});

describe('after a version is published', () => {
	const limit = (initial: number, versions?: unknown[]) =>
		({
			...{ displayName: 'Limit', name: 'limit', type: 'number', default: initial },
			...(versions && { displayOptions: { show: { '@version': versions } } }),
		}) as INodeProperties;
	const linesOfNode = (version: number | number[], ...properties: INodeProperties[]) =>
		linesOfForms([{ name: 'node', version, properties }]);
	const published = linesOfNode(1, limit(50));

	test('its nodes keep the fields, menu values and defaults that it had', () => {
		expect(lost(existsSync(PUBLISHED) ? textOf(PUBLISHED) : [], current)).toEqual([]);
	});

	test('another default in the same version of the node is found', () => {
		expect(lost(published, linesOfNode(1, limit(100)))).toHaveLength(1);
		expect(lost(published, linesOfNode([1, 1.1], limit(100)))).toHaveLength(1);
	});

	test('another default belongs into a new version of the node', () => {
		const newer = limit(100, [{ _cnd: { gte: 1.1 } }]);
		expect(lost(published, linesOfNode([1, 1.1], limit(50, [1]), newer))).toEqual([]);
	});
});
