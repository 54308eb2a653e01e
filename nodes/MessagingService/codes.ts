/** The code tables of the interface ("States and transitions" and "Events"), used by all nodes. */

/** Call outcome codes (`outCome` of a call event, `outcome` of a call record). */
export const OUTCOMES: Readonly<Record<number, string>> = {
	1: 'Answered',
	2: 'Unobtainable',
	3: 'Busy',
	4: 'Answerphone Message Not Left',
	5: 'Answerphone Message Left',
	6: 'No Answer',
	7: 'Overflow',
	8: 'Out Of Time',
	9: 'Fax',
	10: 'Unknown',
	11: 'Excluded Number',
	12: 'No Connection',
	13: 'Invalid Number',
};

/** Call stage codes (`stage` of a call event and of a call record). */
export const STAGES: Readonly<Record<number, string>> = {
	0: 'No Action',
	1: 'Caller confirmed as right party',
	2: 'Caller confirmed not right party',
	3: 'Call declined',
	4: 'Right party hung up',
	5: 'Wrong party hung up',
	6: 'Call centre hung up',
	7: 'Right party transfer requested',
	8: 'Right party transfer accepted',
	9: 'Excluded',
	10: 'Answered',
	11: 'Answerphone Message Not Left',
	12: 'Answerphone Message Left',
	13: 'Opt in',
	14: 'Opt out',
	15: 'Wrong party transfer requested',
	16: 'Call transferred to call centre',
	17: 'Transferred to payment line',
	18: 'Caller requested call back',
	19: 'Wrong party transfer accepted',
	20: 'Call dropped',
};

/** SMS delivery status codes (`statusCode` of an SMS event). */
export const SMS_STATUSES: Readonly<Record<number, string>> = {
	0: 'Sent',
	1: 'Delivered',
	2: 'Accepted',
	3: 'Expired',
	4: 'Deleted',
	5: 'Undeliverable',
	6: 'Unknown',
	7: 'Rejected',
	8: 'Other',
	9: 'Other',
	10: 'Other',
	34: 'RejectedInvalidRecipient',
	1000: 'FailedInsufficientCredit',
};

export const ANSWERED = 1;
export const EXCLUDED_NUMBER = 11;
export const INVALID_NUMBER = 13;
export const OPT_IN = 13;
export const OPT_OUT = 14;
export const DELIVERED = 1;

/** Statuses after which a message will not arrive any more: expired, deleted, rejected, ... */
export const FAILED_STATUSES: readonly number[] = [3, 4, 5, 7, 34, 1000];

/**
 * The name of a code, or `Code 99` for one that the interface does not list: an unknown code must
 * be seen, not hidden.
 */
export function codeName(table: Readonly<Record<number, string>>, code: number): string {
	return table[code] ?? `Code ${code}`;
}
