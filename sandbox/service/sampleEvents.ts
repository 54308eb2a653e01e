import { randomUUID } from 'node:crypto';
import type { ServiceEvent } from './deliveries.ts';
import { problem } from './errors.ts';
import type { Service } from './service.ts';

/** Refuses names that differ from a documented one in case only; any other name may be meant. */
const refuseMisspelled = (documented: string[], given: string[]): void => {
	for (const name of given) {
		if (documented.includes(name)) continue;
		const meant = documented.find((one) => one.toLowerCase() === name.toLowerCase());
		if (meant) throw problem(400, `data has an unknown member '${name}'. Did you mean '${meant}'?`);
	}
};

/** An event with all its documented fields, also where only some are given (interface: "Events"). */
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
	const sample = samples[webHookType];
	if (sample) refuseMisspelled(Object.keys(sample), Object.keys(data));
	return { webHookType, data: { ...sample, ...data } };
};
