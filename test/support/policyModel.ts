import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { timeZonesOf } from '../../nodes/MessagingService/numbers/timeZones';
import { exampleNumbers } from '../unit/support/numberExamples';

/** A slow model of the sending policy, and policies, numbers and times to try. */

export const MINUTE = 60_000;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

// A few German numbers of the metadata are longer than E.164 allows, so the guard does not read them.
export const numbers = exampleNumbers(2)
	.map(({ callingCode, national }) => `+${callingCode}${national}`)
	.filter((number) => number.length <= '+123456789012345'.length);

/** What the credential holds. */
export interface PolicyFields {
	allowedCountries: string;
	blockedNumberTypes: string[];
	maxRecipients: number;
	sendingHoursFrom: string;
	sendingHoursTo: string;
	sendingDays: number[];
	sendingHoursIn: 'recipient' | 'service';
	onlyTheseNumbers: string;
	maxMessageParts: number;
	allowedSenders: string;
	doNotContactParameter: '' | 'parameter2';
	doNotContactValue: string;
	pauseSending: boolean;
}

/** A policy, and the numbers that are stored as opted out. */
export interface Case {
	fields: PolicyFields;
	stored: string[];
}

/** The stored numbers, one page of them. */
export const storedPage = (stored: readonly string[]) => ({
	...{ pageIndex: 1, totalPages: 1, totalRecords: stored.length },
	items: stored.map((number, index) => ({
		...{ storageID: String(index), number },
		// Others are customers.
		parameter2: index % 4 === 3 ? 'customer' : ' Opted OUT',
	})),
});

export const SERVICE_ZONE = 'Asia/Kathmandu';

function clockOf(zone: string, instant: number) {
	const format = new Intl.DateTimeFormat('en-GB', {
		timeZone: zone,
		weekday: 'short',
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23',
	});
	const parts = Object.fromEntries(
		format.formatToParts(instant).map(({ type, value }) => [type, value]),
	);
	return {
		day: WEEKDAYS.indexOf(parts.weekday ?? '') + 1,
		time: `${parts.hour ?? ''}:${parts.minute ?? ''}`,
	};
}

const GSM = /^[\x20-\x7e]*$/;

/** Billed parts of a text of plain letters or emoji, none of which is split: 33 fit into 67 units. */
function partsOf(text: string): number {
	const [alone, each] = GSM.test(text) ? [160, 153] : [70, 66];
	return text.length <= alone ? 1 : Math.ceil(text.length / each);
}

/** The slow model: libphonenumber-js and the clock of Intl, one number at a time. */
export function modelAllows(
	{ fields, stored }: Case,
	number: string,
	instant: number,
	text = 'Hi',
): boolean {
	if (fields.pauseSending) return false;
	if (fields.maxMessageParts > 0 && partsOf(text) > fields.maxMessageParts) return false;
	const senders = fields.allowedSenders.split(/[,\n]/).map((sender) => sender.trim().toLowerCase());
	if (fields.allowedSenders !== '' && !senders.includes('shop')) return false;
	if (modelLeavesOut({ fields, stored }, number)) return false;
	const parsed = parsePhoneNumberFromString(number);
	const trial = fields.onlyTheseNumbers.split(/[,;\n]/).filter(Boolean);
	const plain = (text: string) => text.trim().replace(/^00/, '+');
	if (trial.length > 0 && !trial.map(plain).includes(number)) return false;
	const allowed = fields.allowedCountries.split(',').filter(Boolean);
	if (allowed.length > 0 && !allowed.includes(parsed?.country ?? '')) return false;
	const { blockedNumberTypes: chosen } = fields;
	if (modelTypes(number).some((type) => (chosen.length > 0 ? chosen : COSTLY).includes(type))) {
		return false;
	}
	return modelHours(fields, number, instant);
}

/** Blocked where nothing else is selected, and without a policy. */
export const COSTLY = ['premiumRate', 'personalNumber', 'satellite'];

/** The types of a number, of those that the policies block. */
export function modelTypes(number: string): string[] {
	const type = parsePhoneNumberFromString(number)?.getType() ?? '';
	const names: Partial<Record<string, string>> = {
		...{ PREMIUM_RATE: 'premiumRate', PERSONAL_NUMBER: 'personalNumber', MOBILE: 'mobile' },
	};
	const isSatellite = ['+870', '+881', '+882', '+883'].includes(number.slice(0, 4));
	return [names[type] ?? '', ...(isSatellite ? ['satellite'] : [])];
}

