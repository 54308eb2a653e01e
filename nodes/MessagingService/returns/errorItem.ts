/** The fields that an error item has beside those of its input item. */
export const ERROR_FIELDS = [
	'phoneNumber',
	'sent',
	'reason',
	'message',
	'estimatedCost',
	'currency',
	'parts',
	'newId',
	'error',
	'description',
	'httpStatus',
	'field',
	'policyRule',
	'allowed',
	'nextAllowedTime',
	'refusedCount',
	'refused',
	'skipped',
	'skippedCount',
	'created',
	'sentRows',
	'possiblySentRows',
	'continueAtRow',
	'problemsCount',
	'problems',
];

/** The fields by which a row of an earlier output is known, which are not carried along. */
export const OUTPUT_FIELDS = [...ERROR_FIELDS, 'wouldSend', 'dryRun', 'simulated', 'alreadySent'];
