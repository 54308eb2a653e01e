import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ParameterReader } from '../../parameters/reader';
import { InputError } from '../../parameters/inputError';
import { readFieldValue } from '../../parameters/fieldValue';
import { readInteger } from '../../parameters/values';
import { readEntries } from './entries';

const intervalField = {
	displayName: 'Interval (Minutes)',
	name: 'interval',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description: 'Minutes before the next attempt',
} satisfies INodeProperties;

/** Call attempts, as an option of a collection; their numbers follow from their order. */
const attemptsField = {
	displayName: 'Attempts',
	name: 'attempts',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Attempt' },
	default: {},
	description: 'How often to call a number, in this order. Without this field, once.',
	options: [{ displayName: 'Attempt', name: 'attempt', values: [intervalField] }],
} satisfies INodeProperties;

const attemptsJsonField = {
	displayName: 'Attempts (JSON)',
	name: 'attemptsJson',
	type: 'json',
	default: '[\n  { "interval": 60 }\n]',
	description: 'Attempts as a JSON array, instead of the list',
} satisfies INodeProperties;

export const attemptsFields: INodeProperties[] = [attemptsField, attemptsJsonField];

/** The request's `attempts`, numbered from 1; undefined when the user set none. */
export function readAttempts(parameters: ParameterReader): IDataObject[] | undefined {
	const entries = readEntries(parameters, attemptsField, attemptsJsonField, 'attempt');
	if (entries === undefined) return undefined;
	const { label, list } = entries;
	if (list.length === 0) {
		throw new InputError(label, 'has no entry', 'Add an attempt, or remove the field.');
	}
	return list.map(({ interval, attemptNumber }, index) => {
		const place = ` of Attempt ${index + 1}`;
		const minutes = readFieldValue(intervalField, interval, `Interval${place}`);
		if (attemptNumber !== undefined) {
			const limits = { min: index + 1, max: index + 1 };
			readInteger(attemptNumber, `Attempt Number${place}`, limits);
		}
		return { interval: minutes, attemptNumber: index + 1 };
	});
}
