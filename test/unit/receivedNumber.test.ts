import examples from 'libphonenumber-js/mobile/examples';
import { numberingPlanOf, regions } from '../../nodes/MessagingService/numbers/plans';
import { receivedNumber } from '../../nodes/MessagingService/numbers/received';

const NUMBERS: [written: unknown, shown: unknown, country?: string][] = [
	['+447400123456', '+447400123456'],
	['447400123456', '+447400123456'],
	['447701000000', '+447701000000'],
	['00447400123456', '+447400123456'],
	['+44 7400 123456', '+447400123456'],
	['44 7400 123456', '+447400123456'],
	['(44) 7400-123456', '+447400123456'],
	['44.7400.123456', '+447400123456'],
	['447700900123', '+447700900123'],
	['4915112345678', '+4915112345678'],
	['33612345678', '+33612345678'],
	// Within a country: nobody knows which.
	['07400123456', '07400123456'],
	['07400123456', '+447400123456', 'GB'],
	['447400123456', '+447400123456', 'gb '],
	['2025550123', '2025550123'],
	['2025550123', '+12025550123', 'US'],
	// Somebody in Maryland, or a mobile in China.
	['13012345678', '13012345678'],
	['13012345678', '+8613012345678', 'CN'],
	['13012345678', '+13012345678', 'US'],
	// A landline in Madrid, or a mobile in Brazil.
	['34912345678', '34912345678'],
	// None at all.
	['447', '447'],
	['withheld', 'withheld'],
	['', ''],
	[null, null],
	[447400123456, '+447400123456'],
	[7400123456, '+447400123456', 'GB'],
	[447, 447],
	['07400123456', '07400123456', 'XX'],
];

test.each(NUMBERS.map(([written, shown, country = '']) => [written, shown, country] as const))(
	'%j is shown as %j (Default Country %j)',
	(written, shown, country) => {
		expect(receivedNumber(written, country)).toBe(shown);
	},
);

test('mobiles of all countries without their + are read, or stay as they are', () => {
	const numbers = regions().flatMap((region) => {
		const national = examples[region as keyof typeof examples] as string | undefined;
		const { callingCode } = numberingPlanOf(region) ?? {};
		return national === undefined || callingCode === undefined ? [] : [`${callingCode}${national}`];
	});
	const shown = numbers.map((number) => receivedNumber(number));
	const read = shown.filter((number, index) => number === `+${numbers[index]}`);
	const kept = shown.filter((number, index) => number === numbers[index]);
	expect(read.length + kept.length).toBe(numbers.length);
	expect(read.length / numbers.length).toBeGreaterThan(0.5);
});
