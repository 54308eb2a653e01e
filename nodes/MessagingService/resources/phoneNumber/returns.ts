import { flag, orNull, text, type Fields, type Returns } from '../../returns/fields';

const RESULT: Fields = {
	phoneNumber: text('+447700900123'),
	valid: flag(true),
	reason: text('OK'),
	country: orNull(text('GB')),
	type: orNull(text('mobile')),
	timeZone: orNull(text('Europe/London')),
};

export const phoneNumberReturns: Record<string, Returns> = {
	check: {
		fields: RESULT,
		isOpen: true,
		keepsInput: true,
	},
	optOut: {
		fields: {
			phoneNumber: text('+447700900123'),
			optedOut: flag(true),
			storageID: text('opt-out-447700900123'),
		},
	},
	undoOptOut: {
		fields: {
			phoneNumber: text('+447700900123'),
			optedOut: orNull(flag(false)),
			reason: orNull(text('OK')),
			storageID: text('opt-out-447700900123'),
		},
	},
};
