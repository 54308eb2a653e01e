import { difference, intersection, set } from 'lodash';
import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { MessagingServicePollTrigger } from '../../nodes/MessagingService/MessagingServicePollTrigger.node';
import { MessagingServiceTrigger } from '../../nodes/MessagingService/MessagingServiceTrigger.node';
import { resources } from '../../nodes/MessagingService/resources';

const { description } = new MessagingService();

const pairs = resources.flatMap(({ value: resource, operations }) =>
	operations.map(({ value: operation }) => ({ resource, operation })),
);

const fields = description.properties.filter(
	({ name }) => !['resource', 'operation'].includes(name),
);

/** Whether n8n shows a property while the node has these values. */
function isShown(property: INodeProperties, values: INodeParameters): boolean {
	return NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, description);
}

/** Names of the fields that a property's visibility depends on, beside the two menus and the type of the node. */
function conditionsOf({ displayOptions }: INodeProperties): string[] {
	const names = Object.keys({ ...displayOptions?.show, ...displayOptions?.hide });
	return names.filter((name) => !['resource', 'operation', '@tool'].includes(name));
}

/** Every value that a menu or a switch can have; of other fields, whether they have one. */
function valuesOf(property: INodeProperties | undefined): (string | boolean)[] {
	if (property === undefined) throw new Error('A condition on a field that does not exist');
	if (property.type === 'boolean') return [true, false];
	const { options = [] } = property;
	const values = (options as INodePropertyOptions[]).map(({ value }) => String(value));
	return values.length === 0 ? ['', 'any'] : values;
}

/** A field, perhaps one of a collection. */
function propertyAt(
	properties: readonly INodeProperties[],
	[name, ...inner]: readonly string[],
): INodeProperties | undefined {
	const found = properties.find((property) => property.name === name);
	return inner.length === 0
		? found
		: propertyAt((found?.options ?? []) as INodeProperties[], inner);
}

/** Every state of a pair's menus and switches that other fields' visibility depends on. */
function statesOf(pair: (typeof pairs)[number]): INodeParameters[] {
	const own = fields.filter(
		({ displayOptions }) =>
			displayOptions?.show?.resource?.includes(pair.resource) === true &&
			displayOptions.show.operation?.includes(pair.operation) === true,
	);
	const names = [...new Set(own.flatMap(conditionsOf))];
	return names.reduce<INodeParameters[]>(
		(states, name) => {
			const path = name.replace('/', '').split('.');
			return valuesOf(propertyAt(own, path)).flatMap((value) =>
				states.map((state) => set(structuredClone(state), path, value)),
			);
		},
		[{ ...pair }],
	);
}

/** Names of the fields that a form shows, and of the members of its collections. */
const shownIn = (values: INodeParameters) =>
	fields
		.flatMap((field) => {
			if (!isShown(field, values)) return [];
			const members = field.type === 'collection' ? (field.options as INodeProperties[]) : [];
			return [field, ...members.filter((member) => isShown(member, values))];
		})
		.map(({ displayName }) => displayName);

describe('the fields of the action node', () => {
	const creating = pairs.flatMap((pair) =>
		fields
			.filter((field) => / From$/.test(field.displayName) && isShown(field, pair))
			.map((source) => ({ ...pair, source, label: source.displayName.replace(/ From$/, '') })),
	);

	test.each(creating)(
		'ask of recipients only what belongs to where they come from ($resource $operation)',
		({ source, label, ...pair }) => {
			const more = ['Mapping Mode', `Other ${label.replace(/s$/, '')} Fields`];
			const expected: Record<string, string[]> = {
				inputItems: ['Phone Number Field', ...more],
				file: [
					...['File', 'File Options', 'Delimiter', 'Encoding', 'Problems File', 'Start at Row'],
					...['Phone Number Field', ...more],
				],
				json: [`${label} (JSON)`],
				list: [label],
			};
			const shown = valuesOf(source).map((value) => shownIn({ ...pair, [source.name]: value }));
			const always = intersection(...shown);
			const own = shown.map((names) => difference(names, always).sort());
			const sorted = valuesOf(source).map((value) => expected[String(value)]?.sort());
			expect(own).toEqual(sorted);
		},
	);

	test.each(pairs)('never have two of one name at the same time ($resource $operation)', (pair) => {
		for (const state of statesOf(pair)) {
			const shown = fields.filter((field) => isShown(field, state)).map(({ name }) => name);
			expect(shown).toEqual([...new Set(shown)]);
		}
	});
});

/** The fields beside each other in a form, and in each of its collections. */
function levelsOf(properties: INodeProperties[]): INodeProperties[][] {
	const inner = properties.flatMap(({ type, options = [] }) => {
		if (type === 'collection') return [options as INodeProperties[]];
		if (type !== 'fixedCollection') return [];
		return (options as INodePropertyCollection[]).map(({ values }) => values);
	});
	return [properties, ...inner.flatMap(levelsOf)];
}

describe('n8n 1 runs a node only if each condition of a field', () => {
	const { properties: trigger } = new MessagingServiceTrigger().description;
	const { properties: poll } = new MessagingServicePollTrigger().description;
	const { properties: credential } = new MessagingServiceApi();
	const forms = { action: description.properties, trigger, poll, credential };

	test.each(Object.entries(forms))('names a field beside it, or from the root (%s)', (_, form) => {
		for (const level of levelsOf(form)) {
			const beside = level.map(({ name }) => name);
			const conditions = level.flatMap(({ displayOptions }) =>
				Object.keys({ ...displayOptions?.show, ...displayOptions?.hide }),
			);
			const others = conditions.filter((name) => !/^[/@]/.test(name) && !beside.includes(name));
			expect(others).toEqual([]);
		}
	});
});
