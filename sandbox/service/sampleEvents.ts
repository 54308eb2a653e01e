import { randomUUID } from 'node:crypto';
import type { ServiceEvent } from './deliveries.ts';
import type { Service } from './service.ts';

/** An event with all its documented fields, whatever part of it is given (interface: "Events"). */
export const sampleEvent = (
	{ clock }: Service,
	clientId: number,
	{ webHookType = 1, data = {} }: { webHookType?: number; data?: Record<string, unknown> },
): ServiceEvent => {
	const now = clock.nowIso();
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
	return { webHookType, data: { ...samples[webHookType], ...data } };
};
