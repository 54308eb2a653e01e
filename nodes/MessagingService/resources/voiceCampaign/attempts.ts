import { range } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { Failure } from '../../failure';
import type { ParameterReader } from '../../parameters/reader';
import { entriesOf, readFieldValue } from '../../parameters/values';

const intervalField = {
	displayName: 'Interval (Minutes)',
	name: 'interval',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description: 'Minutes to wait before the next attempt',
} satisfies INodeProperties;

const attemptCountField = {
	displayName: 'How Many Attempts',
	name: 'attemptCount',
	type: 'number',
	// Nobody wants more, and a phone number that is taken for a count would fill the memory.
	typeOptions: { minValue: 1, maxValue: 100 },
	default: 1,
	description: 'How often to call a number that was not reached, the first call included',
} satisfies INodeProperties;

const minutesBetweenField = {
	displayName: 'Minutes Between',
	name: 'minutesBetween',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description: 'Minutes to wait before the next attempt',
	displayOptions: { hide: { attemptCount: [1] } },
} satisfies INodeProperties;

/** How often each number is called. */
export const attemptFields: INodeProperties[] = [attemptCountField, minutesBetweenField];

/**
 * Attempts with different intervals, numbered by their order: a member of the collection
 * `additionalFields`.
 */
export const attemptListField = {
	displayName: 'Attempt List',
	name: 'attempts',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Attempt',
	default: {},
	description: 'One entry per call, each with its own interval, in place of How Many Attempts',
	options: [{ displayName: 'Attempt', name: 'attempt', values: [intervalField] }],
} satisfies INodeProperties;

/** The request's `attempts`, numbered from 1; undefined when the user set none. */
export function readAttempts(parameters: ParameterReader): IDataObject[] | undefined {
	const entered = parameters.member('additionalFields', attemptListField);
	if (entered === undefined) return equalAttempts(parameters);
	const { displayName: label } = attemptListField;
	const list = entriesOf(entered, 'attempt', label) as IDataObject[];
	if (list.length === 0) {
		throw Failure.ofField(label, 'has no entry', 'Add an attempt, or remove the field.');
	}
	return list.map(({ interval }, index) => ({
		interval: readFieldValue(intervalField, interval, `Interval of Attempt ${index + 1}`),
		attemptNumber: index + 1,
	}));
}

/** Undefined for one: the service makes it without being told. */
function equalAttempts(parameters: ParameterReader): IDataObject[] | undefined {
	const count = parameters.optional(attemptCountField) ?? 1;
	if (count === 1) return undefined;
	const interval = parameters.optional(minutesBetweenField) ?? minutesBetweenField.default;
	return range(1, count + 1).map((attemptNumber) => ({ interval, attemptNumber }));
}