/** Whether a number is on the credential's do-not-contact list. */
export function modelLeavesOut({ fields, stored }: Case, number: string): boolean {
	const clean = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase();
	const values = fields.doNotContactValue.split(/[,\n]/).map(clean);
	const isStored = storedPage(stored).items.some(
		(item) => item.number === number && values.includes(clean(item.parameter2)),
	);
	return fields.doNotContactParameter !== '' && isStored;
}

export function modelHours(fields: PolicyFields, number: string, instant: number): boolean {
	const { sendingHoursFrom: from, sendingHoursTo: to } = fields;
	const sendingDays = fields.sendingDays.length > 0 ? fields.sendingDays : [1, 2, 3, 4, 5, 6, 7];
	const isAlways = from === '00:00' && to === '24:00' && sendingDays.length === 7;
	if (isAlways) return true;
	const zones = fields.sendingHoursIn === 'service' ? [SERVICE_ZONE] : timeZonesOf(number);
	return (
		zones.length > 0 &&
		zones.every((zone) => {
			const { day, time } = clockOf(zone, instant);
			return sendingDays.includes(day) && time >= from && time < to;
		})
	);
}

/** Every other number, in several spellings: most policies have no such list. */
const onlyThese = fc
	.record({ place: fc.constantFrom(0, 1), separator: fc.constantFrom(',', '; ', '\n') })
	.map(({ place, separator }) =>
		numbers
			.filter((_, index) => index % 2 === place)
			.map((number, index) => (index % 3 === 0 ? number.replace('+', '00') : number))
			.join(separator),
	);

const twoDigits = (number: number) => String(number).padStart(2, '0');
export const policies = fc
	.record({
		countries: fc.subarray(['GB', 'US', 'FR', 'DE', 'CA', 'IN', 'BR', 'AU', 'RU', 'KZ']),
		blockedNumberTypes: fc.subarray(['premiumRate', 'personalNumber', 'satellite', 'mobile']),
		from: fc.integer({ min: 0, max: 23 }),
		hours: fc.integer({ min: 1, max: 24 }),
		sendingDays: fc.uniqueArray(fc.integer({ min: 1, max: 7 })),
		sendingHoursIn: fc.constantFrom('recipient' as const, 'service' as const),
		onlyTheseNumbers: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, onlyThese),
		maxMessageParts: fc.integer({ min: 0, max: 3 }),
		allowedSenders: fc.oneof(
			{ weight: 3, arbitrary: fc.constant('') },
			fc.constantFrom('Shop', 'Other,\n SHOP ', 'Other'),
		),
		doNotContactParameter: fc.constantFrom('' as const, 'parameter2' as const),
		doNotContactValue: fc.constantFrom('opted out', 'moved, Opted  out', 'customer\nmoved,'),
		pauseSending: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
		stored: fc.subarray(numbers),
	})
	.map(({ countries, from, hours, stored, ...others }): Case => ({
		stored,
		fields: {
			...others,
			allowedCountries: countries.join(','),
			maxRecipients: 0,
			sendingHoursFrom: `${twoDigits(from)}:00`,
			sendingHoursTo: `${twoDigits(Math.min(24, from + hours))}:00`,
		},
	}));

/** Texts of one to three parts. */
export const texts = fc
	.record({ letter: fc.constantFrom('x', '😀'), length: fc.integer({ min: 1, max: 200 }) })
	.map(({ letter, length }) => letter.repeat(letter === 'x' ? 2 * length : length / 2 + 1));

export const instants = fc
	.integer({ min: Date.UTC(2025, 0) / MINUTE, max: Date.UTC(2029, 0) / MINUTE })
	.map((minutes) => minutes * MINUTE);

/** A policy without the rules that refuse a request as a whole, whoever its recipients are. */
export const onlyOfRecipients = (fields: PolicyFields): PolicyFields => ({
	...fields,
	maxMessageParts: 0,
	allowedSenders: '',
	pauseSending: false,
});

/** What the credential says beside the policy: the clock of the service is that of Britain in winter. */
const inUtc = { serviceConventions: true, serviceTimeZone: 'UTC' };

/**
 * Each rule that can forbid texts and calls: a policy that forbids every operation to reach
 * +447700900123, and one that allows it. At 10:00 in UTC on a winter's day, and at what starts then.
 */
