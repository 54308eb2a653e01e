import fc from 'fast-check';
import { pick, sumBy, times } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { createCampaign, sendEach } from '../support/actions';
import { runAction, type EngineResult } from '../support/engine';
import { namesIn } from '../support/modelRows';
import { modelSuite } from '../support/modelSuite';
import { holds } from '../support/runs';

/** What a dry run says, held against what the run with these rows then does. */

const { service, credential } = modelSuite({ concurrentRequests: 1 });

const BLOCKED = '+447700900199';
const two = (row: number) => String(row).padStart(2, '0');

/** Rows as lists have them: by their position. */
const kinds = {
	person: (row: number) => ({ phoneNumber: `+4477009000${two(row)}`, name: 'Ann' }),
	french: (row: number) => ({ phoneNumber: `+336123456${two(row)}`, name: 'Eve' }),
	again: () => ({ phoneNumber: '+447700900000', name: 'Ann again' }),
	blocked: () => ({ phoneNumber: BLOCKED, name: 'Bo' }),
	invalid: () => ({ phoneNumber: 'nope', name: 'Cy' }),
	nobody: () => ({ phoneNumber: '', name: 'Di' }),
	blank: () => ({ phoneNumber: '', name: ' ' }),
};
const kind = fc.constantFrom(
	...([...times(4, () => 'person'), ...Object.keys(kinds)] as (keyof typeof kinds)[]),
);
const rows = fc
	.array(kind, { minLength: 1, maxLength: 7 })
	.map((given) => given.map((each, row): IDataObject => kinds[each](row)));

/** What the credential has: prices, and rules that refuse some rows or all of a list. */
const account = fc.record({
	currency: fc.constantFrom('EUR', ''),
	pricePerPart: fc.constantFrom(0.04, 0),
	sendingPolicy: fc.boolean(),
	maxRecipients: fc.constantFrom('', 2, 4),
	allowedCountries: fc.constantFrom('', 'GB'),
	maxMessageParts: fc.constantFrom('', 1),
});
const onProblem = fc.constantFrom('stop', 'skip', 'send');

const doNotContact = { doNotContactNumbers: BLOCKED };

interface Case {
	parameters: IDataObject;
	items: IDataObject[];
	account: IDataObject;
}

/** A dry run, then the run. */
async function both({ parameters, items, account: fields }: Case) {
	service.reset();
	const options = {
		credential: { ...credential, ...fields } as never,
		items,
		files: items.map(({ people = [] }) => fileOf(people as IDataObject[])),
		onError: 'continueRegularOutput' as const,
	};
	const dry = await runAction({ ...options, parameters: { ...parameters, dryRun: true } });
	expect(service.accepted).toEqual([]);
	const run = await runAction({ ...options, parameters });
	return { dry, run, reached: service.accepted.flatMap(namesIn) };
}

const fileOf = (people: readonly IDataObject[]) =>
	Buffer.from(
		['phoneNumber,name', ...people.map(({ phoneNumber, name }) => `${phoneNumber},${name}`)].join(
			'\n',
		),
	);
const jsonsOf = ({ items }: EngineResult) => items.map(({ json }) => json);
const hintOf = ({ hints }: EngineResult) => hints.find((hint) => hint.startsWith('Dry run')) ?? '';

