import type { IDataObject } from 'n8n-workflow';
import { actionSuite, createCampaign } from '../support/actionSuite';

const { bodies, run } = actionSuite();

/** Names that every object has, or that change what it is. */
const NAMES = [
	...['constructor', 'constructor.name', '__proto__', '__proto__.constructor.name', 'prototype'],
	...['toString', 'hasOwnProperty', 'valueOf', '["__proto__"]', 'constructor["prototype"]'],
];

const item = JSON.parse(
	'{"phoneNumber":"+447700900123","__proto__":{"polluted":"1","name":"P"},"nested":{"a":1}}',
) as IDataObject;

const campaign = {
	...createCampaign,
	...{ contactsSource: 'inputItems', phoneNumberField: 'phoneNumber' },
};

afterEach(() => {
	expect(Object.keys(Object.prototype)).toEqual([]);
	expect(({} as IDataObject).polluted).toBeUndefined();
});

describe.each(NAMES)('the field name %s', (name) => {
	it('of a contact reads nothing that every object has', async () => {
		const otherFields = { name, custom1: `nested.${name}`, custom2: 'nested.a' };
		const { error } = await run(
			{ ...campaign, additionalFields: { otherFields } },
			{ items: [item] },
		);
		const [body] = (await bodies('createSmsCampaign')) as { contacts: IDataObject[] }[];
		// Where the item has such a field of its own, its value is no text: then the row is refused.
		if (error !== undefined)
			expect(error.message).toMatch(/include 1 invalid|unknown field|which is no input field/);
		else expect(body?.contacts).toEqual([{ phoneNumber: '+447700900123', custom2: '1' }]);
	});

	it('of the phone number is a field that no item has, or no number', async () => {
		const { error, requests } = await run(
			{ ...campaign, phoneNumberField: name },
			{ items: [item] },
		);
		expect(error?.message).toMatch(/ names ".*", which is no input field|include 1 invalid/);
		expect(requests).toEqual([]);
	});

	it('as name of a filter or sort parameter is sent as it is, or refused', async () => {
		const entry = {
			parameter: [
				{ name, value: 'x' },
				{ name: 'other', value: 'y' },
			],
		};
		for (const parameters of [{ filters: entry }, { sorting: entry }]) {
			const list = { resource: 'smsCampaign', operation: 'getAll', ...parameters };
			const { error, requests } = await run(list);
			if (requests.length === 0) {
				expect(error?.message).toMatch(
					new RegExp(`^Name of (Filter|Sort Parameter) 1 cannot be "${name}"$`),
				);
				continue;
			}
			const query = new URL(requests[0]?.url ?? '', 'http://x').searchParams;
			expect([query.get(name), query.get('other')]).toEqual(['x', 'y']);
			// The sandbox knows no such parameters, and says so.
			expect(error?.message).toMatch(/is not known/);
		}
	});

	it('in recipients as JSON is refused', async () => {
		const contact = JSON.stringify({ phoneNumber: '+447700900123', name: 'Ada' });
		const contactsJson = `[${contact.replace('{', `{${JSON.stringify(name)}:{"polluted":"1"},`)}]`;
		const { error, requests } = await run({ ...campaign, contactsSource: 'json', contactsJson });
		expect(error?.message).toMatch(/^Contacts \(JSON\) has an unknown field/);
		expect(requests).toEqual([]);
	});
});

it('extra keys of an expression for Other Fields name nothing', async () => {
	const otherFields = JSON.parse(
		'{"__proto__":"nested","constructor":"nested","name":"nested.a"}',
	) as IDataObject;
	const { error } = await run(
		{ ...campaign, additionalFields: { otherFields } },
		{ items: [item] },
	);
	expect(error).toBeUndefined();
	const [body] = (await bodies('createSmsCampaign')) as { contacts: IDataObject[] }[];
	expect(body?.contacts).toEqual([{ phoneNumber: '+447700900123', name: '1' }]);
});
