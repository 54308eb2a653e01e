import fc from 'fast-check';
import {
	readItem,
	readNumber,
	readParameters,
	withoutEmptyParameters,
} from '../../nodes/MessagingService/resources/phoneNumberStorage/item';
import { InputError } from '../../nodes/MessagingService/resources/shared/inputError';
import { callWith } from './support/call';
import { thrown } from './support/thrown';

test('an item has its ID, its number, and the parameters that were added, all as texts', () => {
	const call = callWith({
		parameters: {
			storageID: ' customer-1 ',
			number: 447700900123,
			parameters: { parameter1: 'Monday', parameter3: 7, parameter9: '' },
		},
	});
	expect(readItem(call)).toEqual({
		storageID: 'customer-1',
		number: '447700900123',
		parameter1: 'Monday',
		parameter3: '7',
		parameter9: '',
	});
});

test('an item without parameters has none', () => {
	const call = callWith({
		parameters: { storageID: '1', number: '+447700900123', parameters: {} },
	});
	expect(readItem(call)).toEqual({ storageID: '1', number: '+447700900123' });
});

test('an item needs an ID', () => {
	const call = callWith({ parameters: { storageID: ' ', number: '1' } });
	expect(() => readItem(call)).toThrow(/^Storage ID is empty$/);
});

test.each([
	['', 'Phone Number is empty'],
	[undefined, 'Phone Number is empty'],
	['4.47701E+11', 'Phone Number is in exponent form'],
	[4.5, 'Phone Number is a number that has lost digits'],
])('the number %j is refused', (value, message) => {
	const error = thrown(() => readNumber(value));
	expect(error).toBeInstanceOf(InputError);
	expect(error).toMatchObject({
		message: expect.stringContaining(message),
		description: 'Nothing was stored for this item.',
	});
});

test('a parameter that is no text is refused by its name', () => {
	expect(() => readParameters({ parameter1: 'a', parameter4: { b: 1 } })).toThrow(
		/^Parameter 4 is neither text nor a number$/,
	);
	expect(readParameters({ parameter1: null, parameter2: true, parameter3: 0 })).toEqual({
		parameter1: '',
		parameter2: 'true',
		parameter3: '0',
	});
});

test('simplified, an item loses its empty parameters and nothing else', () => {
	const names = Array.from({ length: 12 }, (_, index) => `parameter${index}`);
	const value = fc.constantFrom('', null, 'text', 0, false);
	const item = fc.dictionary(fc.constantFrom('storageID', 'number', 'other', ...names), value);
	fc.assert(
		fc.property(item, (record) => {
			const kept = Object.entries(record).filter(
				([name, content]) =>
					!(/^parameter[1-9]$/.test(name) && (content === '' || content === null)),
			);
			expect(withoutEmptyParameters(record)).toEqual(Object.fromEntries(kept));
		}),
	);
});
