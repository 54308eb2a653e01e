import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { shorten } from '../texts';
import { NUMBER_TYPES, type NumberType } from '../numbers/numberTypes';
import { regions } from '../numbers/plans';
import { internationalForm } from '../numbers/readNumber';
import { isNothing, readInteger, readOption } from '../parameters/values';
import type { SendingHours } from './sendingHours';
import { PARAMETER_NAMES, type StoredMatch } from './storedNumbers';

/** The sending policy of a credential: what holds for every request that reaches people. */
export interface SendingPolicy {
	/** The only numbers to reach, in E.164; undefined: all numbers. */
	onlyThese: ReadonlySet<string> | undefined;
	/** ISO 3166-1 alpha-2; empty: all countries. */
	countries: ReadonlySet<string>;
	blockedTypes: ReadonlySet<NumberType>;
	/** Maximum number of recipients of one node in one execution; undefined without a limit. */
	maxRecipients: number | undefined;
	/** Maximum number of billed parts of a text; undefined without a limit. */
	maxMessageParts: number | undefined;
	/** Which stored numbers are not contacted; undefined: none of them is looked at. */
	doNotContact: StoredMatch | undefined;
	/** Nothing is sent. */
	isPaused: boolean;
	/** Undefined: at any time. */
	hours: SendingHours | undefined;
	/** Whose clock the hours are read on. */
	hoursIn: 'recipient' | 'service';
	/** Everything is checked, and nothing is sent. */
	isSimulated: boolean;
}

/** n8n's title has room for so many. */
const MAX_TITLE_CHARACTERS = 80;

const DAYS = ['1', '2', '3', '4', '5', '6', '7'] as const;
const MINUTES_OF_DAY = 1440;

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
			onlyThese: readTrial(data.onlyTheseNumbers),
			countries: readCountries(data.allowedCountries),
			blockedTypes: new Set(
				listOf(data.blockedNumberTypes, ['premiumRate'], 'Blocked Number Types', NUMBER_TYPES),
			),
			maxRecipients: readMaximum(data.maxRecipients, 'Max Recipients'),
			maxMessageParts: readMaximum(data.maxMessageParts, 'Max Message Parts'),
			doNotContact: readDoNotContact(data),
			isPaused: !isOff(data.pauseSending),
			hours: readHours(data),
			hoursIn: isNothing(data.sendingHoursIn)
				? 'recipient'
				: readOption(data.sendingHoursIn, 'Sending Hours In', ['recipient', 'service']),
			isSimulated: !isOff(data.simulate),
		};
	} catch (cause) {
		const invalid =
			cause instanceof Failure
				? cause
				: Failure.ofField('A field', 'cannot be read', 'Save the credential again.');
		return new Failure(
			shorten(`Sending Policy: ${invalid.message}`, MAX_TITLE_CHARACTERS),
			`Fix it in the credential. ${invalid.description} Until then, nothing is sent with this credential.`,
			{ field: invalid.facts.field },
		);
	}
}

function isOff(value: unknown): boolean {
	return [undefined, null, false, '', 'false'].includes(value as undefined);
}

/** With any other value, n8n hides the rules and leaves them out of the credential. */
function assertOn(value: unknown) {
	if (value === true) return;
	throw Failure.ofField('The switch', 'is neither on nor off', 'Use the switch of the form.');
}

/** The entries of a list: an array, or a text with commas, semicolons or spaces between them. */
function entriesOf(value: unknown): string[] {
	const parts: unknown[] = Array.isArray(value) ? value : String(value as string).split(/[\s,;]+/);
	return parts.map((part) => String(part).trim()).filter((part) => part !== '');
}

function listOf<Value extends string>(
	value: unknown,
	preset: readonly Value[],
	label: string,
	allowed: readonly Value[],
): readonly Value[] {
	if (isNothing(value)) return preset;
	return entriesOf(value).map((entry) => readOption(entry, label, allowed));
}

function readTrial(value: unknown): Set<string> | undefined {
	if (isNothing(value)) return undefined;
	const numbers = String(value as string)
		.split(/[,;\n]/)
		.filter((entry) => entry.trim() !== '')
		.map((entry) => {
			const number = internationalForm(entry);
			if (number !== undefined) return number;
			throw Failure.ofField(
				'Only These Numbers',
				`has an invalid number (${entry.trim().slice(0, 20)})`,
				'Write each number with + and its country code, with commas between them, for example +447700900123, +447700900124.',
			);
		});
	return new Set(numbers);
}

function readCountries(value: unknown): Set<string> {
	if (isNothing(value)) return new Set();
	const known = new Set(regions());
	const countries = entriesOf(value).map((code) => code.toUpperCase());
	const unknown = countries.find((code) => !known.has(code));
	if (unknown === undefined && countries.length > 0) return new Set(countries);
	throw Failure.ofField(
		'Allowed Countries',
		`has an unknown code (${(unknown ?? '').slice(0, 10)})`,
		'Use two-letter country codes with commas between them, for example GB, IE, or leave it empty.',
	);
}

function readMaximum(value: unknown, label: string): number | undefined {
	const max = isNothing(value) ? 0 : readInteger(value, label, { min: 0 });
	return max === 0 ? undefined : max;
}

function readDoNotContact(data: ICredentialDataDecryptedObject): StoredMatch | undefined {
	if (isNothing(data.doNotContactParameter)) return undefined;
	const parameter = readOption(
		data.doNotContactParameter,
		'Do Not Contact: Parameter',
		PARAMETER_NAMES,
	);
	if (isNothing(data.doNotContactValue)) {
		throw Failure.ofField(
			'Do Not Contact: Value',
			'is empty',
			'Enter the value that stored numbers have which must not be contacted, for example opted out.',
		);
	}
	return { parameter, value: String(data.doNotContactValue) };
}

function readHours(data: ICredentialDataDecryptedObject): SendingHours | undefined {
	const from = readTime(data.sendingHoursFrom, 'Sending Hours From', 0);
	const to = readTime(data.sendingHoursTo, 'Sending Hours To', MINUTES_OF_DAY);
	const days = new Set(listOf(data.sendingDays, DAYS, 'Sending Days', DAYS).map(Number));
	if (days.size === 0) {
		throw Failure.ofField('Sending Days', 'is empty', 'Select at least one day of the week.');
	}
	if (to <= from) {
		throw Failure.ofField(
			'Sending Hours To',
			'is not after Sending Hours From',
			'Choose a later time of the same day, for example 09:00 to 20:00.',
		);
	}
	const isAlways = from === 0 && to === MINUTES_OF_DAY && days.size === DAYS.length;
	return isAlways ? undefined : { from, to, days };
}

/** Minutes after midnight; 24:00 is the end of the day. */
function readTime(value: unknown, field: string, preset: number): number {
	if (isNothing(value)) return preset;
	const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(String(value).trim()) ?? [];
	const time = Number(hours) * 60 + Number(minutes);
	if (Number(minutes) <= 59 && time <= MINUTES_OF_DAY) return time;
	throw Failure.ofField(field, 'is not a time', 'Write it as HH:mm, for example 09:00.');
}
