import type { IHookFunctions, INodeExecutionData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { messageOf } from '../texts';
import { decodeEvent } from '../events/events';
import { SERVICE_KINDS } from '../events/kinds';
import { isObject } from '../json';
import type { TriggerSettings } from './settings';

/** n8n needs a moment after the hook until it takes deliveries to the test URL. */
const SAMPLE_PAUSE = 500;

/** Delivers a request for samples to the test URL. The service has no part in it. */
export async function showSample(context: IHookFunctions, url: string): Promise<void> {
	await sleep(SAMPLE_PAUSE);
	const body = { sampleRequest: true };
	try {
		await context.helpers.httpRequest({ method: 'POST', url, body, json: true, timeout: 10_000 });
	} catch (error) {
		context.logger.warn(
			`n8n cannot reach its own test URL ${url}, so there is no sample event; it still listens for events: ${messageOf(error)}`,
			{ workflowId: context.getWorkflow().id },
		);
	}
}

/** Whether a body asks for sample events. Anybody may: samples have no content of theirs. */
export function isSampleRequest(body: unknown): boolean {
	return isObject(body) && body.sampleRequest === true;
}

/** One sample event of each selected kind as the trigger returns events, marked as sample. */
export function sampleItems({ kinds, isSimplified }: TriggerSettings): INodeExecutionData[] {
	const now = Date.now();
	const secondsAgo = (seconds: number) => new Date(now - seconds * 1000).toISOString();
	const selected = Object.entries(SERVICE_KINDS).filter(([kind]) => kinds.includes(kind));
	return selected.map(([, { webHookType, sample }]) => {
		const data = { clientId: 1001, phoneNumber: '+447700900123', ...sample(secondsAgo) };
		const event = { webHookType, data };
		const reading = { zone: 'UTC', country: '', selected: kinds };
		return { json: { sample: true, ...(isSimplified ? decodeEvent(event, reading) : event) } };
	});
}
