import { range } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { Failure } from '../../failure';
import { toDateText, toTimeText } from '../shared/dates';
import { assertKnownNames, entriesOf, readFieldValue, readInteger } from '../../parameters/values';
import type { ParameterReader } from '../../parameters/reader';

const RUNOVER_DAYS = 'Extra Calling Days';

const timeField = (
	displayName: string,
	name: string,
	sample: string,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder: `e.g. ${sample}`,
	description,
});

const dateField = (...texts: Parameters<typeof timeField>): INodeProperties => ({
	...timeField(...texts),
	type: 'dateTime',
	typeOptions: { dateOnly: true },
});

/** When a voice campaign runs on its first day (interface, "Voice campaign create request"). */
export const scheduleFields: INodeProperties[] = [
	{
		...dateField(
			'Start Date',
			'startDate',
			'2030-05-17',
			'First day of the campaign, in the future. In an expression, as YYYY-MM-DD.',
		),
		required: true,
		builderHint: {
			propertyHint:
				"YYYY-MM-DD, in the future. In a workflow that runs repeatedly, use an expression such as expr('{{ $now.plus({ days: 1 }).toISODate() }}').",
		},
	},
	{
		...timeField(
			'Start Time',
			'startTime',
			'09:00',
			'Time at which calls start, as HH:mm in the time zone of the service',
		),
		default: '09:00',
		required: true,
		builderHint: { propertyHint: 'HH:mm on a 24-hour clock, in the time zone of the service.' },
	},
	{
		...timeField(
			'Finish Time',
			'finishTime',
			'17:00',
			'Time at which calls stop, as HH:mm in the time zone of the service',
		),
		default: '17:00',
		required: true,
		builderHint: { propertyHint: 'HH:mm on a 24-hour clock, later than Start Time.' },
	},
];

const runoverDaysField = {
	displayName: RUNOVER_DAYS,
	name: 'runoverDays',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Day',
	default: {},
	description: 'Extra days for calls that did not fit into the first day',
	options: [
		{
			displayName: 'Day',
			name: 'day',
			values: [
				dateField('Date', 'date', '2030-05-18', 'In an expression, as YYYY-MM-DD'),
				timeField('Start Time', 'startTime', '09:30', 'As HH:mm'),
				timeField('Finish Time', 'finishTime', '17:30', 'As HH:mm'),
			],
		},
	],
} satisfies INodeProperties;

const runoverDaysJsonField = {
	displayName: `${RUNOVER_DAYS} (JSON)`,
	name: 'runoverDaysJson',
	type: 'json',
	default: '[\n  { "date": "2030-05-18", "startTime": "09:30", "finishTime": "17:30" }\n]',
	description: 'Extra days as a JSON array, instead of the list',
} satisfies INodeProperties;

/** Further days on which the campaign runs, as options of a collection. */
export const runoverDaysFields: INodeProperties[] = [runoverDaysField, runoverDaysJsonField];

/**
 * The first day's schedule, checked: the start is in the future, the finish after the start.
 * @param zone IANA zone of the service's dates and times
 */
export function readSchedule(parameters: ParameterReader, zone: string) {
	const day = {
		date: parameters.value('startDate', 'Start Date'),
		startTime: parameters.value('startTime', 'Start Time'),
		finishTime: parameters.value('finishTime', 'Finish Time'),
	};
	const { date: startDate, startTime, finishTime } = readDay(day, zone, ['Start Date', '']);
	if (DateTime.fromISO(`${startDate}T${startTime}`, { zone }) <= DateTime.utc()) {
		throw Failure.ofField(
			'Start Date',
			`is not in the future (${startDate} ${startTime})`,
			`The service starts campaigns in the future only, by its clock in ${zone}. Choose a later Start Date or Start Time.`,
		);
	}
	return { startDate, startTime, finishTime };
}

/** The request's `runoverDays`, each checked; undefined when the user set none. */
export function readRunoverDays(parameters: ParameterReader, zone: string) {
	const entries = readEntries(parameters, runoverDaysField, runoverDaysJsonField, 'day');
	if (entries === undefined) return undefined;
	assertKnownNames(entries.list, ['date', 'startTime', 'finishTime'], entries.label);
	return entries.list.map((day, index) => {
		const place = ` of Extra Calling Day ${index + 1}`;
		return readDay(day, zone, [`Date${place}`, place]);
	});
}

