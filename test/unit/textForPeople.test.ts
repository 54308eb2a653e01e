import { lookAtText } from '../../nodes/MessagingService/parameters/textForPeople';
import { REFUSED, WARNED } from './support/badTexts';
import { ORDINARY_NAMES, ORDINARY_TEXTS } from './support/ordinaryTexts';

describe('a text that nobody means to send is refused', () => {
	it.each(REFUSED)('%j: %s', (text, problem, _source, origin = {}) => {
		const { refused, warnings } = lookAtText(text, origin);
		expect(refused?.problem).toBe(problem);
		expect(refused?.advice).toMatch(/\.$/);
		expect(warnings).toEqual([]);
	});
});

describe('a text that looks wrong is sent, with a warning', () => {
	it.each(WARNED)('%j: %s', (text, says, _source, origin = {}) => {
		const { refused, warnings } = lookAtText(text, origin);
		expect(refused).toBeUndefined();
		expect(warnings.map(({ problem }) => problem)).toEqual([expect.stringContaining(says)]);
		expect(warnings[0]?.advice).toMatch(/^$|\.$/);
	});
});

describe('an ordinary text passes, from an agent as well', () => {
	it('there are 300 of them, from ten languages', () => {
		expect(ORDINARY_TEXTS.length).toBeGreaterThanOrEqual(300);
		expect(new Set(ORDINARY_TEXTS.map(([language]) => language)).size).toBeGreaterThanOrEqual(10);
		expect(new Set(ORDINARY_TEXTS.map(([, text]) => text)).size).toBe(ORDINARY_TEXTS.length);
	});

	it.each(ORDINARY_TEXTS)('%s: %s', (_, text) => {
		const nothing = { refused: undefined, warnings: [] };
		const item = { text, date: '27 November', order: 46205, name: 'Null' };
		for (const written of [text, '={{ $json.text }}']) {
			expect(lookAtText(text, { written, item, isFinal: true })).toEqual(nothing);
			expect(lookAtText(text, { written, item, isOfAgent: true })).toEqual(nothing);
		}
	});

	it.each(ORDINARY_NAMES)('the name %s', (name) => {
		expect(lookAtText(name, { isName: true })).toEqual({ warnings: [] });
	});
});
