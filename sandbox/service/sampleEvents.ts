import { randomUUID } from 'node:crypto';
import { utcText } from './clock.ts';
import { problem } from './errors.ts';
import type { Service } from './service.ts';
import { clients, defaultClient } from './settings.ts';

/** An event to deliver: any part of it. */
export interface EventRequest {
	webHookType?: number;
	data?: Record<string, unknown>;
	clientId?: number;
}

/** Delivers an event now, with the documented fields that are missing (interface: "Events"); returns the delivery's id. */
export const sampleEvent = (
	{ clock, deliveries }: Service,
	{ webHookType = 1, data = {}, clientId = defaultClient.clientId }: EventRequest,
): number => {
	if (!clients.some((client) => client.clientId === clientId)) {
		throw problem(400, `There is no client ${String(clientId)}.`);
	}
	const moment = clock.moment();
	const now = utcText(moment);
	const samples: Record<number, Record<string, unknown>> = {
		0: {
			clientId,
			outCome: 1,
			stage: 10,
			startTime: now,
			endTime: now,
			userInput: '',
			campaignId: '2001',
			phoneNumber: '+447700900123',
		},
		1: {
			clientId,
			Id: 1,
			phoneNumberId: randomUUID(),
			phoneNumber: '+447700900123',
			parts: 1,
			dateCreated: now,
			lastUpdated: now,
			price: 0.04,
			statusCode: 1,
		},
	};
	const event = { webHookType, data: { ...samples[webHookType], ...data } };
	return deliveries.add(clientId, moment, event, false);
};
