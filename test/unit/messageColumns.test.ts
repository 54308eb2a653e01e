import {
	messageColumns,
	type MessageOutcome,
} from '../../nodes/MessagingService/resources/shared/outcomes';

const PRICE = { pricePerPart: 0.05, currency: 'EUR' };
const message = 'a'.repeat(161);
const phoneNumber = '+447700900123';

test.each<[string, MessageOutcome, object]>([
	[
		'one that was sent has its text and its price; its ID comes from the service',
		{ phoneNumber, message, sent: 'yes', reason: 'OK' },
		{ phoneNumber, message, sent: 'yes', reason: 'OK', estimatedCost: 0.1, parts: 2 },
	],
	[
		'one that was possibly sent has no ID',
		{ phoneNumber, message, sent: 'possibly', reason: 'Cut' },
		{
			...{ phoneNumber, message, sent: 'possibly', reason: 'Cut', estimatedCost: 0.1, parts: 2 },
			newId: null,
		},
	],
	[
		'one that was not sent costs nothing',
		{ phoneNumber, message, sent: 'no', reason: 'Left out', isFree: true },
		{
			...{ phoneNumber, message, sent: 'no', reason: 'Left out', estimatedCost: 0, parts: 2 },
			newId: null,
		},
	],
	[
		'one without number and text says so by empty columns',
		{ phoneNumber: undefined, message: 7, sent: 'no', reason: 'Invalid' },
		{ phoneNumber: '', sent: 'no', reason: 'Invalid', estimatedCost: 0, parts: 0, newId: null },
	],
])('the columns of a message: %s', (_, outcome, columns) => {
	expect(messageColumns(PRICE, outcome)).toStrictEqual({ ...columns, currency: 'EUR' });
});
