import type { IHookFunctions, INodeExecutionData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { EventKind } from '../events/eventKey';
import { decodeEvent, type ServiceEvent } from '../events/events';
import { isObject } from '../json';
import { ALL_KINDS, type TriggerSettings } from './settings';

/** n8n needs a moment after the hook until it takes deliveries to the test URL. */
const SAMPLE_PAUSE = 500;

/** Delivers a request for samples to the test URL. The service has no part in it. */
export async function showSample(context: IHookFunctions, url: string): Promise<void> {
	await sleep(SAMPLE_PAUSE);
	const body = { sampleRequest: true };
	try {
		await context.helpers.httpRequest({ method: 'POST', url, body, json: true, timeout: 10_000 });
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		context.logger.warn(
			`n8n cannot reach its own test URL ${url}, so there is no sample event; it still listens for events: ${reason}`,
			{ workflowId: context.getWorkflow().id },
		);
	}
}

/** Whether a body asks for sample events. Anybody may: samples have no content of theirs. */
export function isSampleRequest(body: unknown): boolean {
	return isObject(body) && body.sampleRequest === true;
}

/** Example values for the fields of the interface's section "Events". */
function example(kind: EventKind): ServiceEvent {
	const now = Date.now();
	const secondsAgo = (seconds: number) => new Date(now - seconds * 1000).toISOString();
	const common = { clientId: 1001, phoneNumber: '+447700900123' };
	if (kind === 'smsStatus') {
		const times = { dateCreated: secondsAgo(60), lastUpdated: secondsAgo(1) };
		const ids = { Id: 3001, phoneNumberId: '4001' };
		return {
			webHookType: 1,
			data: { ...common, ...times, ...ids, parts: 1, price: 0.04, statusCode: 1 },
		};
	}
	const times = { startTime: secondsAgo(30), endTime: secondsAgo(1) };
	return {
		webHookType: 0,
		data: { ...common, ...times, outCome: 1, stage: 10, userInput: '1', campaignId: '2001' },
	};
}

/** One sample event of each selected kind as the trigger returns events, marked as sample. */
export function sampleItems({ kinds, isSimplified }: TriggerSettings): INodeExecutionData[] {
	return ALL_KINDS.filter((kind) => kinds.includes(kind)).map((kind) => {
		const event = example(kind);
		return { json: { ...(isSimplified ? decodeEvent(event) : event), sample: true } };
	});
}
