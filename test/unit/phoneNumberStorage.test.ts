import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	readItem,
	withoutEmptyParameters,
} from '../../nodes/MessagingService/resources/phoneNumberStorage/item';
import { InputError } from '../../nodes/MessagingService/parameters/inputError';
import { callWith } from './support/call';
import { thrown } from './support/thrown';
import { runs } from '../support/runs';

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
	['4.47701E+11', 'Phone Number is in exponent form and has lost digits (4.47701E+11)'],
	[447700900123.5, 'Phone Number is a decimal number (447700900123.5)'],
])('the number %j is refused', (value, message) => {
	const call = callWith({ parameters: { storageID: '1', number: value as string } });
	const error = thrown(() => readItem(call));
	expect(error).toBeInstanceOf(InputError);
	expect(error).toMatchObject({
		message,
		field: 'Phone Number',
		description: expect.stringMatching(/\w/),
	});
});

const itemWith = (parameters: IDataObject) =>
	readItem(callWith({ parameters: { storageID: '1', number: '+447700900123', parameters } }));

test.each([[{ b: 1 }], [true], [['a']]])('the parameter %j is refused by its name', (value) => {
	const parameters = { parameter1: 'a', parameter4: value } as IDataObject;
	expect(() => itemWith(parameters)).toThrow(/^Parameter 4 is neither text nor a number$/);
});

test('an empty parameter is sent empty, which clears it', () => {
	expect(itemWith({ parameter1: ' ', parameter2: '', parameter3: 0 })).toMatchObject({
		parameter1: '',
		parameter2: '',
		parameter3: '0',
	});
});

test.each([null, undefined])('an expression that gives %j clears nothing', (parameter1) => {
	expect(() => itemWith({ parameter1 } as never)).toThrow('Parameter 1 is empty');
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
		{ numRuns: runs(100) },
	);
});
