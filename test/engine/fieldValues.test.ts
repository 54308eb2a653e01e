import { escapeRegExp } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { EngineResult } from '../support/engine';
import { actionType, runAction } from '../support/engine';
import type { FieldCase } from '../support/everyOperation';
import {
	casesOf,
	exampleOf,
	locator,
	credentialFor,
	pairs,
	requestCountOf,
	respond,
	sampleOf,
	validParameters,
	wholesOf,
	withValue,
} from '../support/everyOperation';
import { someOf } from '../support/runs';
import type { LocalServer, ReceivedRequest } from '../support/servers';
import { startServer } from '../support/servers';

/**
 * Every field of every operation, driven by an expression with values of all types: the request
 * carries the value in the type of the interface, or nothing is sent and the error names the field.
 * The fields are read off the node's description, so that a new one is covered.
 */

/** What an expression, a sheet or another node may give. */
const POOL: readonly unknown[] = [
	...[undefined, null, '', '  ', true, false, 0, 1, 7, -1, 1.5, 1e21, NaN],
	...['true', 'TRUE', 'yes', 'no', '0', '1', '7', '07', '-1', '3e2', '0x12D', '1.5', 'maybe'],
	...['abc', 'Reject', 'reject', 'send', '2999-01-11', '2999-W05-1', '2999-01-11T10:00:00+02:00'],
	...['09:30', '25:00', 'https://example.com/x?y=z', '+447700900123', '4.477E+11', 447700900123],
	...['x'.repeat(300), 'Hi \ud83d'],
	...[{}, { a: 1 }, [], ['x'], [{ interval: 5 }], '[]', '{"a":1}', '[{'],
];

/** What a sheet, a database or a form may have for true and false. */
const YES: readonly unknown[] = [true, 'true', 'TRUE', 'True', 'yes', ' YES ', 'Yes', '1', 1];
const NO: readonly unknown[] = [false, 'false', 'FALSE', 'no', ' No ', '0', 0];

/** What a field takes: with blanks around, as a sheet may have it, and its limits. */
const takenBy = ({ type, typeOptions = {} }: INodeProperties): unknown[] => {
	const { minValue, maxValue } = typeOptions;
	if (type === 'boolean') return [...YES, ...NO];
	return type === 'number' ? [' 7 ', minValue, maxValue].filter((each) => each !== undefined) : [];
};

/** What is beyond the limits of a field. */
const beyond = ({ typeOptions: { minValue, maxValue } = {} }: INodeProperties): unknown[] => [
	...(minValue === undefined ? [] : [minValue - 1]),
	...(maxValue === undefined ? [] : [maxValue + 1]),
];

/** JSON types of the bodies' keys in the interface; the sandbox's contract is not asked here. */
const INTEGER_KEYS =
	/^(optOutLinkId|callflow_Id|defaultCli_Id|cli_Id|answerMachineDetected|smsOnBusy|interval|attemptNumber|parameter)$/;
const FORMATS: Readonly<Record<string, RegExp>> = {
	startDateTime: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
	startDate: /^\d{4}-\d{2}-\d{2}$/,
	date: /^\d{4}-\d{2}-\d{2}$/,
	startTime: /^\d{2}:\d{2}$/,
	finishTime: /^\d{2}:\d{2}$/,
};

/** These have their own tests: they name columns, or hold a whole list. */
const RECIPIENT_FIELDS =
	/^(contactsJson|phoneNumbersJson|phoneNumberField|additionalFields\.otherFields)\b/;

/** A field of one recipient in the list of the form. */
const RECIPIENT = /^(contacts|phoneNumbers)\./;

/** Those that a user can set by an expression, and whose value is sent. */
const isTried = ({ path, field }: FieldCase) =>
	!RECIPIENT_FIELDS.test(path) &&
	field.noDataExpression !== true &&
	// Compared with the recipients, not sent: policyScreening.test.ts.
	!path.startsWith('options.doNotContact');

let service: LocalServer;
beforeAll(async () => {
	service = await startServer((request, response) => {
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify(respond(request)));
	});
});
afterAll(async () => {
	await service.close();
});

async function run(parameters: IDataObject, items: IDataObject | IDataObject[]) {
	service.received.length = 0;
	const result = await runAction({
		credential: {
			baseUrl: service.url,
			authentication: 'none',
			clientId: '1001',
			defaultCountry: 'GB',
			webhookSecret: 'correct horse',
			...credentialFor(parameters),
		},
		parameters,
		items: [items].flat(),
	});
	return { ...result, requests: [...service.received] };
}

/** Everything under a key of a body, however deep. */
function valuesUnder(key: string, body: unknown): unknown[] {
	if (typeof body !== 'object' || body === null) return [];
	return Object.entries(body).flatMap(([name, value]) => [
		...(name === key ? [value as unknown] : []),
		...valuesUnder(key, value),
	]);
}

