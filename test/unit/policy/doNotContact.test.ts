import type { IDataObject } from 'n8n-workflow';
import { readDoNotContact } from '../../../nodes/MessagingService/recipients/doNotContact';
import { callWith } from '../support/call';

const STORED = 12_000;
const number = (index: number) => `+4474002${String(10_000 + index)}`;

/** A call of a node, and the pages that it asked for. */
function callOf(execution: object, value: string, fail = false) {
	const asked: string[] = [];
	const call = callWith({
		parameters: {
			options: { doNotContactStored: { match: [{ parameter: 'parameter3', value }] } },
		},
	});
	Object.assign(call.context, { getContext: () => execution });
	call.client.page = async ({ path }) => {
		asked.push(path);
		if (fail) throw new Error('No response');
		const [size = 0, index = 0] = path.split('/').slice(-2).map(Number);
		const items = Array.from({ length: STORED }, (_, position): IDataObject => ({
			storageID: `s${position}`,
			number: number(position),
			parameter3: position % 1000 === 999 ? 'Out' : null,
		})).slice((index - 1) * size, index * size);
		return await Promise.resolve({
			items,
			pageIndex: index,
			totalPages: Math.ceil(STORED / size),
			totalRecords: STORED,
		});
	};
	return { call, asked };
}

describe('stored numbers that must not be contacted', () => {
	it('are read from all pages, once per execution and value', async () => {
		const execution = {};
		const { call, asked } = callOf(execution, 'OUT ');
		const [first, second] = await Promise.all([readDoNotContact(call), readDoNotContact(call)]);
		expect(asked).toHaveLength(4);
		for (const isBlocked of [first, second]) {
			expect(isBlocked?.(number(11_999))).toMatch(/must not be contacted/);
			expect(isBlocked?.(number(999).replace('+', '00'))).toMatch(/must not be contacted/);
			expect(isBlocked?.(number(11_998))).toBeUndefined();
		}
		const other = callOf(execution, 'no');
		expect((await readDoNotContact(other.call))?.(number(999))).toBeUndefined();
		expect(other.asked).toHaveLength(4);
		const later = callOf({}, 'out');
		await readDoNotContact(later.call);
		expect(later.asked).toHaveLength(4);
	});

	it('are refused where an expression finds nothing, which would leave nobody out', async () => {
		for (const nothing of [undefined, null]) {
			const { call, asked } = callOf({}, nothing as unknown as string);
			await expect(readDoNotContact(call)).rejects.toThrow(/^Value of .* is empty$/);
			expect(asked).toEqual([]);
			const numbers = callWith({ parameters: { options: { doNotContactNumbers: nothing } } });
			await expect(readDoNotContact(numbers)).rejects.toThrow(/is empty$/);
		}
		const nobody = callWith({ parameters: { options: { doNotContactNumbers: '' } } });
		expect(await readDoNotContact(nobody)).toBeUndefined();
	});

	it('are read again after a failure', async () => {
		const execution = {};
		await expect(readDoNotContact(callOf(execution, 'out', true).call)).rejects.toThrow();
		const { call, asked } = callOf(execution, 'out');
		expect((await readDoNotContact(call))?.(number(999))).toBeDefined();
		expect(asked).toHaveLength(4);
	});

	it('need a value: an empty one would leave out whoever has none', async () => {
		await expect(readDoNotContact(callOf({}, ' ').call)).rejects.toThrow(/is empty/);
	});
});
