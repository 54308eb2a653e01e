import { flag, object, orNull, text, type Returns } from '../../returns/fields';

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
		fields: {
			check: object({
				valid: flag(true),
				phoneNumber: orNull(text('+447700900123')),
				country: orNull(text('GB')),
				type: orNull(text('mobile')),
				timeZone: orNull(text('Europe/London')),
				problem: { type: 'string' },
			}),
		},
		isOpen: true,
		keepsInput: true,
	},
	optOut: marked(true),
	undoOptOut: marked(false),
};
