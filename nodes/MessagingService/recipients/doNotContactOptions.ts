import { isEqual, upperFirst } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { OperationInput, OptOutMatch } from '../parameters/operationInput';
import { Failure } from '../failure';
import { shown } from '../texts';
import { readNumber, type NumberOptions, type ReadNumber } from '../numbers/readNumber';
import { entriesOf, assertSomething, isNothing, readOption, readText } from '../parameters/values';
import { NumberList } from '../numbers/numberList';
import { readingOnce, SharedReadings } from '../transport/sharedReadings';
import type { ReadClient } from '../transport/request';
import { readNumberOptions } from './phoneNumber';
import { clauseOf, type Screen } from '../reason';
import {
	PARAMETER_NAMES,
	PARAMETER_OPTIONS,
	readStoredNumbers,
	screenAgainst,
	type StoredNumbers,
} from '../policy/storedNumbers';

const NUMBERS = 'Do Not Contact';
const STORED = 'Skip Stored Numbers';

/** Members of the collection `options` of operations that send to numbers. */
export const doNotContactOptions: INodeProperties[] = [
	{
		displayName: NUMBERS,
		name: 'doNotContactNumbers',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. +447700900123, +447700900456',
		description:
			'Numbers that are left out, with commas or line breaks between them. An expression may return an array of numbers.',
	},
	{
		displayName: STORED,
		name: 'doNotContactStored',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Match',
		default: {},
		description:
			'Stored phone numbers that are left out. n8n reads the stored numbers once per execution.',
		options: [
			{
				displayName: 'Match',
				name: 'match',
				values: [
					{
						displayName: 'Parameter',
						name: 'parameter',
						type: 'options',
						options: PARAMETER_OPTIONS,
						default: 'parameter1',
						description: 'Parameter that says whether a number is left out',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. Opt out',
						description:
							'A number is left out if the parameter equals this value (capitals, blanks and hyphens do not matter)',
					},
				],
			},
		],
	},
];

/** An input of which the stored numbers may be read. */
type ListInput = OperationInput & {
	client: ReadClient;
	/** Is told of stored numbers that are no phone numbers, by their storage IDs. */
	noteUnreadable?(storageIds: readonly string[]): void;
};

/** The stored numbers that were read in each execution, by its context. */
const storedOfExecutions = new WeakMap<object, SharedReadings<StoredNumbers>>();

/** What they are for all rows of a run, also where they cannot be read: the next run reads again. */
const storedOfRun = readingOnce<StoredNumbers>();

/** The list that a run has read last: all messages of a run mostly have the same one. */
const enteredBefore = new WeakMap<
	object,
	{ value: unknown; country: string | undefined; numbers: NumberList }
>();

/**
 * Reads the numbers that must not be contacted: once for all messages of a run, unless an expression
 * depends on the input item.
 * @returns undefined where the user set none
 * @throws Failure for a list that cannot be read; what reading the stored numbers throws
 */
export async function readDoNotContact(input: ListInput): Promise<Screen | undefined> {
	// First, because it names the field that differs between the items.
	const { defaultCountry } = readNumberOptions(input);
	const reading: NumberOptions = { format: 'international', defaultCountry };
	const entered = readEntered(input, reading);
	const matches = readMatches(input);
	if (entered === undefined && matches.length === 0) return undefined;
	const stored = matches.length === 0 ? undefined : await readStored(input, matches, reading);
	if (stored !== undefined) input.noteUnreadable?.(stored.unreadable);
	return screenAgainst(
		[
			...(entered === undefined ? [] : [[entered, `in "${NUMBERS}"`] as const]),
			...(stored === undefined
				? []
				: [[stored.numbers, 'a stored number that must not be contacted'] as const]),
		],
		reading,
		'It stays left out while it is in the list.',
	);
}

/** @throws what reading them throws, for each row of the run */
async function readStored(
	{ client, context }: ListInput,
	matches: readonly OptOutMatch[],
	reading: NumberOptions,
): Promise<StoredNumbers> {
	const execution = context.getContext('flow');
	const shared = storedOfExecutions.get(execution) ?? new SharedReadings(Infinity);
	storedOfExecutions.set(execution, shared);
	return await storedOfRun(client, [matches, reading], async () => {
		const question = JSON.stringify([client.accountKey, matches, reading]);
		const read = async () => readStoredNumbers(client, matches, reading);
		return (await shared.get(question, read)).value;
	});
}

function readEntered(
	{ context, parameters }: ListInput,
	options: NumberOptions,
): NumberList | undefined {
	const added = parameters.added('options', 'doNotContactNumbers', NUMBERS);
	if (added === undefined) return undefined;
	const { value } = added;
	// An expression that finds nothing would leave nobody out; an empty list or text is meant.
	if (value === undefined || value === null) assertSomething(value, NUMBERS);
	if (isNothing(value)) return undefined;
	const { defaultCountry: country } = options;
	const known = enteredBefore.get(context);
	if (known?.country === country && isEqual(known?.value, value)) return known?.numbers;
	const list = Array.isArray(value)
		? (value as unknown[])
		: readText(value, NUMBERS).split(/[,;\n]/);
	// What an expression gives that names a field which no row has: a cell may be empty.
	const isMissing = (each: unknown) => isNothing(each) && (each !== '' || list.length > 1);
	if (list.length > 0 && list.every(isMissing)) {
		throw Failure.ofField(
			NUMBERS,
			'has only empty entries',
			'Check the name of the input field in its expression. To leave out nobody, return an empty array.',
		);
	}
	const numbers = new NumberList();
	for (const each of list) {
		if (!isNothing(each)) numbers.add(readOne(each, options));
	}
	enteredBefore.set(context, { value, country, numbers });
	return numbers;
}

/** A number that cannot be read would not protect its owner, so it is an error. */
function readOne(value: unknown, options: NumberOptions): ReadNumber {
	const reading = readNumber(value, { ...options, isEntered: true });
	if (reading.problem === undefined) return reading;
	throw Failure.ofField(
		NUMBERS,
		`has an invalid number (${shown(value)})`,
		`${upperFirst(clauseOf(reading.problem))}. Fix or remove it.`,
	);
}

function readMatches({ parameters }: ListInput): OptOutMatch[] {
	const added = parameters.added('options', 'doNotContactStored', STORED);
	if (added === undefined) return [];
	const entries = entriesOf(added.value, 'match', STORED);
	if (entries.length === 0) {
		throw Failure.ofField(
			STORED,
			'has no match',
			'Add a Match with the value of the stored numbers to leave out, or remove the option.',
		);
	}
	return entries.map((entry) => {
		const { parameter, value } = entry as IDataObject;
		return {
			parameter: readOption(parameter, 'Parameter', PARAMETER_NAMES),
			value: readText(value, `Value of ${STORED}`),
		};
	});
}