/** Asserts the types of everything in a body. */
function expectTypes(body: unknown) {
	if (typeof body !== 'object' || body === null) return;
	for (const [key, value] of Object.entries(body)) {
		if (typeof value === 'object' || /^\d+$/.test(key)) {
			expectTypes(value);
			continue;
		}
		expect([key, typeof value]).toEqual([key, INTEGER_KEYS.test(key) ? 'number' : 'string']);
		if (FORMATS[key] !== undefined) expect(value).toMatch(FORMATS[key]);
	}
}

const isNothing = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The value that a field of this type may be sent with; undefined where it must be refused. */
function canonicalOf(
	{ type, options = [], typeOptions }: INodeProperties,
	value: unknown,
	isInteger: boolean,
) {
	const text = typeof value === 'string' ? value.trim() : value;
	if (type === 'boolean') {
		const isOneOf = (words: readonly unknown[]) => words.includes(value) || words.includes(text);
		return isOneOf(YES) ? true : isOneOf(NO) ? false : undefined;
	}
	if (type === 'options' && typeOptions?.loadOptionsMethod === undefined) {
		return options.some((entry) => 'value' in entry && entry.value === value) ? value : undefined;
	}
	if (type === 'number' || isInteger) {
		const number = typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : text;
		return Number.isSafeInteger(number) ? number : undefined;
	}
	if (typeof text === 'number')
		return Number.isSafeInteger(text) || text === 1.5 ? String(text) : undefined;
	// Half of an emoji.
	return typeof text === 'string' && !text.isWellFormed() ? undefined : text;
}

/** Whether a value is a list, or an object, that such a field may hold: whole, or as its text. */
function isListOf({ type, options = [] }: INodeProperties, value: unknown): boolean {
	if (type === 'multiOptions') {
		const names = options.map((option) => ('value' in option ? option.value : undefined));
		const chosen: unknown[] = typeof value === 'string' ? value.split(',') : [value].flat();
		return chosen.every((each) => names.includes(typeof each === 'string' ? each.trim() : ''));
	}
	const isText = type === 'json' && typeof value === 'string';
	const list: unknown = isText ? JSON.parse(value) : value;
	const isEntries = !Array.isArray(list) || list.every((each) => typeof each === 'object');
	return typeof list === 'object' && list !== null && (type === 'json' || isEntries);
}

function assertSent(test: FieldCase, value: unknown, requests: ReceivedRequest[], plain: unknown) {
	const { field } = test;
	const [request] = requests;
	const body: unknown = request?.body === '' ? undefined : JSON.parse(request?.body ?? '""');
	if (field.name !== 'payloadJson') expectTypes(body);
	const canonical = canonicalOf(field, value, INTEGER_KEYS.test(field.name));
	// Numbers without a country code are refused then, and no others.
	if (field.name === 'defaultCountry' && isNothing(value)) return;
	if (field.type === 'boolean' || field.type === 'options') {
		expect(canonical).toBeDefined();
		expect(requests.map(onTheWire)).toEqual(plain);
		return;
	}
	if (field.type === 'json' || field.type === 'fixedCollection' || field.type === 'multiOptions') {
		expect({ value, isList: isListOf(field, value) }).toEqual({ value, isList: true });
		return;
	}
	const isRecipient = RECIPIENT.test(test.path);
	const key = isRecipient && /^parameter/.test(field.name) ? 'value' : field.name;
	// The resource Phone Number stores its field as "number".
	const isStored = test.parameters.resource === 'phoneNumber';
	const inBody = valuesUnder(isStored ? 'number' : key, body);
	if (FORMATS[field.name] !== undefined) {
		expect(inBody.length).toBeGreaterThan(0);
		return;
	}
	if (isNothing(value) && isRecipient) {
		expect(inBody).not.toContain('');
		return;
	}
	if (isNothing(value)) {
		// Only what is declared clearable is sent empty.
		expect([field.name, inBody]).toEqual([expect.stringMatching(/^parameter\d$/), ['']]);
		return;
	}
	const isInQuery = /^options\.page/.test(test.path);
	const isOption = test.path.startsWith('options.');
	const isCount = ['limit', 'attemptCount', 'minutesBetween'].includes(field.name);
	if (isCount || (isOption && !isInQuery)) {
		// The keys of calls are texts.
		if (field.type === 'string') expect(canonical).toBeDefined();
		else expect(canonical).toBeGreaterThanOrEqual(0);
		return;
	}
	expect(canonical).toBeDefined();
	const url = decodeURIComponent(requests.map(({ url: sent }) => sent).join(' ')).replaceAll(
		'+',
		' ',
	);
	const isCarried =
		inBody.some((sent) => sent === canonical || sent === value) ||
		// A phone number in a cell that is a number.
		(typeof value === 'number' && inBody.includes(`+${value}`)) ||
		url.includes(String(canonical).replaceAll('+', ' '));
	const details = { value, url, body, canonical };
	expect({ isCarried, ...details }).toEqual({ isCarried: true, ...details });
}

