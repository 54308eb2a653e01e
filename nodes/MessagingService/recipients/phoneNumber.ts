import type { INodeProperties } from 'n8n-workflow';
import { Failure } from '../failure';
import { regionIn } from '../numbers/countries';
import { NUMBER_TYPE_OPTIONS, type NumberType } from '../numbers/numberTypes';
import { numberingPlanOf } from '../numbers/plans';
import { keyOfDigits, readNumber, type NumberOptions } from '../numbers/readNumber';
import type { OperationInput } from '../parameters/operationInput';
import { isNothing, readText } from '../parameters/values';
import type { Reason } from '../reason';
import { shown } from '../texts';
import type { ServiceSettings } from '../transport/settings';

const allowedTypes = {
	displayName: 'Allowed Number Types',
	name: 'allowedTypes',
	type: 'multiOptions',
	options: NUMBER_TYPE_OPTIONS,
	default: [],
	description:
		'Numbers of other types count as invalid. Leave empty to allow all types. US and Canadian numbers are Fixed Line or Mobile; numbers in unassigned ranges, such as +44 7700 900xxx, are Unknown.',
} satisfies INodeProperties;

/** Not "Name or ID", n8n's usual words for a loaded menu: a country has a code. */
const DEFAULT_COUNTRY = 'Default Country';

const defaultCountry = {
	displayName: DEFAULT_COUNTRY,
	name: 'defaultCountry',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getCountries' },
	default: '',
	description:
		'Country of the phone numbers that have no country code, in place of the one in the credential: 07700 900123 becomes +447700900123. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
} satisfies INodeProperties;

/** A member of the collection `options`. */
export const numberFormat = {
	displayName: 'Number Format',
	name: 'numberFormat',
	type: 'options',
	options: [
		{
			name: 'As Entered',
			value: 'asEntered',
			description: 'Send what the field holds; the number is only checked',
		},
		{
			name: 'International',
			value: 'international',
			description: 'Send +447700900123, also for 0044 7700 900-123',
		},
	],
	default: 'international',
	description:
		'How phone numbers are sent. A number whose country is unknown is always sent as entered.',
} satisfies INodeProperties;

/** Which numbers are valid: members of the collection `options`. */
export const numberReadingOptions: INodeProperties[] = [defaultCountry, allowedTypes];

/** How phone numbers are read. @throws Failure for a value that is not allowed */
export function readNumberOptions(input: OperationInput): NumberOptions {
	const { parameters } = input;
	const types = parameters.member('options', allowedTypes) as NumberType[] | undefined;
	return {
		isEntered: true,
		defaultCountry: readCountry(input),
		format:
			parameters.member('options', numberFormat) === 'asEntered' ? 'asEntered' : 'international',
		allowedTypes: types === undefined ? undefined : new Set(types),
	};
}

/** The node's country, or the credential's. Empty where the node's has none for the row. */
function readCountry({ parameters, client }: OperationInput): string | undefined {
	const own = parameters.added('options', defaultCountry.name, DEFAULT_COUNTRY);
	if (own === undefined) return countryOf(client.settings);
	// The credential's would complete it to the number of somebody in another country.
	if (isNothing(own.value)) return '';
	return readRegion(readText(own.value, DEFAULT_COUNTRY), DEFAULT_COUNTRY);
}

/** The country of the credential; undefined where it has none. @throws Failure for no country */
export function countryOf({ defaultCountry: entered }: ServiceSettings): string | undefined {
	return entered === '' ? undefined : readRegion(entered, `${DEFAULT_COUNTRY} of the credential`);
}

function readRegion(entered: string, label: string): string {
	const region = regionIn(entered);
	if (numberingPlanOf(region) !== undefined) return region;
	throw Failure.ofField(
		label,
		`is not a country code (${shown(entered)})`,
		'Use a two-letter code of ISO 3166-1, for example GB for the United Kingdom.',
	);
}

/**
 * The only place where a raw value of a row becomes a phone number. One that is not used has its text,
 * for those who send it anyway.
 */
export function readRecipientNumber(value: unknown, options: NumberOptions) {
	const reading = readNumber(value, options);
	if (reading.problem === undefined) return reading;
	const isText = ['string', 'number', 'bigint'].includes(typeof value);
	const number = isText ? String(value) : '';
	return { ...reading, number, key: comparisonKey(number, value, options) };
}

/** The same text for the same person, by a number as a request has it. */
export function personOf(number: unknown): string {
	const reading = readNumber(number, { format: 'international' });
	return reading.problem === undefined ? reading.key : String(number as string);
}

/** What a number that is sent as entered is compared by: the number, its digits or its text. */
function comparisonKey(text: string, value: unknown, options: NumberOptions): string | undefined {
	const reading = readNumber(value, { ...options, allowedTypes: undefined });
	if (reading.problem === undefined) return reading.key;
	if (!/^[\d\s()[\].+/-]*\d[\d\s()[\].+/-]*$/.test(text)) return text.trim() || undefined;
	return keyOfDigits(text.replace(/\D/g, ''));
}

const invalidNumber = {
	displayName: 'On Invalid Phone Number',
	name: 'unusable',
	type: 'options',
	options: [
		{
			name: 'Send Anyway',
			value: 'send',
			description: 'Send it as entered and let the service decide',
		},
		{ name: 'Stop', value: 'stop', description: 'Send nothing to it and report it' },
	],
	default: 'stop',
	description: 'What to do with a phone number that is damaged, impossible or not allowed',
} satisfies INodeProperties;

/** Members of the collection `options` of operations that take one phone number. */
export const singleNumberOptions: INodeProperties[] = [
	invalidNumber,
	...numberReadingOptions,
	numberFormat,
];

/**
 * The phone number of an operation that takes one, as it is sent.
 * @throws Failure when it is invalid, unless the user sends it anyway
 */
export function readSingleNumber(
	input: OperationInput,
	field: INodeProperties & { type: 'string' },
): string {
	const entered = input.parameters.read(field);
	// Read for valid numbers too: an option that cannot be read is refused, not ignored.
	const isAnywaySent = input.parameters.member('options', invalidNumber) === 'send';
	const reading = readRecipientNumber(entered, readNumberOptions(input));
	if (reading.problem === undefined || isAnywaySent) return reading.number;
	throw invalidIn(field, reading.problem);
}

/** The error of a field whose phone number cannot be used. */
export function invalidIn({ displayName }: INodeProperties, { text, advice }: Reason): Failure {
	return Failure.ofField(displayName, text, advice);
}
