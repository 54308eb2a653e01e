import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { MessagingServiceTrigger } from '../../nodes/MessagingService/MessagingServiceTrigger.node';
import { findOperation, resources } from '../../nodes/MessagingService/resources';
import packageJson from '../../package.json';

/** A choice of the two menus. */
interface Pair {
	resource: string;
	operation: string;
}

const node = new MessagingService();
const trigger = new MessagingServiceTrigger();
const credential = new MessagingServiceApi();
const { description } = node;

/** The pairs that saved workflows depend on. */
const PAIRS: Readonly<Record<string, readonly string[]>> = {
	smsCampaign: ['create', 'get', 'getAll', 'getContacts', 'getSummary', 'update', 'postById'],
	smsMessage: ['send', 'get', 'getAll'],
	voiceCampaign: [
		...['create', 'createForClient', 'get', 'getAll', 'getAllUnpaged', 'getPhoneNumbers'],
		'getSummary',
	],
	phoneNumberStorage: ['create', 'update', 'get', 'getAll', 'postById'],
	webhook: ['set', 'remove'],
};

const LIST_FIELDS = ['returnAll', 'limit', 'options', 'options.pageSize'];
const QUERY_FIELDS = ['filters', 'filters.parameter', 'sorting', 'sorting.parameter'];
const VOICE_FIELDS = [
	...['name', 'startDate', 'startTime', 'finishTime', 'callflow_Id', 'answerMachineDetected'],
	...['smsOnBusy', 'phoneNumbersSource', 'phoneNumberField', 'phoneNumbers'],
	...['name', 'parameter1', 'parameter9'].map((name) => `additionalFields.otherFields.${name}`),
	...['phoneNumbers.entry', 'phoneNumbers.entry.number', 'phoneNumbers.entry.parameter9'],
	...['binaryPropertyName', 'fileOptions', 'fileOptions.delimiter', 'fileOptions.encoding'],
	...['fileOptions.startAtRow', 'fileOptions.problemsFile'],
	...['phoneNumbersJson', 'additionalFields', 'additionalFields.attempts'],
	...['additionalFields.attempts.attempt', 'additionalFields.attempts.attempt.interval'],
	...['additionalFields.runoverDays', 'additionalFields.runoverDays.day'],
	...['date', 'startTime', 'finishTime'].map((name) => `additionalFields.runoverDays.day.${name}`),
];
const STORAGE_FIELDS = ['storageID', 'number', 'parameters', 'parameters.parameter1'];

/** Names of fields that saved workflows depend on. There may be more. */
const FIELD_NAMES: Readonly<Record<string, readonly string[]>> = {
	'smsCampaign create': [
		...['message', 'sender', 'contactsSource', 'phoneNumberField', 'contacts'],
		...['name', 'custom1', 'custom2', 'contactGroupId'].map(
			(name) => `additionalFields.otherFields.${name}`,
		),
		...['phoneNumber', 'name', 'custom1', 'custom2', 'contactGroupId'].map(
			(name) => `contacts.entry.${name}`,
		),
		...['binaryPropertyName', 'fileOptions', 'fileOptions.delimiter', 'fileOptions.encoding'],
		...['fileOptions.startAtRow', 'fileOptions.problemsFile'],
		...['contactsJson', 'additionalFields', 'additionalFields.invalidPhoneNumbers'],
		...['startDateTime', 'additionalFields.optOutLinkId', 'additionalFields.trackLinkUrl'],
	],
	'smsCampaign get': ['campaignId'],
	'smsCampaign getAll': [...LIST_FIELDS, ...QUERY_FIELDS],
	'smsCampaign getContacts': ['campaignId', ...LIST_FIELDS, ...QUERY_FIELDS],
	'smsCampaign getSummary': ['campaignId', 'filters', 'filters.parameter', 'options.pageSize'],
	'smsCampaign update': [
		...['campaignId', 'updateFields'],
		...['message', 'sender', 'optOutLinkId', 'startDateTime', 'trackLinkUrl'].map(
			(name) => `updateFields.${name}`,
		),
	],
	'smsCampaign postById': ['campaignId'],
	'smsMessage send': ['phoneNumber', 'message', 'sender'],
	'smsMessage get': ['messageId', 'simple'],
	'smsMessage getAll': ['simple', ...LIST_FIELDS, ...QUERY_FIELDS],
	'voiceCampaign create': [
		...VOICE_FIELDS,
		'defaultCli_Id',
		'additionalFields.invalidPhoneNumbers',
	],
	'voiceCampaign createForClient': [...VOICE_FIELDS, 'cli_Id', 'additionalFields.clientId'],
	'voiceCampaign get': ['campaignId', 'simple'],
	'voiceCampaign getAll': [...LIST_FIELDS, ...QUERY_FIELDS],
	'voiceCampaign getAllUnpaged': [],
	'voiceCampaign getPhoneNumbers': [
		...['campaignId', 'output', ...LIST_FIELDS],
		'options.pageNumber',
	],
	'voiceCampaign getSummary': ['campaignId', 'options.pageSize'],
	'phoneNumberStorage create': STORAGE_FIELDS,
	'phoneNumberStorage update': STORAGE_FIELDS,
	'phoneNumberStorage get': ['storageId', 'simple'],
	'phoneNumberStorage getAll': ['simple', ...LIST_FIELDS],
	'phoneNumberStorage postById': [
		...['storageId', 'payload', 'payload.number', 'payload.parameter1', 'payload.parameter9'],
	],
	'webhook set': ['webHookUrl'],
	'webhook remove': [],
};

