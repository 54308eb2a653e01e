import type { IDataObject } from 'n8n-workflow';
import { Refused, type Admission, type HoursOfNumber } from '../policy/guard';
import type { Passed } from '../policy/repeats';
import type { PolicyReview } from '../policy/review';
import { attempt } from './attempt';
import { describeConnectionFailure, describeNotStarted } from './connectionFailure';
import { errorCode, innermostMessage } from './errorCodes';
import type { Failure, FieldLabels } from './errors';
import { failureOf, toNodeApiError } from './errors';
import { Gate } from './gate';
import { PauseTooLong } from './pace';
import type { PageEnvelope, RequestBehaviour, ServiceClient, ServiceRequest } from './request';
import type { RequestRecord } from './requestRecord';
import type { ExpectedBody } from './responseShape';
import { pause, withRetries } from './retry';
import { hasInvalidUnicode, isDroppedName } from './sendable';
import type { Service, ServiceContext } from './service';
import { readService } from './service';

/** A client, and the same for single calls of a run. */
export interface Connection extends ServiceClient {
	/** Whether the credential has a sending policy. */
	hasPolicy: boolean;
	/** For one call: its sending request is recorded, and not sent where the record knows it. */
	forCall(record: RequestRecord): ServiceClient;
	/** Whether an agent has sent an identical request, so that this one is not sent. */
	isRepeat(request: ServiceRequest): boolean;
	/** Tells of each number of a request whether the sending policy allows it at that time. */
	hoursFor(request: ServiceRequest): HoursOfNumber | undefined;
	/** Asks what the sending policy says about requests that are planned. */
	startReview(): PolicyReview;
}

/**
 * For requests that somebody waits for: searches in the editor, publishing a workflow. n8n gives
 * up on the latter after some time.
 */
export const INTERACTIVE: RequestBehaviour = {
	maxRetries: 2,
	budgetMs: 5000,
	totalMs: 15_000,
	concurrency: 10,
	requestsPerSecond: 0,
};

/**
 * Reads the credential once and returns a client that uses it for every request.
 * @param labels names of the n8n fields for the service's complaints about them
 */
export async function connect(
	context: ServiceContext,
	labels: FieldLabels = {},
	behaviour: RequestBehaviour = INTERACTIVE,
): Promise<Connection> {
	const service = await readService(context, labels, behaviour);
	const read = async (request: ServiceRequest, expect: ExpectedBody) =>
		await tried(service, request, expect);
	const gate = new Gate(service, read);
	const clientFor = (record?: RequestRecord): ServiceClient => {
		const send = async (request: ServiceRequest, expect: ExpectedBody) =>
			await recorded(
				service,
				request,
				record,
				async () =>
					await gate.pass(
						request,
						expect,
						async (admission) => await tried(service, request, expect, admission),
					),
			);
		return {
			settings: service.settings,
			record: async (request) => (await send(request, 'record')) as IDataObject,
			records: async (request) => (await send(request, 'array')) as IDataObject[],
			page: async (request) => (await send(request, 'page')) as PageEnvelope,
			identifier: async (request) => String(await send(request, 'id')),
			anything: async (request) => await send(request, 'anything'),
		};
	};
	return {
		...clientFor(),
		hasPolicy: service.policy !== undefined,
		forCall: clientFor,
		isRepeat: (request) => gate.isRepeat(request),
		hoursFor: (request) => gate.hoursFor(request),
		startReview: () => gate.startReview(),
	};
}

/** Sends a request and records its result; a request with a recorded result is not sent again. */
async function recorded(
	service: Service,
	request: ServiceRequest,
	record: RequestRecord | undefined,
	send: () => Promise<Passed>,
): Promise<unknown> {
	assertQuery(service, request.query);
	if (record === undefined || request.method === 'GET') return (await send()).response;
	const earlier = await record.earlier(request);
	if (earlier !== undefined) {
		if ('response' in earlier) return earlier.response;
		throw toNodeApiError(service.context.getNode(), notSentAgain(earlier.failure));
	}
	await record.starting(request);
	const [outcome] = await Promise.allSettled([send()]);
	if (outcome.status === 'fulfilled') {
		const { response, as } = outcome.value;
		if (as === 'sent') record.accepted(request, response);
		else record[as](request);
		return response;
	}
	const failure = failureOf(outcome.reason);
	if (failure?.sent === 'no') record.notSent(request, failure);
	else if (failure !== undefined) record.possiblySent(request, failure);
	throw outcome.reason;
}

/**
 * Sends a request when its turn comes, and again where that is allowed.
 * @throws NodeApiError with any failure
 */
async function tried(
	service: Service,
	request: ServiceRequest,
	expect: ExpectedBody,
	admission?: Admission,
): Promise<unknown> {
	const { behaviour, pace, signal, host, wording } = service;
	const trying = withRetries(
		behaviour,
		async (limitMs) =>
			await pace.run(async () => {
				admission?.checkAgain();
				return await attempt(service, request, expect, limitMs);
			}),
		async (milliseconds) => await pause(milliseconds, signal),
	);
	const [outcome] = await Promise.allSettled([trying]);
	if (outcome.status === 'fulfilled') return outcome.value;
	const error: unknown = outcome.reason;
	// The gate describes what the policy refuses when the turn of a request comes.
	if (failureOf(error) !== undefined || error instanceof Refused) throw error;
	// Only the waits end this way; `attempt` describes all that happens to a request itself.
	const isNotStarted = error instanceof PauseTooLong || signal?.aborted === true;
	const detail = wording.clean(innermostMessage(error));
	const failure = isNotStarted
		? describeNotStarted(error)
		: describeConnectionFailure(request, host, errorCode(error), detail);
	throw toNodeApiError(service.context.getNode(), failure);
}

/** A request that an earlier try of this execution has possibly sent is not sent again. */
function notSentAgain(failure: Failure): Failure {
	return {
		...failure,
		description: `${failure.description} It was not sent again. To send it anyway, run the item in a new execution.`,
	};
}

/** Refuses a query that would arrive as another one. */
function assertQuery({ context }: Service, query: IDataObject = {}) {
	for (const [name, value] of Object.entries(query)) {
		const texts = [name, ...(Array.isArray(value) ? value : [value])].map(String);
		if (!isDroppedName(name) && !texts.some(hasInvalidUnicode)) continue;
		const shown = name.slice(0, 30);
		const [message, remedy] = isDroppedName(name)
			? [`A query parameter cannot have the name "${shown}"`, 'Use another name.']
			: [
					`Query parameter "${shown}" contains an invalid Unicode character`,
					'Remove the character, perhaps half of an emoji, from its name and value.',
				];
		throw toNodeApiError(context.getNode(), {
			message,
			description: `${remedy} This request was not sent.`,
			sent: 'no',
		});
	}
}
