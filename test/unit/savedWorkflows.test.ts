import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import omit from 'lodash/omit';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
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

/** The values of a menu, and the names that a list of events or modes offers. */
const valuesOf = ({ type, options = [], modes = [] }: INodeProperties) =>
	type === 'options' || type === 'multiOptions'
		? ` [${(options as INodePropertyOptions[]).map(({ value }) => String(value)).join(' ')}]`
		: type === 'resourceLocator'
			? ` [${modes.map(({ name }) => name).join(' ')}]`
			: '';

/** The conditions of a field, apart from the two menus. */
function conditionsOf({ displayOptions }: INodeProperties): string {
	const conditions = {
		...omit(displayOptions?.show, ['resource', 'operation']),
		...(displayOptions?.hide && { hiddenBy: displayOptions.hide }),
	};
	return Object.keys(conditions).length === 0 ? '' : ` if ${JSON.stringify(conditions)}`;
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

/** A node's fields, each below the resource and the operations that show it. */
const linesOfNode = (
	name: string,
	version: unknown,
	fields: readonly INodeProperties[],
): string[] => [
	`${name} (version ${String(version)})`,
	...fields.flatMap((field) => {
		const { resource = [], operation = [] } = field.displayOptions?.show ?? {};
		const place = [resource.join('/'), operation.join('/')].filter((part) => part !== '').join(' ');
		return linesOf(field, field.name).map((line) => `  ${place === '' ? '' : `${place}: `}${line}`);
	}),
];

test('saved workflows and credentials find their parameters, values and defaults', () => {
	const nodes = [
		new MessagingService(),
		new MessagingServiceTrigger(),
		new MessagingServicePollTrigger(),
	].map(({ description }) => description);
	const { name, properties } = new MessagingServiceApi();
	const current = [
		...nodes.flatMap((node) => linesOfNode(node.name, node.version, node.properties)),
		...linesOfNode(name, 1, properties),
	];
	const recorded = readFileSync(RECORD, 'utf8').trimEnd().split('\n');
	mkdirSync('.local', { recursive: true });
	writeFileSync('.local/savedWorkflows.txt', `${current.join('\n')}\n`);
	expect({
		gone: recorded.filter((line) => !current.includes(line)),
		new: current.filter((line) => !recorded.includes(line)),
	}).toEqual({ gone: [], new: [] });
});
