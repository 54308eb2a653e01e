import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { MessagingService } from '../../nodes/MessagingService/MessagingService.node';
import { MessagingServicePollTrigger } from '../../nodes/MessagingService/MessagingServicePollTrigger.node';
import { MessagingServiceTrigger } from '../../nodes/MessagingService/MessagingServiceTrigger.node';
import { resources } from '../../nodes/MessagingService/resources';
import { fieldLabels } from '../../nodes/MessagingService/resources/define';
import { sendsMessages } from '../../nodes/MessagingService/resources/operation';
import { returnsOf } from '../../nodes/MessagingService/resources/returns';
import { CREDENTIAL } from '../../nodes/MessagingService/transport/service';
import { expectedForm } from '../e2e/support/expectedForm.ts';

const { description } = new MessagingService();

const formOf = (resource: string, operation: string, more = {}) =>
	expectedForm(description, { resource, operation, ...more });

/** A field, and the fields within it. */
const within = (field: INodeProperties): INodeProperties[] => [
	field,
	...(field.options ?? []).flatMap((option) =>
		'values' in option ? option.values.flatMap(within) : 'type' in option ? within(option) : [],
	),
];

test('a new node, and a tool of an agent, sends one message', () => {
	expect(expectedForm(description, {}).labels).toEqual(formOf('smsMessage', 'send').labels);
});

test.each([
	['smsMessage', 'send', ['Phone Number', 'Message', 'Sender', 'Dry Run', 'Options']],
	[
		'smsCampaign',
		'create',
		[
			...['Contacts From', 'Phone Number Field', 'Message', 'Sender', 'Start Date and Time'],
			...['Dry Run', 'Additional Fields', 'Options'],
		],
	],
	[
		'voiceCampaign',
		'create',
		[
			...['Name', 'Phone Numbers From', 'Phone Number Field', 'Call Flow ID', 'Caller ID (CLI)'],
			...['On Answering Machine', 'Text When Busy', 'Start Date', 'Start Time', 'Finish Time'],
			...['How Many Attempts', 'Dry Run', 'Additional Fields', 'Options'],
		],
	],
])('the fresh form of %s %s asks first for what it needs', (resource, operation, fields) => {
	expect(formOf(resource, operation).labels).toEqual(['Resource', 'Operation', ...fields]);
});

/** Every field of the nodes and of the credential. */
const allFields = [
	new MessagingService().description,
	new MessagingServiceTrigger().description,
	new MessagingServicePollTrigger().description,
	new MessagingServiceApi(),
].flatMap(({ properties }) => properties.flatMap(within));

const menus = allFields.filter(({ type }) => /^(multiO|o)ptions$/.test(type));

test('no option of a menu has the name of another one', () => {
	const plain = (text: unknown) =>
		String(text)
			.toLowerCase()
			.replace(/[^a-z]/g, '');
	expect(menus.length).toBeGreaterThan(30);
	const swapped = menus.flatMap(({ options = [] }) =>
		(options as INodePropertyOptions[]).filter(({ name, value }) =>
			(options as INodePropertyOptions[]).some(
				(other) => plain(other.value) === plain(name) && plain(value) !== plain(name),
			),
		),
	);
	expect(swapped).toEqual([]);
});

test('no two options of a menu are described alike', () => {
	const described = menus.map(({ options = [] }) =>
		(options as INodePropertyOptions[]).flatMap(({ description: each }) => each ?? []),
	);
	expect(described.flat().length).toBeGreaterThan(50);
	const alike = described.flatMap((texts) => texts.filter((text, at) => texts.indexOf(text) < at));
	expect(alike).toEqual([]);
});

/** What an action calls the record of a resource, and how descriptions speak of it. */
const NOUNS: Readonly<Record<string, readonly [noun: string, inDescriptions: RegExp]>> = {
	smsMessage: ['SMS message', /SMS message|text message \(SMS\)/],
	smsCampaign: ['SMS campaign', /SMS campaign/],
	voiceCampaign: ['voice campaign', /voice campaign/],
	phoneNumber: ['phone number', /^(?!.*\b[Ss]tored? ).*\bnumber\b/],
	phoneNumberStorage: ['stored phone number', /\b[Ss]tored? .*phone number/],
	webhook: ['webhook URL', /\bURL\b/],
	service: ['service', /\bservice\b/],
};

