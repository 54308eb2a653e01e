import { lookAtText } from '../../nodes/MessagingService/parameters/textForPeople';
import { optionalText } from '../../nodes/MessagingService/recipients/kind';
import { REFUSED, WARNED } from './support/badTexts';
import { ORDINARY_NAMES, ORDINARY_TEXTS } from './support/ordinaryTexts';

/** What is said of a cell. */
function saidOf(text: string, label: string): string[] {
	const said: string[] = [];
	const note = (what: string) => void said.push(what.replace(`${label} `, ''));
	optionalText(text, label, { report: note, warn: note });
	return said;
}

it.each(['Name', 'Custom 1'])('the short way for plain cells leaves out nothing (%s)', (label) => {
	const bad = [...REFUSED, ...WARNED].map(([text]) => text);
	const greetings = ['Hi unknown, see you', 'Dear test, thank you', 'Hi Ada, see you'];
	const texts = [
		...bad,
		...greetings,
		...ORDINARY_NAMES,
		...ORDINARY_TEXTS.map(([, text]) => text),
	];
	for (const text of texts) {
		const { refused, warnings } = lookAtText(text, { isName: label === 'Name' });
		const expected = [...(refused === undefined ? [] : [refused]), ...warnings];
		expect([text, saidOf(text, label)]).toEqual([text, expected.map((each) => each.text)]);
	}
});

it.each([undefined, true])(
	'a cell is sent without the blanks around it, which fill a column of a fixed width (known as plain: %s)',
	(areTextsPlain) => {
		const note = () => undefined;
		const notes = { areTextsPlain, report: note, warn: note };
		const sent = (cell: string) => optionalText(cell, 'Name', notes);
		const cells = ['Ada        ', ' Zoë\n', '\u00a0Li, Bo ', ' N/A '];
		expect(cells.map(sent)).toEqual(['Ada', 'Zoë', 'Li, Bo', 'N/A']);
	},
);
