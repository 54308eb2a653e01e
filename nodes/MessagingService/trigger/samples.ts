import type { IDataObject } from 'n8n-workflow';
import { randomUUID } from 'crypto';
import { decodeEvent, type EventKind, type ServiceEvent } from './events';
import { codesIn, textsIn, type EventFilters } from './filters';
import { LimitedMap } from './limitedMap';

/** Requests for samples that this process has announced: only it may ask for one. */
const announced = new LimitedMap<string, true>(100);

/** The body that asks the test URL for sample events; it counts once. */
export function announceSample(): { sampleRequest: string } {
	const sampleRequest = randomUUID();
	announced.set(sampleRequest, true);
	return { sampleRequest };
}

/** Whether a body asks for sample events, and this process has announced it. */
export function isSampleRequest(body: unknown): boolean {
	const id = (body as { sampleRequest?: unknown } | null | undefined)?.sampleRequest;
	if (typeof id !== 'string' || announced.get(id) === undefined) return false;
	announced.delete(id);
	return true;
}

/** Example values for the fields of the interface's section "Events". */
function example(kind: EventKind, now: Date, filters: EventFilters): ServiceEvent {
	const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString();
	const first = (list: unknown, otherwise: number) => codesIn(list)[0] ?? otherwise;
	const [phoneNumber = '+447700900123'] = textsIn(filters.phoneNumbers);
	if (kind === 'smsStatus') {
		return {
			webHookType: 1,
			data: {
				clientId: 1001,
				Id: 3001,
				phoneNumberId: '4001',
				phoneNumber,
				parts: 1,
				dateCreated: secondsAgo(60),
				lastUpdated: secondsAgo(1),
				price: 0.04,
				statusCode: first(filters.statuses, 1),
			},
		};
	}
	const [campaignId = '2001'] = textsIn(filters.campaignIds);
	return {
		webHookType: 0,
		data: {
			clientId: 1001,
			outCome: first(filters.outcomes, 1),
			stage: first(filters.stages, 10),
			startTime: secondsAgo(30),
			endTime: secondsAgo(1),
			userInput: '1',
			campaignId,
			phoneNumber,
		},
	};
}

/** One sample event of a kind as the trigger returns events with these settings, marked as sample. */
export function sampleItem(
	kind: EventKind,
	{ isSimplified, filters }: { isSimplified: boolean; filters: EventFilters },
	now = new Date(),
): IDataObject {
	const event = example(kind, now, filters);
	return { ...(isSimplified ? decodeEvent(event) : { ...event }), sample: true };
}
