import { forbiddenWords } from '../../scripts/glossary.mts';
import { commentsOf, literalsOf, proseOf, testNamesOf } from '../../scripts/texts.mts';

const wordsIn = (texts: { text: string }[]): string[] =>
	texts.flatMap(({ text }) => forbiddenWords(text).map(({ word }) => word));

describe('the words of comments', () => {
	it.each([
		['beside a statement', 'call(); // Whatever it is.'],
		['in a docstring', '/**\n * Nobody\n * knows.\n */\nexport const a = 1;'],
		['in two lines', 'call(\n\t// This runs at\n\t// once.\n\ta,\n);'],
		['before a token that is no node', 'type A =\n\t| 1\n\t/** In vain. */\n\t| 2;'],
		['behind the last statement', 'call();\n\n// Two under way.\n'],
		['behind the last argument', 'call(\n\ta, // The answer.\n);'],
		['within a template', 'call(`one ${/* borrowed */ a} two`);'],
	])('are found %s', (_place, source) => {
		expect(wordsIn(commentsOf(source))).toHaveLength(1);
	});

	it.each([
		['the name of a parameter', '/** @param answer what to send */'],
		['code', '// Ends `answer`.'],
		['a quotation', '// n8n says "no answer".'],
		['a literal', "call('// whatever');"],
		['an option that saved workflows store', '// As with `unusable`.'],
	])('leave out %s', (_what, source) => {
		expect(wordsIn(commentsOf(`${source}\ncall();`))).toEqual([]);
	});

	it('come with the line in which the comment starts', () => {
		expect(commentsOf('call();\n\n/**\n * Twice.\n */\ncall();')).toEqual([
			{ line: 3, text: '/** Twice. */' },
		]);
	});
});

describe('the words of test names', () => {
	it.each([
		['a test', "it('whatever', () => {});"],
		['a group', "describe('the answer', () => {});"],
		['a table', "test.each([1, 2])('%d at once', () => {});"],
		['a table of another kind', "describe.each<number>([1])('an answer', () => {});"],
		['a skipped test', "it.skip('in vain', () => {});"],
		['a template', 'it(`${name} is unusable`, () => {});'],
	])('are found in the name of %s', (_what, source) => {
		expect(wordsIn(testNamesOf(source))).toHaveLength(1);
	});

	it.each([
		['other calls', "say('whatever');"],
		['the test itself', "it('works', () => { say('whatever'); });"],
		['what a template puts in', 'it(`reads ${answer}`, () => {});'],
	])('leave out %s', (_what, source) => {
		expect(wordsIn(testNamesOf(source))).toEqual([]);
	});
});

describe('the words of texts', () => {
	it('are found in literals and templates, but not in names', () => {
		const source = "say('no whatever'); say(`say whatever ${a} in vain`); say('whatever');";
		expect(wordsIn(literalsOf(source))).toEqual(['whatever', 'whatever', 'in vain']);
	});

	it('are found in prose, but not in code', () => {
		const page = 'Whatever\n```\nwhatever\n```\nsee `whatever` and [this](whatever.md)\n';
		expect(wordsIn(proseOf(page))).toEqual(['Whatever']);
	});
});
