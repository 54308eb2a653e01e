import type { Service } from './service.ts';
import { digitsOf } from './phoneNumbers.ts';

/** Calls and messages have an opt-out list each. */
export type OptOutChannel = 'sms' | 'voice';

/** Remembers that a person wants no more of a client's calls or messages. */
export const optOut = (
	{ database }: Service,
	clientId: number,
	channel: OptOutChannel,
	phoneNumber: string,
	at: string,
): void => {
	database.run(
		'INSERT OR IGNORE INTO optOuts (clientId, channel, phoneNumber, at) VALUES (?, ?, ?, ?)',
		clientId,
		channel,
		digitsOf(phoneNumber),
		at,
	);
};

/** Whether a person wants no more of a client's calls or messages. */
export const hasOptedOut = (
	{ database }: Service,
	clientId: number,
	channel: OptOutChannel,
	phoneNumber: string,
): boolean =>
	database.get(
		'SELECT 1 FROM optOuts WHERE clientId = ? AND channel = ? AND phoneNumber = ?',
		clientId,
		channel,
		digitsOf(phoneNumber),
	) !== undefined;