const onTheWire = ({ method, url, body }: ReceivedRequest) => ({ method, url, body });

/** The words by which an error names a field: its own, or those of the list that it is in. */
function namesOf({ path, field }: FieldCase): string[] {
	const [collection] = path.split('.');
	const outer =
		actionType.description.properties.find(({ name }) => name === collection)?.displayName ?? '';
	const own = field.displayName.replace(/ \(.*\)$/, '');
	return RECIPIENT.test(path) ? [own, outer] : [own];
}

function assertRefused(test: FieldCase, value: unknown, { error, items }: EngineResult) {
	expect(items).toEqual([]);
	const names = namesOf(test);
	const message = error?.message ?? '';
	expect({ value, message, isNamed: names.some((name) => message.includes(name)) }).toMatchObject({
		isNamed: true,
	});
	expect(message.length).toBeLessThanOrEqual(80);
	expect(error?.description).toMatch(/\w/);
}

/** Asserts that the error of a number beyond a limit says what the limit is. */
function assertLimitTold(
	{ typeOptions: { minValue, maxValue } = {} }: INodeProperties,
	value: unknown,
	{ error }: EngineResult,
) {
	const isLow = minValue !== undefined && Number(value) < minValue;
	expect(error?.description).toContain(
		isLow ? `Use ${minValue} or more.` : `Use ${maxValue} or less.`,
	);
}

/** It makes no request, and a number that it cannot read is no error. */
const CHECK = { resource: 'phoneNumber', operation: 'check' };

/** All input items become one campaign. */
const FROM_ITEMS = { contactsSource: 'inputItems', phoneNumbersSource: 'inputItems' };

describe('an error of what a user fills in or adds names that, and nothing else', () => {
	const wholes = [...pairs, CHECK].flatMap((pair) =>
		wholesOf(pair)
			.filter(({ path }) => pair !== CHECK || path !== 'phoneNumber')
			.filter(({ field }) => field.noDataExpression !== true && field.type !== 'collection')
			.map((test) => ({ ...pair, ...test, label: test.field.displayName })),
	);
	const EXPRESSION = '={{ $json.value }}';
	const given = ({ field }: FieldCase) => {
		const [group] = (field.type === 'fixedCollection' ? field.options : undefined) ?? [];
		if (group === undefined || !('values' in group)) {
			return field.type === 'resourceLocator' ? locator(EXPRESSION) : EXPRESSION;
		}
		const cells = group.values.map(({ name }) => [name, EXPRESSION]);
		return { [group.name]: [Object.fromEntries(cells)] };
	};
	const begins = (label: string) =>
		new RegExp(`^${escapeRegExp(label)} (is|has|must|cannot|names) `);

	// n8n drops a list that is an expression as a whole; its cells are tested below.
	const fields = wholes.filter(({ field }) => field.type !== 'fixedCollection');

	it.each(fields)('$resource $operation: $label ($path)', async ({ label, ...test }) => {
		for (const value of [undefined, test.field.type === 'json' ? 'x' : { a: 1 }]) {
			const item = { value } as IDataObject;
			const { error, items, requests } = await run(withValue(test, given(test)), item);
			// A row without a country has that of the credential.
			if (value === undefined && test.field.name === 'defaultCountry') continue;
			// Phone Number: Check says it beside the number.
			const text = error?.message ?? items[0]?.json.reason;
			expect([value, text]).toEqual([value, expect.stringMatching(begins(label))]);
			expect(requests).toEqual([]);
		}
	});

	/** What all input items have in common, where they become one request. */
	const shared = wholes.filter(
		({ path, parameters: { contactsSource, phoneNumbersSource } }) =>
			[contactsSource, phoneNumbersSource].some((source) => source !== undefined) &&
			!/^(contacts|phoneNumbers)(Json)?$/.test(path),
	);

	it.each(shared)('of $resource $operation, where items differ: $label ($path)', async (test) => {
		const before = { ...test, parameters: { ...test.parameters, ...FROM_ITEMS } };
		const items = ['1', '2'].map((value) => ({ value, phoneNumber: `+44770090012${value}` }));
		const { error } = await run(withValue(before, given(test)), items);
		expect(error?.message).toBe(`${test.label} must be the same for all input items`);
	});
});

