import { createRequire } from 'node:module';
import omit from 'lodash/omit.js';
import pick from 'lodash/pick.js';
import type * as N8nWorkflow from 'n8n-workflow';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

/** Node.js cannot load n8n-workflow as a module, only as CommonJS. */
const { NodeHelpers } = createRequire(import.meta.url)('n8n-workflow') as typeof N8nWorkflow;

/** The values of a menu, and the names that a list of events or modes offers. */
const valuesOf = ({ type, options = [], modes = [] }: INodeProperties) =>
	type === 'options' || type === 'multiOptions'
		? ` [${(options as INodePropertyOptions[]).map(({ value }) => String(value)).join(' ')}]`
		: type === 'resourceLocator'
			? ` [${modes.map(({ name }) => name).join(' ')}]`
			: '';

/** The numbers that a field takes. */
const rangeOf = ({ typeOptions: { minValue, maxValue } = {} }: INodeProperties) =>
	minValue === undefined ? '' : ` ${String(minValue)}..${String(maxValue ?? '')}`;

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
	const line = `${path}: ${type}${valuesOf(field)}${rangeOf(field)} = ${JSON.stringify(initial)}${conditionsOf(field)}`;
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

/** A node, or the credential, with its fields. */
export type Form = Pick<INodeTypeDescription, 'name' | 'version' | 'properties'>;

/**
 * What saved workflows and credentials hold: a line for each parameter, with the values of menus.
 * n8n does not save a value that equals the default, and drops what a condition hides, so both count
 * as well.
 */
export const linesOfForms = (forms: readonly Form[]) =>
	forms.flatMap(({ name, version, properties }) =>
		[version].flat().flatMap((each) => linesOfVersion(name, each, properties)),
	);
