import { getCountries } from 'libphonenumber-js/max';
import { difference, omit } from 'lodash';
import type { ICredentialType, INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { Failure } from '../../nodes/MessagingService/failure';
import { allowedCountries } from '../../nodes/MessagingService/policy/rules/allowedCountries';
import { policyFields, readPolicy } from '../../nodes/MessagingService/policy/policy';
import { Recipient } from '../../nodes/MessagingService/policy/rules/rule';
import { isTimeZone } from '../../nodes/MessagingService/times';
import { authenticate } from '../../nodes/MessagingService/transport/authentication';
import { loginRequestOf } from '../../nodes/MessagingService/transport/loginRequest';
import { readLimits, readSettings } from '../../nodes/MessagingService/transport/settings';
import { exampleOf } from '../support/everyOperation';

const { properties } = new MessagingServiceApi();
const place = (name: string) => properties.findIndex((field) => field.name === name);
const field = (name: string) => properties[place(name)];

test("the credential asks in a person's order", () => {
	const order = [
		...['baseUrl', 'authentication', 'clientId', 'defaultCountry', 'pricePerPart', 'currency'],
		...['sendingPolicy', 'onlyTheseNumbers', 'allowedCountries', 'sendingHoursFrom'],
		...['doNotContactParameter', 'pauseSending', 'webhookSecret', 'timeout'],
		'serviceConventions',
	];
	const places = order.map(place);
	expect(places).not.toContain(-1);
	expect(places).toEqual([...places].sort((a, b) => a - b));
});

// n8n 1 lets every node use every credential: what signs there is the `authenticate` of its class.
test('no other node of n8n gets its key, or sends around the policy', () => {
	const type: ICredentialType = new MessagingServiceApi();
	expect([type.authenticate, type.preAuthentication, type.extends]).toEqual([
		undefined,
		undefined,
		undefined,
	]);
	expect(type.restrictToSupportedNodes).toBe(true);
});

test('it has one heading, and none has the name of a field', () => {
	const headings = properties.filter(({ type }) => type === 'notice');
	const names = properties.filter(({ type }) => type !== 'notice').map((each) => each.displayName);
	expect(headings).toHaveLength(1);
	for (const { displayName } of headings) expect(names).not.toContain(displayName);
});

/** What n8n shows in a new credential without authentication, after this change. */
const shownAfter = (change: INodeParameters) => {
	const initial = properties.map(({ name, default: value }) => [name, value] as const);
	const values = { ...Object.fromEntries(initial), authentication: 'none', ...change };
	return properties
		.filter((each) => NodeHelpers.displayParameter(values as INodeParameters, each, null, null))
		.map(({ displayName }) => displayName);
};
const CLIENT = ['OAuth Client ID', 'OAuth Client Secret', 'Scope', 'Client Credentials In'];
const LOGIN = { authentication: 'accessToken' };
const RULES = policyFields.slice(1).map(({ displayName }) => displayName);
const SHOWN: [change: INodeParameters, shown: string[]][] = [
	[{ authentication: 'none' }, []],
	[{ authentication: 'header' }, ['Header Name', 'Header Value']],
	[{ authentication: 'basicAuth' }, ['User Name', 'Password']],
	[{ authentication: 'bearer' }, ['Token']],
	[{ authentication: 'customJson' }, ['JSON']],
	[{ authentication: 'query' }, ['Parameter Name', 'Parameter Value']],
	[{ ...LOGIN, loginWith: 'clientCredentials' }, ['Token URL', 'Log In With', ...CLIENT]],
	[
		{ ...LOGIN, loginWith: 'password' },
		['Token URL', 'Log In With', 'User Name', 'Password', ...CLIENT],
	],
	[{ ...LOGIN, loginWith: 'json' }, ['Token URL', 'Log In With', 'Login JSON', 'Token Field']],
	[
		{ serviceConventions: true },
		['Page Index Parameter', 'Page Size Parameter', 'Send Client ID In', 'Service Time Zone'],
	],
	[{ sendingPolicy: true }, RULES.filter((rule) => rule !== 'Do Not Contact: Value')],
	[{ sendingPolicy: true, doNotContactParameter: 'parameter2' }, RULES],
];
test.each(SHOWN)('with %j it asks for what belongs to that, and nothing else', (change, shown) => {
	const [before, after] = [shownAfter({}), shownAfter(change)];
	expect(difference(after, before)).toEqual(shown);
	expect(difference(before, after)).toEqual([]);
});

test.each(['authentication', 'loginWith'])(
	'of each choice of %s it is known which fields it shows',
	(name) => {
		const tested = SHOWN.flatMap(([change]) => change[name] ?? []);
		const values = field(name)?.options?.map((option) => 'value' in option && option.value);
		expect([...new Set(tested)].sort()).toEqual(values?.sort());
	},
);

test.each(['onlyTheseNumbers', 'allowedCountries', 'blockedNumberTypes', 'allowedSenders'])(
	'%s says what an empty field means',
	(name) => {
		expect(field(name)?.hint).toMatch(/^Empty: /);
	},
);

test.each(['defaultCountry', 'allowedCountries'])('%s offers all countries by name', (name) => {
	const options = (field(name)?.options ?? []) as INodePropertyOptions[];
	const codes = options.map(({ value }) => value).filter((value) => value !== '');
	expect(codes.sort()).toEqual(getCountries().sort());
	expect(options).toContainEqual({ name: 'United Kingdom', value: 'GB' });
});

test.each([
	['a selection', ['GB', 'IE']],
	['a text', 'gb, ie'],
])('Allowed Countries takes %s', (_what, value) => {
	const judge = allowedCountries.read({ allowedCountries: value }).ofRecipients?.([], 'UTC');
	const [british, french] = ['+447400123456', '+33612345678'].map((number) =>
		judge?.(new Recipient(number)),
	);
	expect([british, french?.code]).toEqual([undefined, 'allowedCountries']);
});

test.each([[[]], [''], [undefined]])('Allowed Countries without any (%j) allows all', (value) => {
	expect(allowedCountries.read({ allowedCountries: value } as never)).toEqual({});
});

/** What requests and the policy make of a credential: what each rule looks at, or what is wrong. */
function readingOf(data: Record<string, unknown>) {
	const credential = data as never;
	const policy = readPolicy(credential);
	return {
		...{ ...readLimits(credential), ...readSettings(credential) },
		policy: policy instanceof Failure ? policy.message : policy?.map((rule) => Object.keys(rule)),
	};
}

const filled = {
	...Object.fromEntries(properties.map(({ name, default: initial }) => [name, initial])),
	...{ baseUrl: 'https://service.example.com', sendingPolicy: true, serviceConventions: true },
};
const fields = properties.filter(({ type, name }) => type !== 'notice' && name !== 'baseUrl');

// It was saved before the field was made.
test.each(fields.map(({ name, default: initial }) => [name, initial]))(
	'a credential without %s is read as one with its default',
	(name, initial) => {
		const expected = readingOf({ ...filled, [String(name)]: initial });
		expect(readingOf(omit(filled, String(name)))).toEqual(expected);
	},
);

const texts = fields.filter(({ type, default: initial }) => type === 'string' && initial !== '');
test.each(texts.map(({ name, default: initial }) => [name, initial]))(
	'a credential whose %s was emptied is read as one with its default, %j',
	(name, initial) => {
		const expected = readingOf({ ...filled, [String(name)]: initial });
		for (const blank of ['', ' ']) {
			expect(readingOf({ ...filled, [String(name)]: blank })).toEqual(expected);
		}
	},
);

const examples = properties.flatMap((each) => {
	const example = exampleOf(each);
	return example === undefined ? [] : [[each.name, example] as const];
});
test.each(examples)('%s takes the example that it shows: %s', (name, example) => {
	const login = { loginWith: 'json', tokenUrl: '/token', loginJson: '{}', doNotContactValue: 'x' };
	const data = { ...filled, ...login, doNotContactParameter: 'parameter1', [name]: example };
	// What is wrong with the policy is a text.
	expect(readingOf(data).policy).toEqual(expect.any(Array));
	const [request, signed] = [{ url: '' }, { ...data, authentication: 'customJson' }];
	expect(loginRequestOf(data, filled.baseUrl).url).toMatch(/^https:/);
	if (name === 'secretJson')
		expect(authenticate(signed, request)).toMatchObject(JSON.parse(example));
	if (name === 'serviceTimeZone') expect(isTimeZone(example)).toBe(true);
});

/** Values that people copy with the blanks around them. */
const COPIED: Record<string, unknown> = {
	...{ baseUrl: 'https://service.example.com', clientId: '1001', defaultCountry: 'GB' },
	...{ currency: 'EUR', pageIndexParameter: 'page', pageSizeParameter: 'limit' },
	...{ serviceTimeZone: 'Europe/London', clientIdPlace: 'path', allowedCountries: 'GB' },
	...{ sendingHoursFrom: '09:00', sendingHoursTo: '20:00', allowedSenders: 'Shop' },
	...{ onlyTheseNumbers: '+447400123456', requestsPerSecond: '5', concurrentRequests: '2' },
	...{ timeout: '7', pricePerPart: '0.05', maxRecipients: '3' },
};
test.each(Object.entries(COPIED))('%s is read without the blanks around %j', (name, value) => {
	const expected = readingOf({ ...filled, [name]: value });
	expect(readingOf({ ...filled, [name]: ` ${String(value)}\n` })).toEqual(expected);
	if (name !== 'baseUrl') expect(expected).not.toEqual(readingOf(filled));
});

// A price that is none is left out.
const ranges = fields.flatMap(({ name, typeOptions: { minValue, maxValue } = {} }) =>
	minValue === undefined || name === 'pricePerPart' ? [] : [[name, minValue, maxValue] as const],
);
test.each(ranges)('%s takes numbers from %d to %p, and no others', (name, min, max) => {
	const isRead = (value: unknown) => {
		try {
			return Array.isArray(readingOf({ ...filled, [name]: value }).policy);
		} catch {
			return false;
		}
	};
	const asWritten = (value: number) => [value, String(value)].map(isRead);
	expect(asWritten(min)).toEqual([true, true]);
	expect(asWritten(min - 0.01)).toEqual([false, false]);
	expect(asWritten(max ?? 1e6)).toEqual([true, true]);
	expect(asWritten(max === undefined ? Infinity : max + 1)).toEqual([false, false]);
});

// An expression that gives nothing would lift a limit.
test.each([
	['requestsPerSecond', 'Requests per Second'],
	['concurrentRequests', 'Max Concurrent Requests'],
	['timeout', 'Timeout (Seconds)'],
])('%s is refused where it is no number', (name, label) => {
	const nothing = ['', ' ', '\n', null, NaN, [], {}];
	for (const value of [...nothing, true, [5], 'unlimited', '5 per second', '1,5', '--1']) {
		expect(() => readingOf({ ...filled, [name]: value })).toThrow(
			`${label} of the credential is invalid`,
		);
	}
});

test.each(['', ' ', null, 'free', '0,05', 0, -1, NaN, {}])(
	'a price of %j is none: no cost is estimated',
	(pricePerPart) => {
		expect(readingOf({ ...filled, pricePerPart }).pricePerPart).toBeUndefined();
	},
);
