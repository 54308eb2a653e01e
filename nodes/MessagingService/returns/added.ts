import type { ReachKind } from '../reach';
import type { Fields } from './fields';
import { anything, flag, integer, listOf, object, text } from './fields';

const skipped = object({
	itemIndex: integer(6),
	entry: integer(7),
	phoneNumber: anything('44770090'),
	reason: text('the phone number is too short'),
	advice: text('Check the digits and the country.'),
	nextAllowedTime: text('2030-05-18T08:00:00Z'),
});

const leftOut = object({
	invalid: integer(2),
	duplicate: integer(1),
	doNotContact: integer(1),
	hoursBetweenTexts: integer(1),
	sendingHours: integer(1),
	blank: integer(1),
});

/** What each campaign of a file has. */
const ofFileCampaigns: Fields = {
	firstRow: integer(1),
	lastRow: integer(10000),
};

/** What only the first campaign of a file has. */
const ofFiles: Fields = {
	file: object({ rows: integer(10000), campaigns: integer(1), encoding: text('utf-8'), leftOut }),
	problemsCount: integer(3),
	problems: listOf(
		object({
			line: integer(5),
			phoneNumber: anything('44770090'),
			reason: text('the phone number is too short'),
			advice: text('Fix the row.'),
			nextAllowedTime: text('2030-05-18T08:00:00Z'),
		}),
	),
};

/** The fields that `execution/` adds to those of an operation's own result; most are rare. */
export function addedFields({
	reaches = 'nobody',
	recipients,
}: {
	reaches?: ReachKind;
	recipients?: unknown;
}): Fields {
	if (reaches === 'nobody') return {};
	if (reaches === 'events')
		return { sent: text('no'), reason: text('Simulated'), simulated: flag(false) };
	const hasRecipients = recipients !== undefined;
	return {
		sent: text('yes'),
		reason: text('Accepted by the service'),
		simulated: flag(false),
		alreadySent: flag(false),
		...(hasRecipients ? ofFileCampaigns : {}),
		warnings: listOf(text('Start Date and Time is in the past')),
		...(hasRecipients
			? {
					skippedCount: integer(1),
					skipped: listOf(skipped),
					...ofFiles,
					columnsUsed: listOf(text('phone')),
					columnsNotUsed: listOf(text('city')),
				}
			: {}),
	};
}