export const FORBIDDING: [rule: string, forbids: IDataObject, allows: IDataObject][] = [
	[
		'onlyTheseNumbers',
		{ onlyTheseNumbers: '+442079460958' },
		{ onlyTheseNumbers: '0044 20 7946 0958; +447700900123' },
	],
	['allowedCountries', { allowedCountries: 'IS' }, { allowedCountries: 'gb, IE' }],
	[
		'blockedNumberTypes',
		{ blockedNumberTypes: ['mobile', 'unknown'] },
		{ blockedNumberTypes: ['premiumRate'] },
	],
	...['recipient', 'service'].map((sendingHoursIn): (typeof FORBIDDING)[number] => [
		'sendingHours',
		// One minute: no calling hours fit into it either.
		{ ...inUtc, sendingHoursIn, sendingHoursFrom: '12:30', sendingHoursTo: '12:31' },
		{ ...inUtc, sendingHoursIn, sendingHoursFrom: '08:00', sendingHoursTo: '20:00' },
	]),
	['pauseSending', { pauseSending: true }, { pauseSending: false }],
];

/** Fields that cannot be read, the one that is named, and what is wrong with it. */
export const UNREADABLE: [fields: IDataObject, field: string, problem: string][] = [
	[{ allowedCountries: 'GB, UK1' }, 'Allowed Countries', 'has an unknown code (UK1)'],
	[{ allowedCountries: 'UnitedKingdom' }, 'Allowed Countries', 'has an unknown code (UNITEDKING)'],
	[{ onlyTheseNumbers: '07400 123456' }, 'Only These Numbers', 'has an invalid number (07400'],
	[
		{ onlyTheseNumbers: 'x'.repeat(30) },
		...(['Only These Numbers', `has an invalid number (${'x'.repeat(20)})`] as const),
	],
	[{ onlyTheseNumbers: '+447400123456 me' }, 'Only These Numbers', 'has an invalid number'],
	[{ blockedNumberTypes: ['premium'] }, 'Blocked Number Types', 'cannot be "premium"'],
	[{ maxRecipients: -1 }, 'Max Recipients', 'is less than 0 (-1)'],
	[{ hoursBetweenTexts: 169 }, 'Hours Between Texts', 'is more than 168 (169)'],
	[{ hoursBetweenTexts: 1.5 }, 'Hours Between Texts', 'is not a whole number'],
	[{ allowedSenders: ' , ' }, 'Allowed Senders', 'has no sender'],
	[{ maxMessageParts: -1 }, 'Max Message Parts', 'is less than 0 (-1)'],
	[
		{ doNotContactParameter: 'parameter10' },
		'Do Not Contact: Parameter',
		'cannot be "parameter10"',
	],
	[
		{ doNotContactParameter: 'parameter2', doNotContactValue: ' ' },
		'Do Not Contact: Value',
		'is empty',
	],
	[
		{ doNotContactParameter: 'parameter2', doNotContactValue: ' , \n' },
		'Do Not Contact: Value',
		'is empty',
	],
	[{ maxRecipients: 'many' }, 'Max Recipients', 'is not a whole number'],
	[{ sendingHoursFrom: '25:00' }, 'Sending Hours From', 'is not a time'],
	[{ sendingHoursFrom: '08:75' }, 'Sending Hours From', 'is not a time'],
	[{ sendingHoursFrom: '08:60' }, 'Sending Hours From', 'is not a time'],
	[{ sendingHoursTo: '9:00 pm' }, 'Sending Hours To', 'is not a time'],
	[
		{ sendingHoursFrom: '20:00', sendingHoursTo: '08:00' },
		'Sending Hours To',
		'is not after Sending Hours From',
	],
	[
		{ sendingHoursFrom: '09:00', sendingHoursTo: '09:00' },
		'Sending Hours To',
		'is not after Sending Hours From',
	],
	[{ sendingDays: [8] }, 'Sending Days', 'cannot be "8"'],
	[{ sendingDays: [null] }, 'Sending Days', 'cannot be "null"'],
	[{ sendingHoursIn: 'mine' }, 'Sending Hours In', 'cannot be "mine"'],
	[{ allowedCountries: { toString: null } }, 'A field', 'cannot be read'],
	[{ allowedCountries: ' , ' }, 'Allowed Countries', 'has an unknown code ()'],
	[{ sendingPolicy: 'yes' }, 'The switch', 'is neither on nor off'],
	[{ sendingPolicy: 1 }, 'The switch', 'is neither on nor off'],
];
