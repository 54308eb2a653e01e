import { flag, orNull, text, type Fields, type Returns } from '../../returns/fields';

const RESULT: Fields = {
	phoneNumber: text('+447700900123'),
	valid: flag(true),
	reason: text('OK'),
	country: orNull(text('GB')),
	type: orNull(text('mobile')),
	timeZone: orNull(text('Europe/London')),
};

/** Of Opt Out and Undo Opt-Out. */
const marked = (optedOut: boolean): Returns => ({
	fields: {
		phoneNumber: text('+447700900123'),
		optedOut: flag(optedOut),
		storageID: text('opt-out-447700900123'),
	},
});

export const phoneNumberReturns: Record<string, Returns> = {
	check: {
		fields: RESULT,
		isOpen: true,
		keepsInput: true,
	},
	optOut: marked(true),
	undoOptOut: marked(false),
};
