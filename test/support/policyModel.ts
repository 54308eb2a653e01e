import fc from 'fast-check';
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
}

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

/** The slow model: libphonenumber-js and the clock of Intl, one number at a time. */
export function modelAllows(fields: PolicyFields, number: string, instant: number): boolean {
	const parsed = parsePhoneNumberFromString(number);
	const trial = fields.onlyTheseNumbers.split(/[,;\n]/).filter(Boolean);
	const plain = (text: string) => text.trim().replace(/^00/, '+');
	if (trial.length > 0 && !trial.map(plain).includes(number)) return false;
	const allowed = fields.allowedCountries.split(',').filter(Boolean);
	if (allowed.length > 0 && !allowed.includes(parsed?.country ?? '')) return false;
	const isPremium = parsed?.getType() === 'PREMIUM_RATE';
	if (isPremium && fields.blockedNumberTypes.includes('premiumRate')) return false;
	const isMobile = parsed?.getType() === 'MOBILE';
	if (isMobile && fields.blockedNumberTypes.includes('mobile')) return false;
	return modelHours(fields, number, instant);
}

export function modelHours(fields: PolicyFields, number: string, instant: number): boolean {
	const { sendingHoursFrom: from, sendingHoursTo: to, sendingDays } = fields;
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
		blockedNumberTypes: fc.subarray(['premiumRate', 'mobile']),
		from: fc.integer({ min: 0, max: 23 }),
		hours: fc.integer({ min: 1, max: 24 }),
		sendingDays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
		sendingHoursIn: fc.constantFrom('recipient' as const, 'service' as const),
		onlyTheseNumbers: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, onlyThese),
	})
	.map(({ countries, from, hours, ...others }): PolicyFields => ({
		...others,
		allowedCountries: countries.join(','),
		maxRecipients: 0,
		sendingHoursFrom: `${twoDigits(from)}:00`,
		sendingHoursTo: `${twoDigits(Math.min(24, from + hours))}:00`,
	}));

export const instants = fc
	.integer({ min: Date.UTC(2025, 0) / MINUTE, max: Date.UTC(2029, 0) / MINUTE })
	.map((minutes) => minutes * MINUTE);
