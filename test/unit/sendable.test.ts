import { hasHalfCharacter, isLostName } from '../../nodes/MessagingService/transport/sendable';

test.each(['__proto__', 'constructor', 'prototype'])('%s would get lost', (name) => {
	expect(isLostName(name)).toBe(true);
});

test.each(['', 'pageIndex', 'proto', 'toString', 'Constructor'])('%j arrives', (name) => {
	expect(isLostName(name)).toBe(false);
});

test.each([
	['', false],
	['Grüße', false],
	['\ud83d\ude00', false],
	['\ud83d', true],
	['a\ude00b', true],
	['\ude00\ud83d', true],
])('half a character in %j: %p', (text, expected) => {
	expect(hasHalfCharacter(text)).toBe(expected);
});
