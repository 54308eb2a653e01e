import { DateTime } from 'luxon';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { toDateText, toTimeText } from '../shared/dates';
import { InputError } from '../shared/inputError';
import type { ParameterReader } from '../shared/parameters';

const RUNOVER_DAYS = 'Runover Days';

const timeField = (
	displayName: string,
	name: string,
	preset: string,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: preset,
	required: true,
	placeholder: `e.g. ${preset}`,
	description,
});

/** When a voice campaign runs on its first day (interface, "Voice campaign create request"). */
export const scheduleFields: INodeProperties[] = [
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		typeOptions: { dateOnly: true },
		default: '',
		required: true,
		placeholder: 'e.g. 2030-05-17',
		hint: 'Date and start time must be in the future',
		description: 'First day of the campaign. In an expression, as YYYY-MM-DD.',
	},
	timeField('Start Time', 'startTime', '09:00', 'When the calls start on that day, as HH:mm'),
	timeField('Finish Time', 'finishTime', '17:00', 'When the calls stop on that day, as HH:mm'),
];

/** Further days on which the campaign goes on, as an option of a collection. */
export const runoverDaysField: INodeProperties = {
	displayName: RUNOVER_DAYS,
	name: 'runoverDays',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Day' },
	default: {},
	description: 'Days on which the calls go on that were not made before',
	options: [
		{
			displayName: 'Day',
			name: 'day',
			values: [
				{
					displayName: 'Date',
					name: 'date',
					type: 'dateTime',
					typeOptions: { dateOnly: true },
					default: '',
					placeholder: 'e.g. 2030-05-18',
					description: 'In an expression, as YYYY-MM-DD',
				},
				{
					displayName: 'Start Time',
					name: 'startTime',
					type: 'string',
					default: '',
					placeholder: 'e.g. 09:30',
					description: 'As HH:mm',
				},
				{
					displayName: 'Finish Time',
					name: 'finishTime',
					type: 'string',
					default: '',
					placeholder: 'e.g. 17:30',
					description: 'As HH:mm',
				},
			],
		},
	],
};

/**
 * The first day's schedule, checked: the start is in the future, the finish after the start.
 * @param zone IANA zone of the service's dates and times
 */
export function readSchedule(parameters: ParameterReader, zone: string): IDataObject {
	const startDate = toDateText(parameters.value('startDate', 'Start Date'), 'Start Date');
	const times = readTimes(
		parameters.value('startTime', 'Start Time'),
		parameters.value('finishTime', 'Finish Time'),
		'',
	);
	const start = DateTime.fromISO(`${startDate}T${times.startTime}`, { zone });
	if (!start.isValid) {
		throw new InputError(
			'Service Time Zone',
			`is not a known time zone (${zone})`,
			'Correct it in the credential or in the settings of the workflow.',
		);
	}
	if (start <= DateTime.now()) {
		throw new InputError(
			'Start Date',
			`and Start Time are not in the future (${startDate} ${times.startTime}, ${zone})`,
			'The service starts campaigns in the future only: choose a later date or time.',
		);
	}
	return { startDate, ...times };
}

/** The entries of "Runover Days", each checked. */
export function readRunoverDays(collection: IDataObject): IDataObject[] {
	const days = Array.isArray(collection.day) ? (collection.day as IDataObject[]) : [];
	return days.map((day, index) => {
		const place = ` of ${RUNOVER_DAYS} ${index + 1}`;
		return {
			date: toDateText(day.date, `Date${place}`),
			...readTimes(day.startTime, day.finishTime, place),
		};
	});
}

function readTimes(start: unknown, finish: unknown, place: string) {
	const startTime = toTimeText(start, `Start Time${place}`);
	const finishTime = toTimeText(finish, `Finish Time${place}`);
	if (finishTime <= startTime) {
		throw new InputError(
			`Finish Time${place}`,
			`is not after the start time (${startTime} to ${finishTime})`,
			'Choose a later finish time. For a night over midnight, add a runover day.',
		);
	}
	return { startTime, finishTime };
}
