import { actionSuite } from '../support/actionSuite';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const { bodies, run, sandbox } = actionSuite();

const send = {
	resource: 'smsMessage',
	operation: 'send',
	phoneNumber: '={{ $json.phone }}',
	message: '=Hello {{ $json.name }}',
	sender: 'Shop',
};

describe('smsMessage send', () => {
	it('sends one message per input item and outputs its GUID, in order', async () => {
		const people = Array.from({ length: 25 }, (_, index) => ({
			phone: `+4477009001${String(index).padStart(2, '0')}`,
			name: `Person ${index}`,
		}));
		const { items, error } = await run(send, { items: people });

		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(people.map((_, item) => ({ item })));
		for (const { json } of items) expect(json.newId).toMatch(GUID);
		expect(new Set(items.map(({ json }) => json.newId)).size).toBe(people.length);
		const sent = (await bodies('sendSmsMessage')) as { phoneNumber: string }[];
		expect(sent).toHaveLength(people.length);
		expect(sent).toContainEqual({
			phoneNumber: '+447700900107',
			message: 'Hello Person 7',
			sender: 'Shop',
		});
	});

	it('turns a spreadsheet number into its digits', async () => {
		const { items } = await run(send, { items: [{ phone: 447700900123, name: 'Ada' }] });
		expect(items).toHaveLength(1);
		expect(await bodies('sendSmsMessage')).toEqual([
			expect.objectContaining({ phoneNumber: '447700900123' }),
		]);
	});

	it.each([
		[4.47700900123e22, 'lost digits'],
		['4.477009E+11', 'exponent form'],
		['', 'is empty'],
		[null, 'is empty'],
	])('refuses the damaged number %p before anything is sent', async (phone, problem) => {
		const { error } = await run(send, { items: [{ phone, name: 'Ada' }] });
		expect(error?.message).toMatch(/^Phone Number /);
		expect(error?.message).toContain(problem);
		expect(error?.context?.itemIndex).toBe(0);
		expect((await sandbox().summary()).smsMessages).toBe(0);
	});

	it.each(['message', 'sender'])('refuses an empty %s', async (field) => {
		const { error } = await run(
			{ ...send, phoneNumber: '+447700900123', [field]: ' ' },
			{ items: [{ name: '' }] },
		);
		expect(error?.message).toMatch(/^(Message|Sender) is empty$/);
		expect((await sandbox().summary()).smsMessages).toBe(0);
	});

	it('sends the good items out of the success branch and the bad ones out of the error branch', async () => {
		const items = [
			{ phone: '+447700900100', name: 'A' },
			{ phone: '', name: 'B' },
			{ phone: '+447700900102', name: 'C' },
		];
		const result = await run(send, { items, onError: 'continueErrorOutput' });

		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(result.errorItems).toHaveLength(1);
		expect(result.errorItems[0]).toMatchObject({
			json: { error: 'Phone Number is empty' },
			pairedItem: { item: 1 },
		});
		expect(result.errorItems[0]?.error?.context).toMatchObject({ itemIndex: 1 });
		expect((await sandbox().summary()).smsMessages).toBe(2);
	});

	it('puts the error into the regular output when the node continues there', async () => {
		const items = [
			{ phone: 1e30, name: 'A' },
			{ phone: '+447700900102', name: 'B' },
		];
		const result = await run(send, { items, onError: 'continueRegularOutput' });
		expect(result.items).toHaveLength(2);
		expect(result.items[0]?.json.error).toMatch(/lost digits/);
		expect(result.items[1]?.json.newId).toMatch(GUID);
	});
});
