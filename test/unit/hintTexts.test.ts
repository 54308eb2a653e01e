import { Hints } from '../../nodes/MessagingService/execution/hints';

/** The texts of the hints of a run of five items that has sent something. */
const textsOf = (add: (hints: Hints) => void, { items = 5, isSent = true } = {}) => {
	const hints = new Hints();
	add(hints);
	return hints.toShow(items, isSent).map(({ message }) => message);
};

describe('a dry run sums up', () => {
	type Described = Parameters<Hints['addDryRun']>[0];
	const sent = { recipients: 1, parts: 1, cost: 0.04, currency: 'EUR' };
	const nobody = { recipients: 0 };
	const textOf = (noun: Described['noun'], figures: readonly Described['figures'][]) =>
		textsOf((hints) => {
			for (const each of figures) {
				const isStopping = each.recipients === 0;
				hints.addDryRun({ noun, reason: 'Would be sent: all', figures: each, isStopping });
			}
		});
	const STOP =
		'Without Dry Run, the others stop the node: none or only some of these are sent, unless On Error is set to continue.';

	test.each<[string, Described['noun'], Described['figures'][], string]>([
		['one row', 'row', [sent], '1 of 1 row would be sent, 1 SMS part, 0.04 EUR.'],
		['one campaign', 'campaign', [sent], 'Would be sent: all'],
		[
			'rows, without their people, which they are',
			'row',
			[sent, { ...sent, parts: 2 }],
			'2 of 2 rows would be sent, 3 SMS parts, 0.08 EUR.',
		],
		[
			'campaigns',
			'campaign',
			[sent, { ...sent, recipients: 1234 }],
			'2 of 2 campaigns would be sent, 1,235 people, 2 SMS parts, 0.08 EUR.',
		],
		[
			'campaigns of nobody',
			'campaign',
			[nobody, nobody],
			'0 of 2 campaigns would be sent, 0 people.',
		],
		[
			'campaigns whose people are not known',
			'campaign',
			[{ recipients: undefined }, nobody],
			`1 of 2 campaigns would be sent. ${STOP}`,
		],
		[
			'a row that stops the others',
			'row',
			[sent, nobody],
			`1 of 2 rows would be sent, 1 SMS part, 0.04 EUR. ${STOP}`,
		],
		['rows of which none would be sent', 'row', [nobody, nobody], '0 of 2 rows would be sent.'],
		[
			'a price without a currency',
			'row',
			[{ ...sent, currency: '' }, sent].slice(0, 1),
			'1 of 1 row would be sent, 1 SMS part, 0.04.',
		],
		[
			'prices in two currencies, which have no sum',
			'row',
			[sent, { ...sent, currency: 'GBP' }],
			'2 of 2 rows would be sent, 2 SMS parts.',
		],
	])('%s', (_, noun, figures, said) => {
		expect(textOf(noun, figures)).toEqual([`Dry run: nothing was sent. ${said}`]);
	});
});

describe('those who were left out', () => {
	const AGAIN =
		'Executing again sends to the others again, unless Hours Between Texts is set in the credential.';
	const FIX = 'The output says how to fix them.';

	test.each<[string, number, Record<string, number>, string]>([
		['beside others', 3, { duplicate: 2 }, `Left out 2 of 5 rows: 2 duplicate. ${AGAIN}`],
		['with nobody beside them', 0, { duplicate: 5 }, 'Left out 5 of 5 rows: 5 duplicate.'],
		[
			'for reasons that have one word',
			0,
			{ notOneNumber: 2, type: 3 },
			`Left out 5 of 5 rows: 5 invalid. ${FIX}`,
		],
		['who are nobody', 1, { blank: 2 }, 'Left out 2 of 5 rows: 2 blank.'],
		[
			'for a time that keeps the others from a second text as well',
			3,
			{ hoursBetweenTexts: 2 },
			'Left out 2 of 5 rows: 2 with another text within the hours.',
		],
	])('%s', (_, others, leftOut, said) => {
		expect(textsOf((hints) => hints.addLeftOut(others, leftOut))).toEqual([said]);
	});

	test('of a run that sent nothing', () => {
		const add = (hints: Hints) => hints.addLeftOut(3, { duplicate: 2 });
		expect(textsOf(add, { isSent: false })).toEqual(['Left out 2 of 5 rows: 2 duplicate.']);
		expect(textsOf(add, { items: 1, isSent: false })).toEqual([
			'Left out 2 of 5 rows: 2 duplicate.',
		]);
	});
});

test('messages that take no more parts than needed are not counted', () => {
	const costly = `${'a'.repeat(100)}’`;
	const add = (hints: Hints) => ['plain', costly, 4711].forEach((each) => hints.addMessage(each));
	expect(textsOf(add)).toEqual([
		'The message takes 2 parts instead of 1 because of characters such as "’" (U+2019). Turn on Replace Costly Characters in Options to send fewer parts.',
	]);
});

test('a sender that networks may change is named, and how many others there are', () => {
	const said = (sender: string) =>
		`Networks may change or refuse the sender "${sender}": use at most 11 letters A to Z, digits and spaces.`;
	const textOf = (...senders: unknown[]) =>
		textsOf((hints) => {
			for (const each of senders) hints.addSender(each);
		});
	expect(textOf('Café')).toEqual([said('Café')]);
	expect(textOf('Café', 'Shop', undefined, 'Bücher')).toEqual([
		`${said('Café')} (and 1 other sender)`,
	]);
});
