import type { IWebhookFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { isTakenOver } from './batches';
import { memoryOf, type OtherTrigger } from './memory';
import { HANDED_ON, noteOwnAddress, postToTrigger, STORED } from './ownN8n';
import { isWanted, type TriggerSettings } from './settings';
import { recentCredential, givenToken } from './token';
import { Slots } from '../transport/concurrency';
import { readSettings } from '../transport/settings';

/** Deliveries that are handed on at the same time: more would cost n8n memory and be no faster. */
const MAX_IN_PROGRESS = 20;

/** n8n publishes a changed workflow within this time. Until then, it does not know its URL. */
const NOT_FOUND_MS = 3000;

/** How long it is known who has stored an event that was not acknowledged. */
const KEEP_MS = 600_000;

const slots = new Slots(MAX_IN_PROGRESS);

/** The paths that n8n does not know, with the time when they were published. */
const gone = new Map<string, number>();

/** The paths of the triggers that have stored an event which was not acknowledged, by its `eventId`. */
const partlyStored = new Map<string, { paths: Set<string>; until: number }>();

/** What comes of an event that is handed on. */
type HandedOn = 'stored' | 'storedHereToo' | 'notStored';

/**
 * Hands an event of the service on to the other triggers that want such events.
 * @param isWantedHere whether this trigger wants it as well: where others have not stored it in time,
 * it is handed on to this one too, so that nobody waits for the others
 */
export async function handOn(
	context: IWebhookFunctions,
	event: { event: string; eventId: string; text: string },
	{ path }: TriggerSettings,
	isWantedHere: boolean,
): Promise<HandedOn> {
	noteOwnAddress(context, path);
	const { others = [] } = memoryOf(context);
	const wanting = others.filter(
		(other) => isWanted(event.event, other.kinds) && gone.get(other.path) !== other.publishedAt,
	);
	const allStored = (stored: Set<string>) => (stored.has(path) ? 'storedHereToo' : 'stored');
	if (wanting.length === 0) return allStored(storedBy(event.eventId));
	return await slots.run(async () => {
		const response = context.getResponseObject();
		const hasGone = () => response.destroyed || response.closed;
		if (hasGone()) {
			warn(context, 'An event was not stored: the service stopped waiting before its turn');
			return 'notStored';
		}
		const stored = storedBy(event.eventId);
		const isStoredBy = async (other: OtherTrigger) => {
			if (stored.has(other.path)) return true;
			const isDone = await handOnTo(context, path, event.text, other);
			if (isDone) stored.add(other.path);
			return isDone;
		};
		void isTakenOver(response).then((isDone) => {
			const until = Date.now() + KEEP_MS;
			if (!isDone) partlyStored.set(event.eventId, { paths: stored, until });
		});
		const self = { path, kinds: [], workflow: context.getWorkflow().name ?? '', publishedAt: 0 };
		const results = await Promise.all(wanting.map(isStoredBy));
		// Whoever has gone meanwhile delivers the event again.
		if (!results.includes(false) && !hasGone()) return allStored(stored);
		if (isWantedHere) await isStoredBy(self);
		return 'notStored';
	});
}

/** Whether another trigger has stored an event, or is gone. */
async function handOnTo(
	context: IWebhookFunctions,
	from: string,
	text: string,
	{ path, workflow, publishedAt }: OtherTrigger,
): Promise<boolean> {
	const post = async (token: string | undefined) =>
		await postToTrigger(context, { from, to: path, token }, HANDED_ON, text);
	let result = await post(givenToken(context));
	if (result === '404') {
		await sleep(NOT_FOUND_MS);
		result = await post(givenToken(context));
	}
	// One that was published since the Webhook Secret was changed knows only the new one.
	if (result === '401')
		result = await post(readSettings(await recentCredential(context)).webhookToken);
	if (result === STORED) return true;
	const isGone = result === '404';
	warn(
		context,
		isGone
			? `The workflow "${workflow}" is gone, and gets no more events`
			: `The workflow "${workflow}" has not stored an event, so the service was asked to deliver it again: ${result}`,
	);
	if (isGone) gone.set(path, publishedAt);
	return isGone;
}

/** Writes into n8n's log. */
export function warn(context: IWebhookFunctions, message: string): void {
	const { name } = context.getNode();
	context.logger.warn(message, { workflowId: context.getWorkflow().id, nodeName: name });
}

/** Who has stored an event already. */
function storedBy(eventId: string): Set<string> {
	for (const [id, { until }] of partlyStored) if (until < Date.now()) partlyStored.delete(id);
	return partlyStored.get(eventId)?.paths ?? new Set<string>();
}
