import type { IDataObject } from 'n8n-workflow';
import type { OperationInput } from '../../parameters/operationInput';
import { present } from '../../json';
import { estimatedCost, measure, type Price } from '../../messageText';
import type { Sent } from '../../failure';

/** The reason of what was sent. */
export const ACCEPTED = 'Accepted by the service';
/** The row may have another text now. */
export const ACCEPTED_EARLIER = `${ACCEPTED} in an earlier try`;

/** A message to one person, and what it came to. */
export interface MessageOutcome {
	phoneNumber: IDataObject[string];
	message: unknown;
	sent: Sent;
	/** Why, for people. */
	reason: string;
	/** Whether it costs nothing, as nothing goes out. */
	isFree?: boolean;
}

/** The columns of a message: the same whether it was sent, left out, failed or only looked at. */
export function messageColumns(
	settings: Price,
	{ phoneNumber, message, sent, reason, isFree = false }: MessageOutcome,
): IDataObject {
	const text = typeof message === 'string' ? message : '';
	return present({
		phoneNumber: phoneNumber ?? '',
		sent,
		reason,
		message: typeof message === 'string' ? message : undefined,
		...estimatedCost(settings, isFree ? '' : text),
		parts: measure(text).parts,
		// The service gives it when it accepts the message.
		newId: sent === 'yes' ? undefined : null,
	});
}

/** What the outputs of all new campaigns say: that it was created, and its place among those of its list. */
export function createdCampaign({ block }: OperationInput): IDataObject {
	return { sent: 'yes', reason: ACCEPTED, campaign: block?.part ?? 1 };
}
