import { hasInvalidUnicode, isDroppedName } from '../../nodes/MessagingService/transport/sendable';

test.each(['__proto__', 'constructor', 'prototype'])('%s would be dropped', (name) => {
	expect(isDroppedName(name)).toBe(true);
});

test.each(['', 'pageIndex', 'proto', 'toString', 'Constructor'])('%j arrives', (name) => {
	expect(isDroppedName(name)).toBe(false);
});

test.each([
	['', false],
	['Grüße', false],
	['\ud83d\ude00', false],
	['\ud83d', true],
	['a\ude00b', true],
	['\ude00\ud83d', true],
])('an invalid Unicode character in %j: %p', (text, expected) => {
	expect(hasInvalidUnicode(text)).toBe(expected);
});
