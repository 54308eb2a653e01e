import type { IHookFunctions, INodeExecutionData } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { randomUUID } from 'crypto';
import type { EventKind } from '../events/eventKey';
import { decodeEvent, type ServiceEvent } from '../events/events';
import { ALL_KINDS } from './filters';

/** n8n needs a moment after the hook until it takes deliveries to the test URL. */
const SAMPLE_PAUSE = 500;

/** Requests for samples that this process has announced: only it may ask for one. */
const announced = new Set<string>();

/** Delivers a request for samples to the test URL. The service has no part in it. */
export async function showSample(context: IHookFunctions, url: string): Promise<void> {
	const sampleRequest = randomUUID();
	announced.add(sampleRequest);
	await sleep(SAMPLE_PAUSE);
	const body = { sampleRequest };
	try {
		await context.helpers.httpRequest({ method: 'POST', url, body, json: true, timeout: 10_000 });
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		context.logger.warn(
			`n8n cannot reach its own test URL ${url}, so there is no sample event; it still listens for events: ${reason}`,
			{ workflowId: context.getWorkflow().id },
		);
	} finally {
		announced.delete(sampleRequest);
	}
}

/** Whether a body asks for sample events, and this process has announced it; it counts once. */
export function isSampleRequest(body: unknown): boolean {
	const id = (body as { sampleRequest?: unknown } | null | undefined)?.sampleRequest;
	return typeof id === 'string' && announced.delete(id);
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
export function sampleItems(kinds: readonly string[], isSimplified: boolean): INodeExecutionData[] {
	return ALL_KINDS.filter((kind) => kinds.includes(kind)).map((kind) => {
		const event = example(kind);
		return { json: { ...(isSimplified ? decodeEvent(event) : event), sample: true } };
	});
}
