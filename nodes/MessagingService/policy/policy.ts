import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { NUMBER_TYPES, type NumberType } from '../numbers/numberTypes';
import { regions } from '../numbers/plans';
import type { Failure } from '../transport/errors';
import type { SendingHours } from './sendingHours';

/** The sending policy of a credential: what holds for every request that reaches people. */
export interface SendingPolicy {
	/** ISO 3166-1 alpha-2; empty: all countries. */
	countries: ReadonlySet<string>;
	blockedTypes: ReadonlySet<NumberType>;
	/** Maximum number of recipients of one node in one execution; undefined without a limit. */
	maxRecipients: number | undefined;
	/** Undefined: at any time. */
	hours: SendingHours | undefined;
	/** Whose clock the hours are read on. */
	hoursIn: 'recipient' | 'service';
	/** Everything is checked, and nothing is sent. */
	isSimulated: boolean;
}

const ALL_DAYS: readonly number[] = [1, 2, 3, 4, 5, 6, 7];
const MINUTES_OF_DAY = 1440;

/** A field of the policy that cannot be read: then nothing is sent at all. */
class InvalidPolicy extends Error {
	readonly failure: Failure;

	constructor(field: string, problem: string, advice: string) {
		super(problem);
		this.failure = {
			message: `Sending Policy: ${field} ${problem}`,
			description: `Fix it in the credential. ${advice} Until then, nothing is sent with this credential.`,
			field,
			sent: 'no',
		};
	}
}

/**
 * Reads the policy. A policy that it cannot read refuses to send: a typing error must not open it.
 * @returns undefined where the policy is off; what is wrong with it where it cannot be read
 */
export function readPolicy(
	data: ICredentialDataDecryptedObject,
): SendingPolicy | Failure | undefined {
	if (isOff(data.sendingPolicy)) return undefined;
	try {
		assertOn(data.sendingPolicy);
		return {
			countries: readCountries(data.allowedCountries),
			blockedTypes: readTypes(data.blockedNumberTypes ?? ['premiumRate']),
			maxRecipients: readMaxRecipients(data.maxRecipients),
			hours: readHours(data),
			hoursIn: readZoneChoice(data.sendingHoursIn),
			isSimulated: !isOff(data.simulate),
		};
	} catch (error) {
		const invalid =
			error instanceof InvalidPolicy
				? error
				: new InvalidPolicy('A field', 'cannot be read', 'Save the credential again.');
		return invalid.failure;
	}
}

function isOff(value: unknown): boolean {
	return [undefined, null, false, '', 'false'].includes(value as undefined);
}

/** With any other value, n8n hides the rules and leaves them out of the credential. */
function assertOn(value: unknown) {
	if (value === true) return;
	throw new InvalidPolicy('The switch', 'is neither on nor off', 'Use the switch of the form.');
}

function isNone(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** The entries of a list: an array, or a text with commas, semicolons or spaces between them. */
function entriesOf(value: unknown): string[] {
	const parts: unknown[] = Array.isArray(value)
		? value
		: String(isNone(value) ? '' : (value as string)).split(/[\s,;]+/);
	return parts.map((part) => String(part).trim()).filter((part) => part !== '');
}

function readCountries(value: unknown): Set<string> {
	const countries = new Set(entriesOf(value).map((code) => code.toUpperCase()));
	if (countries.size === 0) {
		if (isNone(value) || Array.isArray(value)) return countries;
		throw new InvalidPolicy(
			'Allowed Countries',
			'has no country code',
			'Use two-letter country codes with commas between them, for example GB, IE, or leave it empty.',
		);
	}
	const known = new Set(regions());
	for (const code of countries) {
		if (known.has(code)) continue;
		throw new InvalidPolicy(
			'Allowed Countries',
			`has an unknown code (${code.slice(0, 10)})`,
			'Use two-letter country codes with commas between them, for example GB, IE.',
		);
	}
	return countries;
}

function readTypes(value: unknown): Set<NumberType> {
	const types = entriesOf(value);
	const unknown = types.find((type) => !NUMBER_TYPES.includes(type as NumberType));
	if (unknown === undefined) return new Set(types as NumberType[]);
	throw new InvalidPolicy(
		'Blocked Number Types',
		`has an unknown type (${unknown.slice(0, 20)})`,
		`Use these: ${NUMBER_TYPES.join(', ')}.`,
	);
}

function readMaxRecipients(value: unknown): number | undefined {
	const max = isNone(value) ? 0 : Number(value);
	if (Number.isSafeInteger(max) && max >= 0) return max === 0 ? undefined : max;
	throw new InvalidPolicy(
		'Max Recipients',
		'is not a whole number',
		'Enter a number of recipients, or 0 for no limit.',
	);
}

function readHours(data: ICredentialDataDecryptedObject): SendingHours | undefined {
	const from = readTime(data.sendingHoursFrom, 'Sending Hours From', 0);
	const to = readTime(data.sendingHoursTo, 'Sending Hours To', MINUTES_OF_DAY);
	const days = readDays(data.sendingDays);
	if (to <= from) {
		throw new InvalidPolicy(
			'Sending Hours To',
			'is not after Sending Hours From',
			'Choose a later time of the same day, for example 09:00 to 20:00.',
		);
	}
	const isAlways = from === 0 && to === MINUTES_OF_DAY && days.size === ALL_DAYS.length;
	return isAlways ? undefined : { from, to, days };
}

/** Minutes after midnight; 24:00 is the end of the day. */
function readTime(value: unknown, field: string, preset: number): number {
	if (isNone(value)) return preset;
	const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(String(value).trim()) ?? [];
	const time = Number(hours) * 60 + Number(minutes);
	if (Number(minutes) <= 59 && time <= MINUTES_OF_DAY) return time;
	throw new InvalidPolicy(field, 'is not a time', 'Write it as HH:mm, for example 09:00.');
}

function readDays(value: unknown): Set<number> {
	const days = isNone(value) ? ALL_DAYS : entriesOf(value).map(Number);
	if (days.length > 0 && days.every((day) => ALL_DAYS.includes(day))) return new Set(days);
	throw new InvalidPolicy(
		'Sending Days',
		days.length === 0 ? 'is empty' : 'has an unknown day',
		'Select at least one day of the week.',
	);
}

function readZoneChoice(value: unknown): 'recipient' | 'service' {
	if (isNone(value) || value === 'recipient') return 'recipient';
	if (value === 'service') return 'service';
	throw new InvalidPolicy(
		'Sending Hours In',
		'has an unknown value',
		'Select the time zone of the recipient or of the service.',
	);
}
