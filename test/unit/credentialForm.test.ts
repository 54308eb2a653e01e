import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { countryOptions } from '../../nodes/MessagingService/numbers/countries';
import { regions } from '../../nodes/MessagingService/numbers/plans';
import { allowedCountries } from '../../nodes/MessagingService/policy/rules/allowedCountries';
import { Recipient } from '../../nodes/MessagingService/policy/rules/rule';

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

test('it has one heading, and none has the name of a field', () => {
	const headings = properties.filter(({ type }) => type === 'notice');
	const names = properties.filter(({ type }) => type !== 'notice').map((each) => each.displayName);
	expect(headings).toHaveLength(1);
	for (const { displayName } of headings) expect(names).not.toContain(displayName);
});

test.each(['onlyTheseNumbers', 'allowedCountries', 'blockedNumberTypes', 'allowedSenders'])(
	'%s says what an empty field means',
	(name) => {
		expect(field(name)?.hint).toMatch(/^Empty: /);
	},
);

test('its countries are those with a numbering plan, by their names', () => {
	const codes = countryOptions().map(({ value }) => value);
	expect([...codes].sort()).toEqual(regions());
	for (const name of ['defaultCountry', 'allowedCountries']) {
		expect(field(name)?.options).toEqual(expect.arrayContaining(countryOptions()));
	}
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
