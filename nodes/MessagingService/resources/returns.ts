import type { Returns } from '../returns/fields';
import { phoneNumberReturns } from './phoneNumber/returns';
import { phoneNumberStorageReturns } from './phoneNumberStorage/returns';
import { serviceReturns } from './service/returns';
import { smsCampaignReturns } from './smsCampaign/returns';
import { smsMessageReturns } from './smsMessage/returns';
import { voiceCampaignReturns } from './voiceCampaign/returns';
import { webhookReturns } from './webhook/returns';

/**
 * What the operations return: for n8n's editor, the documentation and the tests. The published
 * package has what the editor reads as JSON, and none of the files `returns`.
 */
const RETURNS: Readonly<Record<string, Readonly<Record<string, Returns>>>> = {
	phoneNumber: phoneNumberReturns,
	phoneNumberStorage: phoneNumberStorageReturns,
	service: serviceReturns,
	smsCampaign: smsCampaignReturns,
	smsMessage: smsMessageReturns,
	voiceCampaign: voiceCampaignReturns,
	webhook: webhookReturns,
};

/** The fields of the output items of an operation. @throws where nobody has written them down */
export function returnsOf(resource: string, operation: string): Returns {
	const found = RETURNS[resource]?.[operation];
	if (found === undefined) throw new Error(`No returns of ${resource}: ${operation}`);
	return found;
}
