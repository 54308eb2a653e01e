import fc from 'fast-check';
import { isPathSegment, pathSegment } from '../../nodes/MessagingService/transport/request';
import { runs } from '../support/runs';

/** Texts that mean something in a URL, mixed with any others. */
const anyText = fc
	.array(
		fc.oneof(
			fc.string({ unit: 'binary', maxLength: 5 }),
			fc.constantFrom(
				'.',
				'..',
				'/',
				'\\',
				'?',
				'#',
				'%',
				'%2F',
				'%2e',
				';',
				':',
				'@',
				'\t',
				'\n',
				' ',
				'"',
				'\0',
			),
		),
		{ minLength: 1, maxLength: 5 },
	)
	.map((parts) => parts.join(''))
	.filter((text) => text !== '');

/** The URL of a request whose path carries a value. */
const urlWith = (segment: string) => new URL(`http://h/a/${segment}/b`);

test('any text that can be a segment of the path stays exactly one', () => {
	fc.assert(
		fc.property(anyText, (text) => {
			fc.pre(isPathSegment(text));
			const { pathname, search, hash, host } = urlWith(pathSegment(text));
			expect([host, search, hash]).toEqual(['h', '', '']);
			const segments = pathname.split('/');
			expect(segments.map(decodeURIComponent)).toEqual(['', 'a', text, 'b']);
		}),
		{
			numRuns: runs(200),
			examples: [['...'], ['%2E%2E'], ['../..'], ['?x=1#y'], ['a/b'], ['ü€😀']],
		},
	);
});

test('only nothing and dots, which URLs resolve, cannot be a segment of the path', () => {
	fc.assert(
		fc.property(fc.oneof(anyText, fc.constantFrom('', '.', '..')), (text) => {
			const isKept = urlWith(pathSegment(text)).pathname.split('/').length === 4 && text !== '';
			expect(isPathSegment(text)).toBe(isKept);
		}),
		{ numRuns: runs(100), examples: [[''], ['.'], ['..'], ['...'], ['%2e'], [' .']] },
	);
});

test('a number becomes its digits', () => {
	expect(pathSegment(4711)).toBe('4711');
});

test('an invalid Unicode character cannot be a segment', () => {
	expect(isPathSegment('a\ud800')).toBe(false);
	expect(isPathSegment('a\ud83d\ude00')).toBe(true);
});
