/** The code tables of the service's interface, copied from its description. */

/** Section "Events", outcome codes. */
export const OUTCOMES: readonly (readonly [number, string])[] = [
	[1, 'Answered'],
	[2, 'Unobtainable'],
	[3, 'Busy'],
	[4, 'Answerphone Message Not Left'],
	[5, 'Answerphone Message Left'],
	[6, 'No Answer'],
	[7, 'Overflow'],
	[8, 'Out Of Time'],
	[9, 'Fax'],
	[10, 'Unknown'],
	[11, 'Excluded Number'],
	[12, 'No Connection'],
	[13, 'Invalid Number'],
];

/** Section "Events", stage codes. */
export const STAGES: readonly (readonly [number, string])[] = [
	[0, 'No Action'],
	[1, 'Caller confirmed as right party'],
	[2, 'Caller confirmed not right party'],
	[3, 'Call declined'],
	[4, 'Right party hung up'],
	[5, 'Wrong party hung up'],
	[6, 'Call centre hung up'],
	[7, 'Right party transfer requested'],
	[8, 'Right party transfer accepted'],
	[9, 'Excluded'],
	[10, 'Answered'],
	[11, 'Answerphone Message Not Left'],
	[12, 'Answerphone Message Left'],
	[13, 'Opt in'],
	[14, 'Opt out'],
	[15, 'Wrong party transfer requested'],
	[16, 'Call transferred to call centre'],
	[17, 'Transferred to payment line'],
	[18, 'Caller requested call back'],
	[19, 'Wrong party transfer accepted'],
	[20, 'Call dropped'],
];

/** Section "States and transitions", SMS delivery status codes. */
export const SMS_STATUSES: readonly (readonly [number, string])[] = [
	[0, 'Sent'],
	[1, 'Delivered'],
	[2, 'Accepted'],
	[3, 'Expired'],
	[4, 'Deleted'],
	[5, 'Undeliverable'],
	[6, 'Unknown'],
	[7, 'Rejected'],
	[8, 'Other'],
	[9, 'Other'],
	[10, 'Other'],
	[34, 'RejectedInvalidRecipient'],
	[1000, 'FailedInsufficientCredit'],
];