test('each action is named by its operation and its own resource, and described by itself', () => {
	const operations = resources.flatMap(({ value, operations: each }) =>
		each.map((operation) => ({ ...operation, nouns: NOUNS[value] ?? ['none of NOUNS', /$^/] })),
	);
	const wrong = operations.filter(({ name, action, description: told, nouns: [noun, inTold] }) => {
		const [own] = new RegExp(` (of )?${noun}s?\\b`).exec(action) ?? [''];
		return (
			own === '' ||
			action.replace(own, '').toLowerCase() !== name.toLowerCase() ||
			!inTold.test(told)
		);
	});
	expect(wrong.map(({ action }) => action)).toEqual([]);
	const told = operations.map(({ description: each }) => each);
	expect(told).toEqual([...new Set(told)]);
});

test('a choice of the webhook trigger, which n8n reads before an event comes, takes no expression', () => {
	const choices = new MessagingServiceTrigger().description.properties
		.flatMap(within)
		.filter(({ type }) => /^(multiO|o)ptions$/.test(type));
	expect(choices.length).toBeGreaterThan(3);
	expect(
		choices.filter(({ noDataExpression }) => noDataExpression !== true).map(({ name }) => name),
	).toEqual([]);
});

test('the menus that decide about the form, and what is read as stored, take no expression', () => {
	const names = [
		...['resource', 'operation', 'contactsSource', 'phoneNumbersSource'],
		...['mappingMode', 'includeInputFields', 'campaigns'],
	];
	const fixed = allFields.filter(({ name }) => names.includes(name));
	expect(new Set(fixed.map(({ name }) => name))).toEqual(new Set(names));
	const free = fixed.filter(({ noDataExpression }) => noDataExpression !== true);
	expect(free.map(({ name }) => name)).toEqual([]);
});

test('each list of records can be searched', () => {
	const lists = allFields.flatMap(({ modes = [] }) => modes.filter(({ type }) => type === 'list'));
	expect(lists.length).toBeGreaterThan(10);
	expect(lists.filter(({ typeOptions }) => typeOptions?.searchable !== true)).toEqual([]);
});

test('days of calls are chosen without a time', () => {
	const days = allFields.filter(({ name }) => ['startDate', 'date'].includes(name));
	expect(days.length).toBeGreaterThan(3);
	expect(days.filter(({ typeOptions }) => typeOptions?.dateOnly !== true)).toEqual([]);
});

test('an agent that asks for selected fields has to name them', () => {
	const chosen = description.properties.filter(({ name }) => name === 'outputFields');
	expect(chosen).not.toEqual([]);
	expect(chosen.filter(({ required }) => required !== true)).toEqual([]);
});

test('of all operations, Send alone has a message per item in place of a campaign', () => {
	const sending = resources.flatMap(({ value, operations }) =>
		operations.filter(sendsMessages).map((operation) => `${value} ${operation.value}`),
	);
	expect(sending).toEqual(['smsMessage send']);
});

test('whoever gives an agent a tool that reaches people is told whom it can reach', () => {
	const notices = description.properties.filter(({ name }) => name === 'agentNotice');
	const told = notices.map(({ displayOptions }) => displayOptions?.show);
	const reaching = resources.flatMap(({ value: resource, operations }) =>
		operations
			.filter((operation) => 'reaches' in operation)
			.filter(({ reaches }) => reaches !== 'nobody' && reaches !== 'events')
			.map(({ value: operation }) => ({
				...{ resource: [resource], operation: [operation] },
				'@tool': [true],
			})),
	);
	expect(reaching.length).toBeGreaterThan(3);
	expect(told).toEqual(reaching);
	expect(new Set(notices.map(({ default: first }) => first))).toEqual(new Set(['']));
});

const sources = allFields.filter(({ name }) => /^(contacts|phoneNumbers)Source$/.test(name));

test("n8n's AI builder is told about campaigns for each operation that creates them", () => {
	const operationsOf = ({ displayOptions }: Pick<INodeProperties, 'displayOptions'>) => {
		const { resource = [], operation = [] } = displayOptions?.show ?? {};
		return resource.flatMap((each) => operation.map((other) => `${String(each)} ${String(other)}`));
	};
	const creating = sources.flatMap(operationsOf);
	const told = (description.builderHint?.extraTypeDefContent ?? []).flatMap(operationsOf);
	expect(new Set(creating).size).toBeGreaterThan(2);
	expect(told).toEqual(expect.arrayContaining(creating));
});

test('a column can be dragged into each field that takes the name of one', () => {
	const names = description.properties
		.flatMap(within)
		.filter(({ displayName }) => / Field$/.test(displayName) && displayName !== 'Output Field');
	expect(new Set(names.map(({ name }) => name)).size).toBeGreaterThan(10);
	const others = names.filter(({ requiresDataPath }) => requiresDataPath !== 'single');
	expect(others.map(({ displayName }) => displayName)).toEqual([]);
});

