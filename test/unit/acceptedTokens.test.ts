import { isAcceptedToken, noteToken } from '../../nodes/MessagingService/trigger/acceptedTokens';
import { tokenDigest } from '../../nodes/MessagingService/transport/webhookToken';

const GRACE = 600_000;
let start: number;

beforeEach(() => {
	jest.useFakeTimers();
	start = Date.now();
});
afterEach(() => {
	jest.useRealTimers();
});

const after = (milliseconds: number) => {
	jest.setSystemTime(start + milliseconds);
};

/** Which of the tokens a trigger accepts. */
const acceptedBy = (trigger: string, ...tokens: (string | undefined)[]) =>
	tokens.filter((token) => isAcceptedToken(trigger, token));

test('a trigger that is not known accepts nothing', () => {
	expect(acceptedBy('nobody', 'a', '', undefined)).toEqual([]);
});

test('the token before the current one is accepted for ten minutes more, and no other', () => {
	noteToken('one', 'a');
	noteToken('another', 'x');
	expect(acceptedBy('one', 'a', 'b', 'x', '', undefined)).toEqual(['a']);
	noteToken('one', 'b');
	after(GRACE - 1);
	expect(acceptedBy('one', 'a', 'b', 'x', undefined)).toEqual(['a', 'b']);
	// It changes nothing to be told the current one a second time.
	noteToken('one', 'b');
	after(GRACE);
	expect(acceptedBy('one', 'a', 'b')).toEqual(['b']);
	noteToken('one', 'b');
	expect(acceptedBy('one', 'a', 'b')).toEqual(['b']);
});

test('each of several tokens has its ten minutes', () => {
	noteToken('several', 'a');
	noteToken('several', 'b');
	after(GRACE / 2);
	noteToken('several', 'c');
	expect(acceptedBy('several', 'a', 'b', 'c')).toEqual(['a', 'b', 'c']);
	after(GRACE);
	expect(acceptedBy('several', 'a', 'b', 'c')).toEqual(['b', 'c']);
	after(1.5 * GRACE);
	expect(acceptedBy('several', 'a', 'b', 'c')).toEqual(['c']);
});

test('without a secret any delivery is accepted, and for ten minutes after one is set', () => {
	noteToken('open', undefined);
	expect(acceptedBy('open', 'a', undefined)).toHaveLength(2);
	noteToken('open', 'a');
	expect(acceptedBy('open', 'a', 'b', undefined)).toHaveLength(3);
	after(GRACE);
	expect(acceptedBy('open', 'a', 'b', undefined)).toEqual(['a']);
});

test('a process that starts accepts the registered token beside a new one', () => {
	noteToken('processor', 'new', tokenDigest('registered'));
	expect(acceptedBy('processor', 'new', 'registered', 'other')).toEqual(['new', 'registered']);
	noteToken('processor', 'new', tokenDigest('other'));
	expect(acceptedBy('processor', 'new', 'registered', 'other')).toEqual(['new', 'registered']);
	noteToken('same', 'a', tokenDigest('a'));
	after(GRACE);
	expect(acceptedBy('same', 'a', 'registered')).toEqual(['a']);
	expect(acceptedBy('processor', 'new', 'registered')).toEqual(['new']);
});
