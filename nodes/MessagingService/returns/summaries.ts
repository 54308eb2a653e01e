import { keys, mapValues, omit, pick } from 'lodash';
import { counts, decimal, flag, integer, orNull, text, type Fields } from './fields';

/** The items of both "Get Summary" operations. */

const campaignStatus = orNull(integer(3));

const times: Fields = {
	firstTime: orNull(text('2030-05-17T09:00:04')),
	lastTime: orNull(text('2030-05-17T11:42:31')),
};

const finished = flag(true);

const voiceFigures: Fields = {
	recipients: integer(1200),
	reached: integer(1010),
	notReached: integer(190),
	answerRate: orNull(decimal(0.6601)),
	optedOut: integer(14),
	attemptsUsed: integer(1530),
	attemptsLeft: integer(0),
	outcomes: counts({ Answered: 1010, 'No Answer': 398, Busy: 122 }),
	stages: counts({ Answered: 996, 'No Action': 520, 'Opt out': 14 }),
	smsStatuses: counts({ Delivered: 96, Undeliverable: 4 }),
	averageDurationSeconds: orNull(decimal(31.4)),
	messageParts: integer(100),
	cost: decimal(64.2),
	...times,
};

const smsFigures: Fields = {
	recipients: integer(1200),
	reached: integer(1148),
	notReached: integer(52),
	deliveryRate: orNull(decimal(0.9567)),
	messages: integer(1200),
	smsStatuses: counts({ Delivered: 1148, Undeliverable: 52 }),
	messageParts: integer(1200),
	cost: decimal(48),
	...times,
};

/** Of the credential. */
const currency = text('EUR');

export const VOICE_SUMMARY: Fields = {
	...pick(voiceFigures, ['recipients', 'reached', 'notReached', 'answerRate']),
	finished,
	...omit(voiceFigures, keys(times)),
	currency,
	...times,
	campaignName: orNull(text('May reminders')),
	campaignId: text('2001'),
	campaignStatus,
};

export const SMS_SUMMARY: Fields = {
	...pick(smsFigures, ['recipients', 'reached', 'notReached', 'deliveryRate']),
	finished,
	...omit(smsFigures, keys(times)),
	currency,
	...times,
	sender: orNull(text('Shop')),
	campaignId: text('8c3f2f0e-9d6b-4a5e-8f3c-1b7d2a9e4c60'),
	campaignStatus,
};

const bothFigures: Fields = mapValues({ ...smsFigures, ...voiceFigures }, orNull);

/** The figures of campaigns of both kinds: those that a kind does not have are null. */
export const CAMPAIGN_FIGURES: Fields = {
	...omit(bothFigures, keys(times)),
	currency,
	...pick(bothFigures, keys(times)),
};
