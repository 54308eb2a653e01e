import type { IDataObject } from 'n8n-workflow';
import type { CheckedRecipients, Complaint } from './checks';
import type { RecipientKind } from './kind';

/** Why a recipient is left out that nothing is wrong with. */
export type LeftOutReason = Pick<Complaint, 'code' | 'reason' | 'advice' | 'nextAllowedTime'>;

/** Decides about a recipient by its phone number as it would be sent; undefined: it stays. */
export type Screen = (number: unknown) => LeftOutReason | undefined;

/** The recipients that stay, where each came from, and complaints about the others. */
export interface Screened {
	recipients: unknown[];
	places: number[];
	leftOut: Complaint[];
}

/** Leaves some recipients out. */
export function screenRecipients(
	{ numberName }: RecipientKind<unknown>,
	{ recipients, places }: Pick<CheckedRecipients, 'recipients' | 'places'>,
	screen: Screen | undefined,
): Screened {
	if (screen === undefined) return { recipients, places, leftOut: [] };
	const screened: Screened = { recipients: [], places: [], leftOut: [] };
	recipients.forEach((recipient, index) => {
		const place = places[index] ?? index;
		const phoneNumber = (recipient as IDataObject)[numberName];
		const reason = screen(phoneNumber);
		if (reason !== undefined) {
			screened.leftOut.push({ itemIndex: place, phoneNumber, ...reason });
			return;
		}
		screened.recipients.push(recipient);
		screened.places.push(place);
	});
	return screened;
}
