import { DateTime } from 'luxon';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { Failure } from '../../failure';
import { NO_ZONES, timeZonesOf } from '../../numbers/timeZones';
import { isNothing, readOption } from '../../parameters/values';
import type { Reason } from '../../reason';
import { DAY_NAMES, hoursText, isWindowAllowed, nextAllowed, type SendingHours } from '../hours';
import { readChoices } from '../readRule';
import { refusedWithoutZone } from '../refused';
import { MINUTE_MS } from '../../times';
import type { Timing } from '../timing';
import { HOW_TO_COMPLETE, type Rule } from './rule';

const FROM = 'Sending Hours From';
const TO = 'Sending Hours To';
const DAYS = 'Sending Days';
const WHOSE = 'Sending Hours In';

const ALL_DAYS = ['1', '2', '3', '4', '5', '6', '7'] as const;
const MINUTES_OF_DAY = 1440;
const MOST_ZONES_SHOWN = 3;

const NEED = 'The Sending Hours of calls, and those in the time zone of the service, need it.';

/** Refuses what would reach people at other times of the day, or on other days of the week. */
export const sendingHours: Rule = {
	fields: [
		{
			displayName: FROM,
			name: 'sendingHoursFrom',
			type: 'string',
			default: '',
			placeholder: 'e.g. 09:00',
			hint: 'Empty: from midnight',
			description: 'Time of day from which people may be reached, as HH:mm',
		},
		{
			displayName: TO,
			name: 'sendingHoursTo',
			type: 'string',
			default: '',
			placeholder: 'e.g. 20:00',
			hint: 'Empty: until midnight',
			description: 'Time of day until which people may be reached, as HH:mm',
		},
		{
			displayName: DAYS,
			name: 'sendingDays',
			type: 'multiOptions',
			options: DAY_NAMES.map((name, index) => ({ name, value: String(index + 1) })),
			default: [],
			description: 'Days of the week on which people may be reached',
			hint: 'Empty: every day',
		},
		{
			displayName: WHOSE,
			name: 'sendingHoursIn',
			type: 'options',
			options: [
				{
					name: 'Time Zone of the Recipient',
					value: 'recipient',
					description: 'By the phone number. All time zones that the number can be in must agree.',
				},
				{
					name: 'Time Zone of the Service',
					value: 'service',
					description:
						'By the Service Time Zone in Service Conventions. Without it, nothing is sent.',
				},
			],
			default: 'recipient',
			description: 'Whose clock the sending hours and days are read on',
		},
	],
	read(credential) {
		const hours = readHours(credential);
		const { sendingHoursIn: whose } = credential;
		const isOfService =
			!isNothing(whose) && readOption(whose, WHOSE, ['recipient', 'service']) === 'service';
		if (hours === undefined) return {};
		return {
			isOfHours: true,
			ofRequest: ({ reaches }, zone) =>
				zone === undefined && (isOfService || reaches.kind === 'calls')
					? refusedWithoutZone('sendingHours', NEED)
					: undefined,
			ofRecipients(timing, zone) {
				const serviceZones = [zone];
				/** Numbers of one area share one array. */
				const verdicts = new Map<readonly string[], Reason | undefined>();
				return ({ e164, classification }) => {
					const own = e164 === undefined ? NO_ZONES : timeZonesOf(e164, classification);
					const zones = isOfService ? serviceZones : own;
					if (!verdicts.has(zones)) {
						verdicts.set(zones, reasonIn(zones, { hours, isOfService, timing }));
					}
					return verdicts.get(zones);
				};
			},
		};
	},
};

function readHours(credential: ICredentialDataDecryptedObject): SendingHours | undefined {
	const from = readTime(credential.sendingHoursFrom, FROM, 0);
	const to = readTime(credential.sendingHoursTo, TO, MINUTES_OF_DAY);
	const days = new Set(
		[...readChoices(credential.sendingDays, ALL_DAYS, DAYS, ALL_DAYS)].map(Number),
	);
	if (to <= from) {
		throw Failure.ofField(
			TO,
			`is not after ${FROM}`,
			'Choose a later time of the same day, for example 09:00 to 20:00.',
		);
	}
	const isAlways = from === 0 && to === MINUTES_OF_DAY && days.size === ALL_DAYS.length;
	return isAlways ? undefined : { from, to, days };
}

/** Minutes after midnight; 24:00 is the end of the day. */
function readTime(value: unknown, field: string, preset: number): number {
	if (isNothing(value)) return preset;
	const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(String(value as string).trim()) ?? [];
	const time = Number(hours) * 60 + Number(minutes);
	if (Number(minutes) <= 59 && time <= MINUTES_OF_DAY) return time;
	throw Failure.ofField(field, 'is not a time', 'Write it as HH:mm, for example 09:00.');
}

/** What a clock shows, and the next allowed time: "It is 21:40 there. Next: tomorrow 09:00." */
function clockText(
	[start, end]: Timing[number],
	next: number | undefined,
	{ zone, place }: { zone: string; place: string },
): string {
	const inZone = (time: number) => DateTime.fromMillis(time, { zone, locale: 'en' });
	const is = start - Date.now() > MINUTE_MS ? 'will be' : 'is';
	const until = end - start > MINUTE_MS ? ` to ${inZone(end).toFormat('HH:mm')}` : '';
	const time = `It ${is} ${inZone(start).toFormat('HH:mm')}${until} ${place}.`;
	if (next === undefined) return time;
	const today = inZone(Date.now()).startOf('day');
	const then = inZone(next);
	const days = Math.round(then.startOf('day').diff(today, 'days').days);
	const day = ['today', 'tomorrow'][days] ?? then.toFormat('cccc d LLLL');
	return `${time} Next: ${day} ${then.toFormat('HH:mm')}.`;
}

/** Why somebody who may be in each of the zones may not be reached; undefined where they may. */
function reasonIn(
	zones: readonly string[],
	{ hours, isOfService, timing }: { hours: SendingHours; isOfService: boolean; timing: Timing },
): Reason | undefined {
	const allowed = `Sending Hours: ${hoursText(hours)}`;
	if (zones.length === 0) {
		return {
			code: 'sendingHours',
			text: 'is of an unknown time zone',
			advice: `${allowed}, in the time zone of the recipient. ${HOW_TO_COMPLETE}`,
		};
	}
	const outside = timing.find(([start, end]) => !isWindowAllowed(hours, zones, start, end));
	if (outside === undefined) return undefined;
	const [start, end] = outside;
	// The whole window must fit: it may start only so long before the hours end.
	const to = hours.to - (end - start) / MINUTE_MS + 1;
	const next = nextAllowed({ ...hours, to }, zones, start);
	const whose = isOfService ? 'the time zone of the service' : 'every time zone of the number';
	// The first one that forbids it: in others, it may be within the hours.
	const zone = zones.find((each) => !isWindowAllowed(hours, [each], start, end)) ?? '';
	const shown = [zone, ...zones.filter((each) => each !== zone)].slice(0, MOST_ZONES_SHOWN);
	const place = zones.length === 1 ? 'there' : `in ${zone}`;
	const clock = clockText(outside, next, { zone, place });
	return {
		code: 'sendingHours',
		text: 'is outside the sending hours',
		advice: `${clock} ${allowed}, in ${whose} (${shown.join(', ')}${zones.length > MOST_ZONES_SHOWN ? ', ...' : ''}).`,
		...(next === undefined
			? {}
			: { nextAllowedTime: new Date(next).toISOString().replace('.000Z', 'Z') }),
	};
}
