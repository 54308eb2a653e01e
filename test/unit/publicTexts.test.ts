import { lookAtText } from '../../nodes/MessagingService/parameters/textForPeople';
import { PUBLIC_TEXTS } from './support/publicTexts';

const verdictOf = (...[text, , , origin]: (typeof PUBLIC_TEXTS)[number]) => {
	const [single, campaign] = [true, false].map((isFinal) => {
		const { refused, warnings } = lookAtText(text, { ...origin, isFinal });
		return refused !== undefined ? 'refused' : warnings.length > 0 ? 'warning' : 'passes';
	});
	if (single === campaign) return single;
	return single === 'refused' && campaign === 'warning' ? 'placeholder' : [single, campaign];
};

describe('texts that other projects have sent by mistake', () => {
	it('there are fifty of them, each with its source', () => {
		expect(PUBLIC_TEXTS.length).toBeGreaterThanOrEqual(50);
		for (const [, , source] of PUBLIC_TEXTS) expect(source).toMatch(/#\d+$|\.\w+\//);
	});

	it.each(PUBLIC_TEXTS)('%j: %s (%s)', (...row) => {
		expect(verdictOf(...row)).toBe(row[1]);
	});
});
