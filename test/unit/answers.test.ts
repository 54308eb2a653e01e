import { answerOf } from '../../nodes/MessagingService/resources/shared/answers';

const KNOWN = { id: '5' };

test('an object is the output as received', () => {
	expect(answerOf({ id: 6, more: [1] }, KNOWN)).toEqual({ id: 6, more: [1] });
	expect(answerOf({}, KNOWN)).toEqual({});
});

test.each([['text'], [0], [false], [[{ id: 6 }]]])(
	'%j comes as response beside what is known',
	(answer) => {
		expect(answerOf(answer, KNOWN)).toEqual({ id: '5', response: answer });
	},
);

test.each([[undefined], [null], ['']])('nothing (%j) means success', (answer) => {
	expect(answerOf(answer, KNOWN)).toEqual({ id: '5', success: true });
});