test('each menu that the editor loads has the method that loads it', () => {
	const loads = description.properties
		.flatMap(within)
		.flatMap(({ typeOptions }) => typeOptions?.loadOptionsMethod ?? []);
	const { loadOptions } = new MessagingService().methods;
	expect([...new Set(loads)]).toEqual(Object.keys(loadOptions));
});

test('each node requires the credential, and tests it by the method that tells what is wrong with it', () => {
	const nodes = [
		new MessagingService(),
		new MessagingServiceTrigger(),
		new MessagingServicePollTrigger(),
	];
	for (const { description: node, methods } of nodes) {
		const [testedBy] = Object.keys(methods.credentialTest);
		expect(node.credentials).toEqual([{ name: CREDENTIAL, required: true, testedBy }]);
	}
});

test('parameters have the numbers that the service knows them by', () => {
	const numbered = description.properties
		.flatMap(within)
		.filter(({ name }) => /^parameter\d$/.test(name));
	expect(numbered.length).toBeGreaterThan(18);
	for (const { name, displayName } of numbered) {
		expect(displayName).toMatch(new RegExp(`^Parameter ${name.slice(-1)}( Field)?$`));
	}
});

test('fields that may be added are in alphabetical order, so that they are found', () => {
	const collections = description.properties.filter(({ name }) => /Fields$/.test(name));
	const added = collections.map(({ options = [] }) =>
		options.flatMap((each) => ('displayName' in each ? [each.displayName] : [])),
	);
	expect(added.flat().length).toBeGreaterThan(15);
	for (const names of added) {
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	}
});

test('a field of several lines is offered wherever a text may have line breaks', () => {
	const texts = allFields.filter(
		({ name, type, description: told = '' }) =>
			type === 'string' && (name === 'message' || told.includes('line breaks between')),
	);
	expect(new Set(texts.map(({ name }) => name)).size).toBeGreaterThan(1);
	expect(texts.filter(({ typeOptions: { rows = 1 } = {} }) => rows < 2)).toEqual([]);
});

test('a field that is added is empty at first, or has a value that it may have', () => {
	const added = allFields
		.filter(({ type }) => type === 'collection' || type === 'fixedCollection')
		.flatMap((collection) => within(collection).slice(1));
	expect(added.length).toBeGreaterThan(100);
	// The column that a check adds has a name.
	const texts = added.filter(({ type, name }) => type === 'string' && name !== 'outputField');
	expect(texts.filter(({ default: first }) => first !== '')).toEqual([]);
	const lists = added.filter(({ type }) => /^multiOptions$|ollection$/.test(type));
	expect(lists.filter(({ default: first }) => Object.keys(first as object).length > 0)).toEqual([]);
	const switches = added.filter(({ type }) => type === 'boolean');
	expect(switches.filter(({ default: first }) => first !== false)).toEqual([]);
	const locators = added.filter(({ type }) => type === 'resourceLocator');
	expect(locators.filter((each) => (each.default as IDataObject).value !== '')).toEqual([]);
	const isWithin = ({ typeOptions = {}, default: first }: INodeProperties) =>
		Number(first) >= (typeOptions.minValue ?? 0) &&
		Number(first) <= (typeOptions.maxValue ?? Infinity);
	// An ID is 0 at first, which is none: it is asked for.
	const numbers = added.filter(({ type, name }) => type === 'number' && !name.endsWith('Id'));
	expect(numbers.filter((each) => !isWithin(each))).toEqual([]);
	const chosen = added.filter(
		({ type, typeOptions }) => type === 'options' && !typeOptions?.loadOptionsMethod,
	);
	const isOffered = ({ options = [], default: first }: INodeProperties) =>
		options.some((option) => 'value' in option && option.value === first);
	expect(chosen.filter((each) => !isOffered(each))).toEqual([]);
});

test('every list says what its button adds', () => {
	const lists = allFields.filter(({ type }) => type === 'fixedCollection');
	expect(lists).not.toEqual([]);
	expect(lists.filter(({ placeholder }) => !placeholder).map(({ name }) => name)).toEqual([]);
});