const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe('the example that a field shows can be entered', () => {
	/** An operation with the examples of all fields that it asks for. */
	const filledIn = ({ parameters }: FieldCase): IDataObject => {
		const shown = casesOf(parameters)
			.filter(({ path }) => path in parameters && !/^(phoneN|n)umber/.test(path))
			.map((test) => [test.path, entered(test.field, exampleOf(test.field))] as const)
			.filter(([, value]) => value !== undefined);
		return { ...parameters, ...Object.fromEntries(shown) };
	};
	const entered = ({ type }: INodeProperties, example: string | undefined) =>
		type === 'resourceLocator' && example !== undefined ? locator(example) : example;
	/** What only the service would refuse, by the names of fields or lists. */
	const FORMS: Readonly<Record<string, RegExp>> = {
		searchSmsMessages: GUID,
		searchSmsCampaigns: GUID,
		searchVoiceCampaigns: /^\d+$/,
		trackLinkUrl: /^https:\/\/[\w.]+\//,
		webHookUrl: /^https:\/\/[\w.]+\//,
	};
	const NUMBER = '+447700900123';
	const cellOf = (field: INodeProperties) =>
		({ phoneNumberField: NUMBER, contactGroupId: sampleOf(field) })[field.name] ?? 'Ann';
	const examples = [...pairs, CHECK].flatMap((pair) =>
		casesOf(pair).flatMap((test) => {
			const example = exampleOf(test.field);
			return example === undefined ? [] : [{ ...pair, ...test, example }];
		}),
	);

	it('and is one wherever a field shows something', () => {
		const shown = pairs.flatMap(casesOf).filter(({ field }) => field.placeholder !== undefined);
		expect(shown.length).toBeGreaterThan(80);
		expect(shown.filter(({ field }) => exampleOf(field) === undefined)).toEqual([]);
	});

	it.each(examples)('$resource $operation: $path', async ({ example, ...test }) => {
		const { field } = test;
		const isColumn = field.requiresDataPath !== undefined;
		const item = { phoneNumber: NUMBER, ...(isColumn && { [example]: cellOf(field) }) };
		const changes = isColumn ? FROM_ITEMS : {};
		const before = { ...test, parameters: { ...filledIn(test), ...changes } };
		const plain = await run(before.parameters, item);
		const result = await run(withValue(before, entered(field, example)), item);
		const { error, requests, hints, items } = result;
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.valid)).not.toContain(false);
		// The only recipient is left out.
		const isLeftOut = field.name === 'doNotContactNumbers' && example.includes(NUMBER);
		expect(requests).toHaveLength(isLeftOut ? 0 : plain.requests.length);
		if (isLeftOut) return;
		expect(hints).toEqual(plain.hints);
		const form = FORMS[field.modes?.[0]?.typeOptions?.searchListMethod ?? field.name];
		if (form !== undefined) expect(example).toMatch(form);
	});
});

describe.each(pairs.map((pair) => [`${pair.resource} ${pair.operation}`, pair] as const))(
	'%s',
	(_, pair) => {
		const cases = casesOf(pair).filter(isTried);
		const requestCount = requestCountOf(pair);

		it('can be run with the values of this test', async () => {
			const { error, requests } = await run(validParameters(pair), {});
			expect(error).toBeUndefined();
			expect(requests).toHaveLength(requestCount);
		});

		if (cases.length === 0) return;
		it.each(cases.map((test, index) => [test.path, test, index] as const))(
			'%s',
			async (path, test, index) => {
				const { field } = test;
				const isLocator = field.type === 'resourceLocator';
				const plain = new Map<unknown, unknown>();
				const having = (value: unknown) => withValue(test, isLocator ? locator(value) : value);
				const sample = isLocator ? '7' : sampleOf(field);
				let sent = 0;
				const [taken, refused] = [takenBy(field), beyond(field)];
				for (const value of [...someOf(POOL, index, 20), ...taken, ...refused, sample]) {
					const isMenu = field.type === 'boolean' || field.type === 'options';
					const canonical = canonicalOf(field, value, false);
					if (isMenu && canonical !== undefined && !plain.has(canonical)) {
						const { requests } = await run(having(canonical), {});
						plain.set(canonical, requests.map(onTheWire));
					}
					const result = await run(having('={{ $json.value }}'), { value } as IDataObject);
					if (result.error !== undefined) {
						expect(taken).not.toContain(value);
						expect(result.requests).toEqual([]);
						assertRefused(test, value, result);
						if (refused.includes(value)) assertLimitTold(field, value, result);
						continue;
					}
					expect(refused).not.toContain(value);
					sent++;
					const isDry = field.name === 'dryRun' && canonical === true;
					expect(result.requests).toHaveLength(isDry ? 0 : requestCount);
					if (isDry) expect(result.items[0]?.json.dryRun).toBe(true);
					else assertSent(test, value, result.requests, plain.get(canonical));
				}
				expect([path, sent > 0]).toEqual([path, true]);
			},
		);
	},
);
