import { flag, object, orNull, text, type Returns } from '../../returns/fields';

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
};
