import fc from 'fast-check';
import maxBy from 'lodash/maxBy';
import {
	DELIMITERS,
	detectDelimiter,
} from '../../../nodes/MessagingService/recipients/file/delimiter';
import { runs } from '../../support/runs';

const names = fc.string({ unit: fc.constantFrom(...'ab _'), maxLength: 3 });
/** A column name in quotes may have anything in it. */
const quoted = fc
	.string({ unit: fc.constantFrom('a', '"', ...DELIMITERS, '\n', '\r'), maxLength: 6 })
	.map((name) => `"${name.replaceAll('"', '""')}"`);
const separators = fc.constantFrom(...DELIMITERS);

const files = fc.record({
	before: fc.string({ unit: fc.constantFrom('\n', '\r'), maxLength: 2 }),
	first: fc.oneof(names, quoted),
	others: fc.array(fc.tuple(separators, fc.oneof(names, quoted)), { maxLength: 6 }),
	behind: fc.constantFrom(
		'',
		'\n',
		'\r',
		'\r\n',
		'\n;;;;;;;;|||||||||,,,,,,,,,,\t\t\t\t\t\t\t\t\t',
	),
});

test('the most frequent delimiter of the header is used, outside of quotes', () => {
	fc.assert(
		fc.property(files, ({ before, first, others, behind }) => {
			const countOf = (delimiter: string) => others.filter(([each]) => each === delimiter).length;
			// The first of several that are equally frequent; a comma for one column.
			const expected = maxBy([...DELIMITERS], countOf);
			expect(detectDelimiter(`${before}${first}${others.flat().join('')}${behind}`)).toBe(expected);
		}),
		{ numRuns: runs(300) },
	);
});

test.each([
	['sep=;\n', ';'],
	['"sep=;"\na,b,c', ';'],
	['"SEP=|"\r\na,b,c', '|'],
	['"sep=\t"\ra,b,c', '\t'],
	// No line that names one.
	['"sep=;", a\n', ','],
	['"sep=a"\nb;c', ','],
	['a|b,"sep=;"\n', ','],
	['a\n"sep=;"\n', ','],
	['"a\nsep=;\n"|b\n', '|'],
	['"sep=;"', ','],
])('in %j, it is %j', (start, delimiter) => {
	expect(detectDelimiter(start)).toBe(delimiter);
});