describe('a dry run says what the run then does', () => {
	test('of messages: of each row whether it is sent, why not, and what it costs', async () => {
		const text = fc.constantFrom('Hi', 'x'.repeat(161), `${'x'.repeat(100)}’`, '', 'Hi #N/A');
		const given = fc.record({
			rows,
			texts: fc.array(text, { minLength: 7, maxLength: 7 }),
			account,
		});
		await holds(
			fc.asyncProperty(given, async ({ rows: people, texts, account: fields }) => {
				const { dry, run, reached } = await both({
					parameters: { ...sendEach, message: '={{ $json.text }}', options: doNotContact },
					items: people.map((row, index) => ({
						...row,
						text: row.name === ' ' ? '' : texts[index],
					})),
					account: fields,
				});
				const said = (json: IDataObject) => ({
					...pick(json, ['phoneNumber', 'message', 'parts', 'estimatedCost', 'currency']),
					...(json.wouldSend === true || json.sent === 'yes'
						? { reason: 'sent', warnings: json.warnings }
						: { reason: json.reason }),
				});
				const sent = jsonsOf(run);
				expect(jsonsOf(dry).map(said)).toEqual(sent.map(said));
				const accepted = sent.filter((json) => json.sent === 'yes');
				expect(reached).toHaveLength(accepted.length);
				const cost = sumBy(accepted, (json) => Number(json.estimatedCost ?? 0));
				const parts = sumBy(accepted, (json) => Number(json.parts));
				expect(figuresIn(hintOf(dry))).toEqual({
					would: accepted.length,
					parts,
					cost: expect.closeTo(cost),
				});
			}),
			15,
		);
	});

	test.each<[string, (people: IDataObject[]) => IDataObject[], IDataObject]>([
		['input items', (people) => people, {}],
		[
			'typed lists',
			(people) => [{ people }, { people: people.slice(1) }],
			{ contactsSource: 'json', contactsJson: '={{ $json.people }}' },
		],
		['files', (people) => [{ people }, { people: people.slice(1) }], { contactsSource: 'file' }],
	])(
		'of %s: whom it reaches, in how many campaigns, whom it leaves out, and its cost',
		async (...row) => {
			const [, itemsOf, source] = row;
			const options = fc.record({
				...{ unusable: onProblem, duplicates: onProblem },
				perCampaign: fc.integer({ min: 1, max: 8 }),
			});
			const given = fc.record({ rows, options, account });
			await holds(
				fc.asyncProperty(given, async ({ rows: people, options: chosen, account: fields }) => {
					const { dry, run, reached } = await both({
						parameters: { ...createCampaign, ...source, options: { ...chosen, ...doNotContact } },
						items: itemsOf(people),
						account: fields,
					});
					const planned = jsonsOf(dry);
					const campaigns = jsonsOf(run).filter(({ sent }) => sent === 'yes');
					const would = planned.filter(({ wouldSend }) => wouldSend === true);
					const sumOf = (list: IDataObject[], name: string) =>
						sumBy(list, (json) => Number(json[name] ?? 0));
					expect(sumOf(would, 'recipients')).toBe(reached.length);
					expect(sumOf(would, 'campaigns')).toBe(campaigns.length);
					expect(sumOf(would, 'estimatedCost')).toBeCloseTo(sumOf(campaigns, 'estimatedCost'));
					// What there is to say of the whole list is said with its first campaign.
					const firsts = campaigns.filter(({ campaign }) => campaign === 1);
					const details = would.map((json) => json.details as IDataObject);
					const accounted = (json: IDataObject) =>
						source.contactsSource === 'file'
							? pick(json, ['rows', 'leftOut'])
							: { skippedCount: json.skippedCount ?? 0 };
					expect(details.map(accounted)).toEqual(
						firsts.map((json) => accounted((json.file ?? json) as IDataObject)),
					);
					const used = ({ columnsUsed, columnsNotUsed }: IDataObject) => ({
						columnsUsed,
						columnsNotUsed,
					});
					expect(details.map(used)).toEqual(firsts.map(used));
				}),
				12,
				// A file that is refused does not count for the next one.
				{ seeds: [-539_244_697] },
			);
		},
	);
});

/** The figures of a hint such as "2 of 3 rows would be sent, 4 SMS parts, 0.16 EUR". */
function figuresIn(hint: string) {
	const numberIn = (pattern: RegExp) => Number(pattern.exec(hint)?.[1] ?? 0);
	return {
		would: numberIn(/(\d+) of \d+ rows? would be sent/),
		parts: numberIn(/, (\d+) SMS parts?/),
		cost: numberIn(/, ([\d.]+)(?: EUR)?\.(?: |$)/),
	};
}
