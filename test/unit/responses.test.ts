import { outputOf } from '../../nodes/MessagingService/resources/shared/responses';

const KNOWN = { id: '5' };

test('an object is the output as received', () => {
	expect(outputOf({ id: 6, more: [1] }, KNOWN)).toEqual({ id: 6, more: [1] });
});

test.each([['text'], [0], [false], [[{ id: 6 }]]])(
	'%j comes as response beside what is known',
	(answer) => {
		expect(outputOf(answer, KNOWN)).toEqual({ id: '5', response: answer });
	},
);

test.each([[undefined], [null], [''], [{}]])('nothing (%j) means success', (answer) => {
	expect(outputOf(answer, KNOWN)).toEqual({ id: '5', success: true });
});
