import { readFileSync } from 'node:fs';
import { classify } from '../../nodes/MessagingService/numbers/plans';
import {
	NUMBER_TYPE_OPTIONS,
	type NumberType,
} from '../../nodes/MessagingService/numbers/numberTypes';
import { readNumber, type NumberOptions } from '../../nodes/MessagingService/numbers/readNumber';

const international: NumberOptions = { format: 'international' };
const british: NumberOptions = { format: 'international', defaultCountry: 'GB' };

/** The rows of the table under a heading of docs/phone-numbers.md, without backticks. */
function rowsOf(heading: string): string[][] {
	const page = readFileSync('docs/phone-numbers.md', 'utf8');
	const [, section = ''] = page.split(`## ${heading}\n`);
	const [text = ''] = section.split('\n## ');
	return text
		.split('\n')
		.filter((line) => line.startsWith('| `'))
		.map((line) =>
			line
				.slice(1, -1)
				.split('|')
				.map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
		);
}

const optionsOf = (country = ''): NumberOptions => ({
	format: 'international',
	defaultCountry: country === '' ? undefined : country,
});

describe('docs/phone-numbers.md tells the truth', () => {
	it('has rows', () => {
		expect(rowsOf('What is sent').length).toBeGreaterThan(5);
		expect(rowsOf('What is not sent').length).toBeGreaterThan(5);
	});

	it.each(rowsOf('What is sent'))('%s (%s) is sent as %s', (cell, country, sent) => {
		expect(readNumber(cell, optionsOf(country))).toMatchObject({ number: sent });
	});

	it.each(rowsOf('What is not sent'))('%s (%s) %s', (cell, country, problem) => {
		expect(readNumber(cell, optionsOf(country))).toMatchObject({ problem: { text: problem } });
	});
});

it('an area code of five digits may stand before a slash', () => {
	expect(readNumber('037298/12345', optionsOf('DE'))).toMatchObject({ number: '+493729812345' });
	expect(readNumber('037298/1234', optionsOf('DE')).problem?.code).toBe('notOneNumber');
});

it.each([447700900123, 447700900123n])('the number %s is its digits', (value) => {
	expect(readNumber(value, international)).toEqual({
		number: '447700900123',
		key: '+447700900123',
	});
	expect(readNumber(value, british)).toMatchObject({ number: '+447700900123' });
});

describe('duplicates', () => {
	it.each(['international', 'asEntered'] as const)('have one key (%s)', (format) => {
		const spellings = ['07700 900123', '+447700900123', '7700900123', '0044 (0)7700 900123'];
		const keys = spellings.map((text) => {
			const reading = readNumber(text, { format, defaultCountry: 'GB' });
			return reading.problem === undefined ? reading.key : reading.problem.text;
		});
		expect(new Set(keys)).toEqual(new Set(['+447700900123']));
	});

	it('are found among numbers that cannot be completed', () => {
		const keyOf = (text: string) => readNumber(text, international);
		expect(keyOf('07700 900123')).toMatchObject({ key: '07700900123' });
		expect(keyOf('07700-900-123')).toMatchObject({ key: '07700900123' });
		expect(keyOf('44 7700 900123')).toMatchObject({
			key: '+447700900123',
			number: '44 7700 900123',
		});
	});
});

describe('As Entered', () => {
	it('sends the text and knows the number', () => {
		const options: NumberOptions = { format: 'asEntered', defaultCountry: 'GB' };
		expect(readNumber(' 07700 900-123 ', options)).toEqual({
			number: '07700 900-123',
			key: '+447700900123',
			e164: '+447700900123',
		});
	});
});

it('a number that is not known is sent in plain characters, or as entered', () => {
	const cell = " '07400\u00a0900-123 ";
	expect(readNumber(cell, international)).toEqual({ number: '07400 900-123', key: '07400900123' });
	expect(readNumber(cell, { format: 'asEntered' })).toEqual({
		...{ number: "'07400\u00a0900-123", key: '07400900123' },
	});
});

