import { MessagingService } from './MessagingService.node';
import { MessagingServicePollTrigger } from './MessagingServicePollTrigger.node';
import { MessagingServiceTrigger } from './MessagingServiceTrigger.node';
import { resources } from './resources';
import { returnsOf } from './resources/returns';
import { addedFields } from './returns/added';
import { POLL_RETURNS, TRIGGER_RETURNS } from './events/returns';
import type { FieldSchema } from './returns/fields';
import { object } from './returns/fields';

/** The folder of a node version, as n8n names it. */
const folderOf = (type: new () => { description: { version: number | number[] } }) =>
	`v${String(new type().description.version)}.0.0`;

/**
 * The output schemas of the package, by their paths in the folder `__schema__` beside the nodes.
 * n8n finds a schema by node version, resource and operation; nodes without a resource have one for
 * each version. The action node always has a resource, so it shares the folder with the triggers.
 */
export function outputSchemas(): Record<string, FieldSchema> {
	const action = folderOf(MessagingService);
	return Object.fromEntries([
		...resources.flatMap((resource) =>
			resource.operations.map((operation) => [
				`${action}/${resource.value}/${operation.value}.json`,
				object({
					...returnsOf(resource.value, operation.value).fields,
					...addedFields(operation),
				}),
			]),
		),
		[`${folderOf(MessagingServicePollTrigger)}.json`, object(POLL_RETURNS.fields)],
		[`${folderOf(MessagingServiceTrigger)}.json`, object(TRIGGER_RETURNS.fields)],
	]) as Record<string, FieldSchema>;
}
