import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';
import { Failure } from '../../failure';
import type { ParameterReader } from '../../parameters/reader';
import { entriesOf } from '../../parameters/values';
import { toDateText, toTimeText } from '../shared/dates';

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

/** Further days on which the campaign runs: a member of the collection `additionalFields`. */
export const runoverDaysField = {
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
	const entered = parameters.member('additionalFields', runoverDaysField);
	if (entered === undefined) return undefined;
	return entriesOf(entered, 'day', RUNOVER_DAYS).map((day, index) => {
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