test('the button of a list or collection names what that has, as it calls it', () => {
	const collections = allFields.filter(({ type }) => /ollection$/.test(type));
	expect(collections.length).toBeGreaterThan(20);
	const isOwn = ({ displayName, placeholder = '', options = [] }: INodeProperties) => {
		const entries = options.map((option) => ('values' in option ? option.displayName : ''));
		return [displayName.replace(/s$/, ''), ...entries].some((name) =>
			name.endsWith(placeholder.replace(/^Add /, '')),
		);
	};
	const others = collections.filter((field) => !isOwn(field));
	expect(others.map(({ displayName, placeholder }) => [displayName, placeholder])).toEqual([]);
});

test('what nobody knows comes last in the menus; agents are not offered it, nor the webhook', () => {
	for (const { operations } of resources) {
		const flags = operations.map(({ isHiddenFromAgents }) => isHiddenFromAgents === true);
		expect(flags).toEqual([...flags].sort());
	}
	const hiddenIn = (menu: string) =>
		description.properties
			.filter(({ name }) => name === menu)
			.flatMap(({ options = [] }) => options)
			.filter((option) => 'displayOptions' in option)
			.map((option) => {
				expect(option).toMatchObject({ displayOptions: { hide: { '@tool': [true] } } });
				return option.name;
			});
	const undocumented = 'Call Undocumented Endpoint';
	expect(hiddenIn('operation')).toEqual([undocumented, undocumented, 'Set', 'Remove']);
	expect(hiddenIn('resource')).toEqual(['Webhook']);
});

describe('the columns that people look at come first', () => {
	test.each([
		['smsMessage', 'send', ['phoneNumber', 'sent', 'reason', 'message', 'estimatedCost']],
		['smsCampaign', 'create', ['recipients', 'sent', 'reason', 'campaign', 'estimatedCost']],
		['voiceCampaign', 'create', ['recipients', 'sent', 'reason', 'campaign', 'firstCall']],
		['phoneNumber', 'check', ['phoneNumber', 'valid', 'reason']],
		['smsMessage', 'getAll', ['phoneNumber', 'status', 'message']],
		[
			'smsCampaign',
			'getSummary',
			['recipients', 'reached', 'notReached', 'deliveryRate', 'finished'],
		],
		[
			'voiceCampaign',
			'getSummary',
			['recipients', 'reached', 'notReached', 'answerRate', 'finished'],
		],
	])('in the output of %s %s', (resource, operation, columns) => {
		const { fields } = returnsOf(resource, operation);
		expect(Object.keys(fields).slice(0, columns.length)).toEqual(columns);
	});

	test.each([
		['smsMessage', 'send', ['newId']],
		['smsCampaign', 'get', ['status', 'id']],
		['smsCampaign', 'getContacts', ['id']],
		['smsCampaign', 'getSummary', ['campaignStatus']],
		['voiceCampaign', 'getAll', ['type', 'campaignStatus', 'callFlow_Id', 'cli_id', 'id']],
		['voiceCampaign', 'get', ['campaignStatus', 'id']],
		['voiceCampaign', 'getPhoneNumbers', ['id']],
	])('and codes that nobody knows and IDs last, in that of %s %s', (resource, operation, codes) => {
		const { fields } = returnsOf(resource, operation);
		expect(Object.keys(fields).slice(-codes.length)).toEqual(codes);
	});
});

test.each(resources.flatMap(({ operations }) => operations))(
	'an error of the service names a field as the form does, however deep it is: $action',
	(operation) => {
		const labels = fieldLabels(operation);
		const all = [...operation.fields, ...(operation.options ?? [])].flatMap(within);
		for (const { name } of all) {
			const own = all.filter((each) => each.name.toLowerCase() === name.toLowerCase());
			// A field of the form, before one in a list of it.
			const outer = own.filter((each) => operation.fields.includes(each));
			expect([...outer, ...own][0]?.displayName).toBe(labels[name.toLowerCase()]);
		}
	},
);

test('Parameter 1 to 9 of menus and fields are parameter1 to parameter9 of the service', () => {
	const all = [...description.properties, ...new MessagingServiceApi().properties].flatMap(within);
	const entries = all.flatMap((field) => [field, ...(field.options ?? [])]);
	const named = entries.flatMap((entry) => {
		const value = 'value' in entry ? entry.value : 'name' in entry ? entry.name : '';
		const name = 'displayName' in entry ? entry.displayName : entry.name;
		const [, digit] = /^parameter(\d)(?:Field)?$/.exec(String(value)) ?? [];
		return digit === undefined ? [] : [[name, digit] as const];
	});
	expect(named.length).toBeGreaterThan(20);
	for (const [name, digit] of named) {
		expect(name).toMatch(new RegExp(`^(?:Parameter ${digit}( |$)|parameter${digit}$)`));
	}
});
