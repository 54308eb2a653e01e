import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { MessageEstimate } from '../../nodes/MessagingService/execution/messageEstimate';
import type { RecipientKind } from '../../nodes/MessagingService/recipients/kind';
import {
	measure,
	type MessageLength,
} from '../../nodes/MessagingService/resources/shared/messageText';
import { runs } from '../support/runs';

const kind = {
	otherFields: { name: 'Name', custom1: 'Custom 1' },
} as unknown as RecipientKind<unknown>;
/** Placeholders of the messages below, by the fields that fill them. */
const FIELDS = { '{{Name}}': 'name', '[custom1]': 'custom1', '{other}': undefined };
const LINK = 30;

const message = fc
	.array(fc.constantFrom(...Object.keys(FIELDS), 'x'.repeat(30), 'y', '$&', 'Ж'), { maxLength: 8 })
	.map((pieces) => pieces.join(' '));

const recipientsOf = (characters: string) => {
	const values = fc.string({ unit: fc.constantFrom(...characters), maxLength: 120 });
	const value = fc.oneof(values, fc.constantFrom('', undefined, null, 12));
	const recipient = fc.record({ phoneNumber: fc.constant('1'), name: value, custom1: value });
	return fc.array(recipient, { minLength: 1, maxLength: 5 });
};

type Described = IDataObject & { message: MessageLength & IDataObject };

function describeMessage(text: string, recipients: IDataObject[], link: unknown = undefined) {
	const body = { message: text, optOutLinkId: link } as IDataObject;
	const estimate = new MessageEstimate(body, kind);
	// A file's recipients come in groups.
	for (const recipient of recipients) estimate.add([recipient]);
	const all = new MessageEstimate(body, kind);
	all.add(recipients);
	expect(all.describe()).toEqual(estimate.describe());
	return all.describe() as Described;
}

const valueOf = (recipient: IDataObject, field: string | undefined) =>
	String((field === undefined ? '' : recipient[field]) ?? '');

/** What a recipient gets; a placeholder without a value stays, and counts. */
function filled(text: string, recipient: IDataObject): string {
	return Object.entries(FIELDS).reduce((result, [placeholder, field]) => {
		const value = valueOf(recipient, field);
		return value === '' ? result : result.split(placeholder).join(value);
	}, text);
}

test('one recipient, or several with the same values, have exactly their message', () => {
	fc.assert(
		fc.property(message, recipientsOf('x€Ж'), fc.boolean(), (text, [recipient], hasLink) => {
			const both = [recipient, recipient] as IDataObject[];
			const described = describeMessage(text, both, hasLink ? 501 : undefined);
			const real = filled(text, both[0] ?? {}) + '-'.repeat(hasLink ? LINK : 0);
			expect(described.message).toEqual({
				...{ ...measure(real), optOutLinkCharacters: hasLink ? LINK : 0 },
				partsInAll: 2 * measure(real).parts,
			});
		}),
		{ numRuns: runs(100) },
	);
});

/** Whom the longest values are taken from: a placeholder without a value is counted by itself. */
const complete = (recipients: IDataObject[]) =>
	recipients.filter((each) => ['name', 'custom1'].every((field) => valueOf(each, field) !== ''));

test('nobody with all values gets more parts than estimated, in whichever alphabet', () => {
	fc.assert(
		fc.property(message, recipientsOf('xЖ'), (text, recipients) => {
			const described = describeMessage(text, recipients);
			const parts = complete(recipients).map((each) => measure(filled(text, each)).parts);
			expect(described.message.parts).toBeGreaterThanOrEqual(Math.max(0, ...parts));
			expect(described.message.partsInAll).toBe(described.message.parts * recipients.length);
		}),
		{ numRuns: runs(100) },
	);
});

test('of several values in GSM-7, the one with the most units is the estimate', () => {
	fc.assert(
		fc.property(recipientsOf('x€'), (recipients) => {
			const values = recipients.map((each) => valueOf(each, 'name')).filter((each) => each !== '');
			const text = 'Hi {{Name}}';
			const units = values.map((each) => measure(filled(text, { name: each })).units);
			const { encoding, units: estimated } = describeMessage(text, recipients).message;
			expect(encoding).toBe('GSM-7');
			expect(estimated).toBe(units.length === 0 ? measure(text).units : Math.max(...units));
		}),
		{ numRuns: runs(100) },
	);
});

test('placeholders without a value are named with the number of recipients', () => {
	fc.assert(
		fc.property(message, recipientsOf('x'), (text, recipients) => {
			const { unfilledPlaceholders } = describeMessage(text, recipients);
			const expected = Object.entries(FIELDS).flatMap(([placeholder, field]) => {
				const empty = recipients.filter((each) => valueOf(each, field) === '').length;
				const isUnfilled = text.includes(placeholder) && empty > 0;
				return isUnfilled ? [{ placeholder, recipients: empty }] : [];
			});
			expect(unfilledPlaceholders).toHaveLength(expected.length);
			expect(unfilledPlaceholders).toEqual(expect.arrayContaining(expected));
		}),
		{ numRuns: runs(50) },
	);
});

test.each([
	[0, 0],
	[1, LINK],
	['7', LINK],
	[undefined, 0],
	[null, 0],
])('the opt-out link %j takes %d characters', (link, characters) => {
	const { message: described } = describeMessage('Hi', [{}], link);
	expect(described).toMatchObject({ optOutLinkCharacters: characters, units: 2 + characters });
});

test('where the recipients are not known, the text and its placeholders are', () => {
	const estimate = new MessageEstimate({ message: 'Hi {{name}} [x]' }, undefined);
	expect(estimate.describe()).toEqual({
		message: { ...measure('Hi {{name}} [x]'), optOutLinkCharacters: 0 },
		placeholders: ['{{name}}', '[x]'],
	});
	estimate.add([{ name: 'Ada' }]);
	expect(estimate.describe()).toMatchObject({
		unfilledPlaceholders: [
			{ placeholder: '{{name}}', recipients: 1 },
			{ placeholder: '[x]', recipients: 1 },
		],
	});
});
