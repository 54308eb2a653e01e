import * as workflow from 'n8n-workflow';

/** What newer n8n has for webhook descriptions; both are absent in older n8n. */
export const { fromParameter, webhookDescriptionFields } = workflow as Partial<typeof workflow>;

/**
 * Whether n8n responds to a delivery only once its execution is stored. Older n8n responds first:
 * what it has acknowledged but not stored is lost when it is killed, hundreds of events under load.
 * There the execution itself sends the response: see `runEvents`. That is right on any n8n, so it
 * does no harm where an n8n in between is taken for an older one.
 */
export const isAnsweredOnceStored = webhookDescriptionFields !== undefined;
