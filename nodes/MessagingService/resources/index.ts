import type { Operation } from './operation';
import { phoneNumber } from './phoneNumber';
import { phoneNumberStorage } from './phoneNumberStorage';
import { service } from './service';
import { smsCampaign } from './smsCampaign';
import { smsMessage } from './smsMessage';
import { voiceCampaign } from './voiceCampaign';
import { webhook } from './webhook';

/** Everything the action node can do. Nothing else registers a resource or an operation. */
export const resources = [
	smsMessage,
	smsCampaign,
	voiceCampaign,
	phoneNumber,
	phoneNumberStorage,
	webhook,
	service,
];

/** The operation behind a pair of the menus. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}
