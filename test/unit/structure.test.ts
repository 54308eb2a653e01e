import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { MessagingServiceTrigger } from '../../nodes/MessagingService/MessagingServiceTrigger.node';

/** A choice of the two menus. */
interface Pair {
	resource: string;
	operation: string;
}

const node = new MessagingService();
const trigger = new MessagingServiceTrigger();
const credential = new MessagingServiceApi();
const { description } = node;

const entriesOf = (menu: INodeProperties | undefined) =>
	(menu?.options ?? []) as INodePropertyOptions[];

/** The pairs that the two menus offer, as a user clicks through them. */
const pairs: Pair[] = entriesOf(
	description.properties.find(({ name }) => name === 'resource'),
).flatMap(({ value }) => {
	const resource = String(value);
	return description.properties
		.filter((property) => property.name === 'operation' && isShown(property, { resource }))
		.flatMap(entriesOf)
		.map((entry) => ({ resource, operation: String(entry.value) }));
});
const nameOf = ({ resource, operation }: Pair) => `${resource} ${operation}`;

const fields = description.properties.filter(
	({ name }) => !['resource', 'operation'].includes(name),
);

/** Whether n8n shows a property while the node has these values. */
function isShown(property: INodeProperties, values: INodeParameters): boolean {
	return NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, description);
}

/** Names of the fields that a property's visibility depends on, beside the two menus. */
function conditionsOf({ displayOptions }: INodeProperties): string[] {
	const names = Object.keys({ ...displayOptions?.show, ...displayOptions?.hide });
	return names.filter((name) => !['resource', 'operation'].includes(name));
}

/** Every value that a menu or a switch can have; of other fields, whether they have one. */
function valuesOf(property: INodeProperties | undefined): (string | boolean)[] {
	if (property === undefined) throw new Error('A condition on a field that does not exist');
	if (property.type === 'boolean') return [true, false];
	const values = entriesOf(property).map(({ value }) => String(value));
	return values.length === 0 ? ['', 'any'] : values;
}

/** Every state of a pair's menus and switches that other fields' visibility depends on. */
function statesOf(pair: Pair): INodeParameters[] {
	const own = fields.filter(
		({ displayOptions }) =>
			displayOptions?.show?.resource?.includes(pair.resource) === true &&
			displayOptions.show.operation?.includes(pair.operation) === true,
	);
	const names = [...new Set(own.flatMap(conditionsOf))];
	return names.reduce<INodeParameters[]>(
		(states, name) =>
			valuesOf(own.find((property) => property.name === name)).flatMap((value) =>
				states.map((state) => ({ ...state, [name]: value })),
			),
		[{ ...pair }],
	);
}

/** A property's own properties: of a collection, or of a group in a fixed collection. */
function childrenOf({ options = [] }: INodeProperties): INodeProperties[] {
	return options.flatMap((option): INodeProperties[] => {
		if ('values' in option) {
			return [{ ...option, type: 'collection', default: {}, options: option.values }];
		}
		return 'type' in option ? [option] : [];
	});
}

/** Properties with those inside of them, each with its path of names. */
function flatten(
	properties: readonly INodeProperties[],
	prefix = '',
): { path: string; property: INodeProperties }[] {
	return properties.flatMap((property) => {
		const path = `${prefix}${property.name}`;
		return [{ path, property }, ...flatten(childrenOf(property), `${path}.`)];
	});
}

/** Everything a user can fill in, in both nodes and the credential. */
const everyProperty = [
	...flatten(description.properties),
	...flatten(trigger.description.properties),
	...flatten(credential.properties),
];

/** Asserts something about properties, naming the ones it is not true of. */
function expectAll(
	properties: readonly { path: string; property: INodeProperties }[],
	isRight: (property: INodeProperties) => boolean,
) {
	expect(properties.length).toBeGreaterThan(0);
	expect(properties.filter(({ property }) => !isRight(property)).map(({ path }) => path)).toEqual(
		[],
	);
}

describe('the fields of the action node', () => {
	test('are each shown by some pair', () => {
		const states = pairs.flatMap(statesOf);
		const never = fields.filter((field) => !states.some((state) => isShown(field, state)));
		expect(never.map(({ name }) => name)).toEqual([]);
		expect(fields.length).toBeGreaterThan(50);
	});

	test.each(pairs.map((pair) => [nameOf(pair), pair] as const))(
		'never have two of one name at the same time (%s)',
		(_, pair) => {
			for (const state of statesOf(pair)) {
				const shown = fields.filter((field) => isShown(field, state)).map(({ name }) => name);
				expect(shown).toEqual([...new Set(shown)]);
			}
		},
	);

	test('have one name once within a collection', () => {
		const collections = everyProperty.filter(({ property }) => childrenOf(property).length > 0);
		expectAll(collections, (property) => {
			const names = childrenOf(property).map(({ name }) => name);
			return new Set(names).size === names.length;
		});
	});

	test('name list searches that exist, and every list search is named', () => {
		const named = everyProperty
			.flatMap(({ property }) => property.modes ?? [])
			.map(({ typeOptions }) => typeOptions?.searchListMethod)
			.filter((name) => name !== undefined);
		expect([...new Set(named)].sort()).toEqual(Object.keys(node.methods.listSearch).sort());
		for (const search of Object.values(node.methods.listSearch)) {
			expect(search).toBeInstanceOf(Function);
		}
	});
});
