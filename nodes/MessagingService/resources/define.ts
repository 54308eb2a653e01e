import { merge, partition, pick } from 'lodash';
import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import type { FieldLabels } from '../transport/serviceReason';
import { dryRunFields, optionsField } from './shared/fields';
import { sortingField } from './shared/lists';
import { reachesPeople, type Operation, type Resource } from './operation';
import { recipientOptions } from '../recipients/fields';

export function defineOperation<Defined extends Operation>(operation: Defined): Defined {
	return operation;
}

/** What whoever gives an agent the tool has to know. */
const agentNotice: INodeProperties = {
	displayName:
		'The agent can reach everybody whom it names. To limit it, give it a credential of its own, turn on its Sending Policy, and set Only These Numbers or Max Recipients.',
	name: 'agentNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { '@tool': [true] } },
};

/** n8n gives the tool of an agent a type of its own. */
const NOT_AS_TOOL: IDisplayOptions = { hide: { '@tool': [true] } };

const isHidden = ({ isHiddenFromAgents }: Operation) => isHiddenFromAgents === true;

/** The node's properties that follow from the resources: two menus, and each pair's fields. */
export function toProperties(resources: readonly Resource[]): INodeProperties[] {
	const resourceMenu: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value, operations }) => ({
			name,
			value,
			...(operations.every(isHidden) && { displayOptions: NOT_AS_TOOL }),
		})),
		default: firstValue(resources),
	};
	const operationMenus = resources.map((resource): INodeProperties => ({
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource.value] } },
		options: resource.operations.map((each) => ({
			...pick(each, ['name', 'value', 'action', 'description']),
			...(isHidden(each) && { displayOptions: NOT_AS_TOOL }),
		})),
		default: firstValue(resource.operations),
	}));
	const fields = resources.flatMap((resource) =>
		resource.operations.flatMap((operation) =>
			allFields(operation).map((field) => onlyFor(resource.value, operation.value, field)),
		),
	);
	return [resourceMenu, ...operationMenus, ...fields];
}

/**
 * A field as that of one operation. What names the operation comes first: n8n shows a field as soon as
 * one that it depends on is an expression, without looking at the conditions after it.
 */
function onlyFor(resource: string, operation: string, field: INodeProperties): INodeProperties {
	const pair = { show: { resource: [resource], operation: [operation] } };
	return { ...field, displayOptions: merge(pair, field.displayOptions) };
}

/** An operation's own fields, and those that follow from what it says about itself. */
function allFields(operation: Operation): INodeProperties[] {
	const { fields, recipients, showOptions } = operation;
	// In the order in which people need them.
	const options = [
		...(operation.options ?? []),
		...(recipients === undefined ? [] : recipientOptions(recipients)),
	];
	const [optional, needed] = partition(fields, isOptional);
	// n8n has sorting below Options.
	const [sorting, others] = partition(optional, ({ name }) => name === sortingField.name);
	return [
		...(reachesPeople(operation) ? [agentNotice] : []),
		...needed,
		...(reachesPeople(operation) ? dryRunFields : []),
		...others,
		...(options.length === 0 ? [] : [{ ...optionsField(options), displayOptions: showOptions }]),
		...sorting,
	];
}

/** Whether a field is a collection of what may be added: it stands below what an operation needs. */
function isOptional({ type, required }: INodeProperties): boolean {
	return (type === 'collection' || type === 'fixedCollection') && required !== true;
}

function firstValue(entries: readonly { value: string }[]): string {
	return entries[0]?.value ?? '';
}

/** A field, a choice of a menu, which has no label, or what a list adds. */
interface Labelled {
	name: string;
	displayName?: string;
	options?: readonly Labelled[];
	values?: readonly Labelled[];
}

/** The display names of an operation's fields by the service's names, for its error messages. */
export function fieldLabels(operation: Operation): FieldLabels {
	const labels: Record<string, string> = {};
	const collect = (properties: readonly Labelled[]) => {
		for (const { name, displayName, options = [], values = [] } of properties) {
			if (displayName !== undefined) labels[name.toLowerCase()] ??= displayName;
			collect([...options, ...values]);
		}
	};
	collect(operation.fields);
	collect(operation.options ?? []);
	return labels;
}

/** Characters that have room under a node on the canvas. */
const SUBTITLE = 27;

/**
 * The line under the node's name on the canvas, e.g. "Create: SMS Campaign", as an expression over
 * the two menus. n8n evaluates it in the editor only, so executions do not pay for it.
 */
export function subtitleOf(resources: readonly Resource[]): string {
	const names = resources.flatMap(({ value, name, shortName = name, operations }) =>
		operations.map((operation) => {
			const text = `${operation.name}: ${shortName}`;
			const subtitle = text.length > SUBTITLE ? operation.name : text;
			return [`${value} ${operation.value}`, subtitle];
		}),
	);
	const table = JSON.stringify(Object.fromEntries(names));
	return `={{ (${table})[$parameter["resource"] + " " + $parameter["operation"]] }}`;
}