describe('Allowed Number Types', () => {
	const only = (...types: NumberType[]): NumberOptions => ({
		...british,
		allowedTypes: new Set(types),
	});

	it('refuses other types, and says which type a number has', () => {
		expect(readNumber('+442079460958', only('fixedLine'))).toMatchObject({
			number: '+442079460958',
		});
		expect(readNumber('020 7946 0958', only('mobile'))).toEqual({
			problem: {
				code: 'type',
				text: 'is of type Fixed Line, not allowed (+442079460958)',
				advice: 'Use another number, or add Fixed Line to Allowed Number Types in Options.',
			},
		});
		expect(readNumber('+447700900123', only('mobile'))).toMatchObject({
			problem: { text: 'is of type Unknown, not allowed (+447700900123)' },
		});
		expect(readNumber('+447700900123', only('mobile', 'unknown'))).toMatchObject({
			number: '+447700900123',
		});
	});

	it.each(NUMBER_TYPE_OPTIONS)('has a name for $value that says it: $name', ({ name, value }) => {
		expect(name.replace(/[ -]/g, '').toLowerCase()).toBe(value.toLowerCase());
	});

	it('refuses a number that is not known, and says how to make it known', () => {
		const options: NumberOptions = { format: 'international', allowedTypes: new Set(['mobile']) };
		expect(readNumber('07700 900123', options)).toMatchObject({
			problem: { code: 'type', advice: expect.stringContaining('Default Country') as string },
		});
	});

	it('does not hide what else is wrong', () => {
		expect(readNumber('12', only('mobile'))).toMatchObject({ problem: { code: 'invalid' } });
		expect(readNumber('Bob', only('mobile'))).toMatchObject({
			problem: { code: 'notOneNumber' },
		});
	});

	it('allows all types where none is selected', () => {
		expect(readNumber('020 7946 0958', only())).toMatchObject({ number: '+442079460958' });
	});
});

describe('classify', () => {
	it.each([
		['+447700900123', { country: 'GB', type: 'unknown' }],
		['+442079460958', { country: 'GB', type: 'fixedLine' }],
		['+441481256789', { country: 'GG', type: 'fixedLine' }],
		['+12125550123', { country: 'US', type: 'fixedLineOrMobile' }],
		['+14165550123', { country: 'CA', type: 'fixedLineOrMobile' }],
		['+18765551234', { country: 'JM', type: 'mobile' }],
		['+77011234567', { country: 'KZ', type: 'mobile' }],
		['+18005550199', { country: 'US', type: 'tollFree' }],
		['+80012345678', { type: 'tollFree' }],
		['+999123456789', { type: 'unknown' }],
		// No number in use, but its first digits are those of a region.
		['+12847291315', { country: 'VG', type: 'unknown' }],
		['+16708437275', { country: 'MP', type: 'unknown' }],
	])('%s: %j', (number, classification) => {
		expect(classify(number)).toEqual(classification);
	});
});

describe('the title of a problem', () => {
	it.each([
		[undefined, undefined, 'is empty'],
		[['+447700900123'], undefined, 'is a list'],
		[{ number: '+447700900123' }, undefined, 'is not a single number (object)'],
		[true, undefined, 'is not a single number (boolean)'],
		['Ada\n 07400 900123', undefined, 'is not a single number (Ada 07400 900123)'],
		['123', undefined, 'is not a valid number (123)'],
		['123', 'GB', 'is not a valid number for country code +44 (123)'],
		['+49 1', undefined, 'is not a valid number for country code +49 (+49 1)'],
		['123456', '', 'is not a valid number (123456)'],
	])('says of %j (%j) that it %s', (cell, country, text) => {
		const options: NumberOptions = { format: 'international', defaultCountry: country };
		expect(readNumber(cell, options).problem?.text).toBe(text);
	});

	it('quotes as much of a long cell as it has room for', () => {
		const { problem } = readNumber(`07400 900123 ${'and more '.repeat(9)}`, british);
		expect(problem?.text).toBe('is not a single number (07400 900123 and more and more and mo…)');
		expect(problem?.text.length).toBeLessThanOrEqual(63);
	});

	it.each([' ', '1', '(', ' x 1', '+', '/', ';1', '\u0660', 'x   '])(
		'is found for a very long cell of %j',
		(filler) => {
			expect(readNumber(filler.repeat(200_000), british).problem).toBeDefined();
			expect(readNumber(`07700${filler.repeat(60)}!`, british).problem).toBeDefined();
		},
	);
});
