import type { Operation } from './define';
import { smsCampaign } from './smsCampaign';
import { smsMessage } from './smsMessage';

/** Everything the action node can do. Nothing else registers a resource or an operation. */
export const resources = [smsCampaign, smsMessage];

/** The operation behind a pair of the menus. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}