const entriesOf = (menu: INodeProperties | undefined) =>
	(menu?.options ?? []) as INodePropertyOptions[];

/** The pairs that the two menus offer, as a user clicks through them. */
const menuPairs: (Pair & { entry: INodePropertyOptions })[] = entriesOf(
	description.properties.find(({ name }) => name === 'resource'),
).flatMap(({ value }) => {
	const resource = String(value);
	return description.properties
		.filter((property) => property.name === 'operation' && isShown(property, { resource }))
		.flatMap(entriesOf)
		.map((entry) => ({ resource, operation: String(entry.value), entry }));
});
const pairs = menuPairs.map(({ resource, operation }): Pair => ({ resource, operation }));
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

describe('resources and operations', () => {
	test('are exactly those that saved workflows depend on', () => {
		const wanted = Object.entries(PAIRS).flatMap(([resource, operations]) =>
			operations.map((operation) => nameOf({ resource, operation })),
		);
		expect(wanted).toHaveLength(24);
		expect(pairs.map(nameOf).sort()).toEqual(wanted.sort());
		expect(entriesOf(description.properties[0]).map(({ value }) => value)).toEqual(
			Object.keys(PAIRS),
		);
	});

	test('are handled by exactly one operation each, and every operation is in the menus', () => {
		const handled = menuPairs.map(({ resource, operation, entry }) => {
			const handler = findOperation(resource, operation);
			expect(handler).toMatchObject({
				value: operation,
				name: entry.name,
				action: entry.action,
				description: entry.description,
			});
			// One of the two shapes.
			const functions = ['run', 'request', 'result'].filter((name) => name in (handler ?? {}));
			expect(functions).toEqual(functions.length === 1 ? ['run'] : ['request', 'result']);
			return handler;
		});
		expect(new Set(handled).size).toBe(pairs.length);
		const defined = resources.flatMap(({ operations }) => operations);
		expect(new Set(defined)).toEqual(new Set(handled));
		expect(defined).toHaveLength(pairs.length);
		expect(new Set(pairs.map(nameOf)).size).toBe(pairs.length);
	});

	test('that do not exist have no handler', () => {
		expect(findOperation('smsCampaign', 'remove')).toBeUndefined();
		expect(findOperation('constructor', 'name')).toBeUndefined();
	});

	test('start with one that exists', () => {
		const menu = description.properties.find(({ name }) => name === 'resource');
		expect(Object.keys(PAIRS)).toContain(menu?.default);
		for (const resource of Object.keys(PAIRS)) {
			const menus = description.properties.filter(
				(property) => property.name === 'operation' && isShown(property, { resource }),
			);
			expect(menus).toHaveLength(1);
			expect(PAIRS[resource]).toContain(menus[0]?.default);
		}
	});

	const texts = menuPairs.map(({ entry, ...pair }) => [nameOf(pair), entry] as const);
	/** Words that are written in capitals wherever they stand. */
	const isAcronym = (word: string) =>
		/^(SMS|URL|ID|JSON|CLI)$/.test(word.replace(/[^A-Za-z]/g, ''));

	test.each(texts)('%s has an action and a description in sentence case', (_, entry) => {
		const { action = '', description: text = '' } = entry;
		const [first = '', ...others] = action.split(' ');
		expect(first).toMatch(/^[A-Z][a-z]+$/);
		expect(others.length).toBeGreaterThan(0);
		expect(others.filter((word) => !isAcronym(word) && word !== word.toLowerCase())).toEqual([]);
		expect(action).not.toMatch(/\.$/);
		// n8n's style: no articles.
		expect(action).not.toMatch(/ (a|an|the) /);

		const sentences = text.split(/(?<=[.:]) /);
		for (const sentence of sentences) {
			const [, ...words] = sentence.split(' ');
			expect(words.filter((word) => !isAcronym(word) && /^[A-Z]/.test(word))).toEqual([]);
		}
		expect(text).toMatch(/^[A-Z]/);
		// n8n's style: no full stop after a single sentence, but after each of several.
		expect(text.endsWith('.')).toBe(/\. /.test(text));
	});

	test('have actions that differ', () => {
		const actions = menuPairs.map(({ entry }) => entry.action);
		expect(new Set(actions).size).toBe(actions.length);
	});
});

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

	test.each(Object.entries(FIELD_NAMES))(
		'keep the names of saved workflows (%s)',
		(name, wanted) => {
			const pair = pairs.find((candidate) => nameOf(candidate) === name);
			const states = pair === undefined ? [] : statesOf(pair);
			const shown = fields.filter((field) => states.some((state) => isShown(field, state)));
			expect(flatten(shown).map(({ path }) => path)).toEqual(expect.arrayContaining([...wanted]));
		},
	);

	test('are covered by the names above for every pair', () => {
		expect(Object.keys(FIELD_NAMES).sort()).toEqual(pairs.map(nameOf).sort());
	});

	test('that choose a record offer the list first, then the ID', () => {
		const locators = everyProperty.filter(({ property }) => property.type === 'resourceLocator');
		expectAll(locators, ({ default: initial, modes = [] }) => {
			const [list, id] = modes;
			return (
				modes.length === 2 &&
				list?.name === 'list' &&
				list.displayName === 'From List' &&
				list.typeOptions?.searchable === true &&
				id?.name === 'id' &&
				id.displayName === 'By ID' &&
				(initial as { mode?: string }).mode === 'list'
			);
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

describe('the texts of both nodes and the credential', () => {
	test('describe a switch by "Whether"', () => {
		const switches = everyProperty.filter(({ property }) => property.type === 'boolean');
		expectAll(switches, (property) => property.description?.startsWith('Whether ') === true);
	});

	test('have placeholders that are examples, or say what a click does', () => {
		const withPlaceholder = everyProperty.filter(({ property }) => 'placeholder' in property);
		expectAll(withPlaceholder, ({ type, placeholder = '' }) =>
			type === 'collection' || type === 'fixedCollection'
				? placeholder.startsWith('Add ')
				: placeholder.startsWith('e.g. '),
		);
		const modes = everyProperty.flatMap(({ path, property }) =>
			(property.modes ?? []).map((mode) => ({ path, mode })),
		);
		expect(modes.length).toBeGreaterThan(0);
		for (const { mode } of modes) {
			expect(mode.placeholder).toMatch(mode.type === 'list' ? /^Select / : /^e\.g\. /);
		}
	});

	test('say what to add to a collection', () => {
		const collections = flatten(description.properties).filter(({ property }) =>
			['collection', 'fixedCollection'].includes(property.type),
		);
		const groups = new Set(
			everyProperty
				.filter(({ property }) => property.type === 'fixedCollection')
				.flatMap(({ property }) => (property.options ?? []).map(({ name }) => name)),
		);
		expectAll(
			collections.filter(({ property }) => !groups.has(property.name)),
			({ placeholder, typeOptions }) =>
				(placeholder ?? typeOptions?.multipleValueButtonText ?? '').startsWith('Add '),
		);
	});

	test('begin every display name with a capital', () => {
		expectAll(everyProperty, ({ displayName }) => /^(<strong>)?[A-Z]/.test(displayName));
	});
});

describe('names and versions', () => {
	test('of the action node', () => {
		expect(description).toMatchObject({
			displayName: 'Messaging Service',
			name: 'messagingService',
			version: 1,
			usableAsTool: true,
			credentials: [{ name: 'messagingServiceApi', required: true }],
		});
	});

	test('of the trigger', () => {
		expect(trigger.description).toMatchObject({
			displayName: 'Messaging Service Trigger',
			name: 'messagingServiceTrigger',
			version: 2,
			group: ['trigger'],
			inputs: [],
			credentials: [{ name: 'messagingServiceApi', required: true }],
		});
		const events = trigger.description.properties.find(({ name }) => name === 'events');
		expect(entriesOf(events).map(({ value }) => value)).toEqual(['callAttempted', 'smsStatus']);
	});

	test('of the credential', () => {
		expect(credential).toMatchObject({
			displayName: 'Messaging Service API',
			name: 'messagingServiceApi',
		});
	});

	test('of the package', () => {
		expect(packageJson.name).toBe('n8n-nodes-messaging-service');
		expect(packageJson.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		expect(Object.keys(packageJson)).not.toEqual(
			expect.arrayContaining([expect.stringMatching(/^(dependencies|overrides)$/)]),
		);
	});
});