/** A day as `YYYY-MM-DD` and its times as `HH:mm`, in the service's zone. */
function readDay(
	day: { date?: unknown; startTime?: unknown; finishTime?: unknown },
	zone: string,
	[dateLabel, place]: [string, string],
) {
	const date = toDateText(day.date, zone, dateLabel);
	const startTime = toTimeText(day.startTime, zone, `Start Time${place}`);
	const finishTime = toTimeText(day.finishTime, zone, `Finish Time${place}`);
	if (finishTime <= startTime) {
		throw Failure.ofField(
			`Finish Time${place}`,
			`is not after the start time (${startTime} to ${finishTime})`,
			'Choose a later finish time. For calls past midnight, add an extra calling day.',
		);
	}
	return { date, startTime, finishTime };
}

/** What is odd about the extra days. It is noted, not refused: the interface does not forbid it. */
export function oddDays(startDate: string, extraDays: readonly { date: string }[]): string[] {
	const dates = [startDate, ...extraDays.map(({ date }) => date)];
	return dates.flatMap((date, index) => {
		const day = `Extra Calling Day ${index} (${date})`;
		if (date < startDate) return `${day} is before Start Date: no calls may be made then.`;
		if (dates.indexOf(date) === index) return [];
		return `${day} has the date of another day: one of them may be ignored.`;
	});
}

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

/** Attempts with different intervals, as an option of a collection; their order numbers them. */
const attemptsField = {
	displayName: 'Attempt List',
	name: 'attempts',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Attempt',
	default: {},
	description: 'One entry per call, each with its own interval, in place of How Many Attempts',
	options: [{ displayName: 'Attempt', name: 'attempt', values: [intervalField] }],
} satisfies INodeProperties;

const attemptsJsonField = {
	displayName: 'Attempt List (JSON)',
	name: 'attemptsJson',
	type: 'json',
	default: '[\n  { "interval": 60 }\n]',
	description: 'Attempts as a JSON array, in place of How Many Attempts',
} satisfies INodeProperties;

export const attemptListFields: INodeProperties[] = [attemptsField, attemptsJsonField];

/** The request's `attempts`, numbered from 1; undefined when the user set none. */
export function readAttempts(parameters: ParameterReader): IDataObject[] | undefined {
	const entries = readEntries(parameters, attemptsField, attemptsJsonField, 'attempt');
	if (entries === undefined) return equalAttempts(parameters);
	const { label, list } = entries;
	if (list.length === 0) {
		throw Failure.ofField(label, 'has no entry', 'Add an attempt, or remove the field.');
	}
	assertKnownNames(list, ['interval', 'attemptNumber'], label);
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

/** Undefined for one: the service makes it without being told. */
function equalAttempts(parameters: ParameterReader): IDataObject[] | undefined {
	const count = parameters.optional(attemptCountField) ?? 1;
	if (count === 1) return undefined;
	const interval = parameters.optional(minutesBetweenField) ?? minutesBetweenField.default;
	return range(1, count + 1).map((attemptNumber) => ({ interval, attemptNumber }));
}

/**
 * The entries of a list that the user fills in either in the form or as JSON; undefined when neither
 * is set.
 * @param group name of one entry in the form's fixed collection
 */
function readEntries(
	parameters: ParameterReader,
	formField: INodeProperties & { type: 'fixedCollection' },
	jsonField: INodeProperties & { type: 'json' },
	group: string,
): { label: string; list: IDataObject[] } | undefined {
	const form = parameters.member('additionalFields', formField);
	const json = parameters.member('additionalFields', jsonField);
	if (form === undefined && json === undefined) return undefined;
	if (form !== undefined && json !== undefined) {
		throw Failure.ofField(
			jsonField.displayName,
			`and ${formField.displayName} are both set`,
			'Remove one of the two fields.',
		);
	}
	const label = form === undefined ? jsonField.displayName : formField.displayName;
	return { label, list: entriesOf(form ?? json, group, label) as IDataObject[] };
}
