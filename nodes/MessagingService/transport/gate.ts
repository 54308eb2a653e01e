import {
	SendingGuard,
	Refused,
	type Admission,
	type GuardSurroundings,
	type HoursOfNumber,
} from '../policy/guard';
import { RecipientCount } from '../policy/recipientCount';
import { AgentRepeats, type Passed } from '../policy/repeats';
import { PolicyReview } from '../policy/review';
import { simulatedResponse } from '../policy/simulation';
import { failureOf, toNodeApiError } from './errors';
import { pageQuery, readList, toPage } from './paginate';
import type { PageEnvelope, ServiceRequest } from './request';
import type { ExpectedBody } from './responseShape';
import type { Service, ServiceContext } from './service';

type Read = (request: ServiceRequest, expect: ExpectedBody) => Promise<unknown>;

const PAGE_SIZE = 1000;
const PAGES_AT_ONCE = 5;

/**
 * The only way to the service for requests that are not a GET: the sending policy of the credential
 * admits them, and an agent's identical ones are not sent twice.
 */
export class Gate {
	private readonly service: Service;
	private readonly around: GuardSurroundings;
	private readonly guard: SendingGuard;
	private readonly repeats: AgentRepeats | undefined;

	/** @param read sends a GET */
	constructor(service: Service, read: Read) {
		this.service = service;
		const { context, settings, policy } = service;
		const kept = keptFor(context);
		this.around = {
			count: new RecipientCount(kept),
			zone: settings.timeZone === '' ? undefined : settings.timeZone,
			now: () => Date.now(),
			readCampaign: async (path) => await readCampaign(service, path, read),
		};
		this.guard = new SendingGuard(policy, this.around);
		this.repeats = isTool(context)
			? new AgentRepeats(flowOf(context), settings.baseUrl)
			: undefined;
	}

	/**
	 * Lets a request pass, or not.
	 * @throws NodeApiError that says which rule refuses it, and what `send` throws
	 */
	async pass(
		request: ServiceRequest,
		expect: ExpectedBody,
		send: (admission: Admission) => Promise<unknown>,
	): Promise<Passed> {
		const sending = async (): Promise<Passed> => await this.admitted(request, expect, send);
		if (request.method === 'GET' || this.repeats === undefined) return await sending();
		return await this.repeats.once(request, sending);
	}

	/** Tells of each number of a request whether the sending hours allow it. */
	hoursFor(request: ServiceRequest): HoursOfNumber | undefined {
		return this.guard.hoursFor(request);
	}

	/** Starts to ask about requests that are planned. */
	startReview(): PolicyReview {
		return new PolicyReview(this.service.policy, this.around);
	}

	/** Whether an agent has sent an identical request, so that this one is not sent. */
	isRepeat(request: ServiceRequest): boolean {
		return this.repeats?.knows(request) === true;
	}

	private async admitted(
		request: ServiceRequest,
		expect: ExpectedBody,
		send: (admission: Admission) => Promise<unknown>,
	): Promise<Passed> {
		const admission = await this.described(async () => await this.guard.admit(request));
		if (admission.isSimulated) {
			return { response: simulatedResponse(request, expect === 'id'), as: 'simulated' };
		}
		const [outcome] = await Promise.allSettled([this.described(async () => await send(admission))]);
		if (outcome.status === 'fulfilled') return { response: outcome.value, as: 'sent' };
		if (failureOf(outcome.reason)?.sent === 'no') admission.release();
		throw outcome.reason;
	}

	/** Turns a refusal into the error that n8n shows. */
	private async described<Result>(action: () => Promise<Result>): Promise<Result> {
		const [outcome] = await Promise.allSettled([action()]);
		if (outcome.status === 'fulfilled') return outcome.value;
		const error: unknown = outcome.reason;
		throw error instanceof Refused
			? toNodeApiError(this.service.context.getNode(), error.failure)
			: error;
	}
}

/** The node's context of an execution; outside of executions, nothing is kept. */
function keptFor(context: ServiceContext): object {
	return 'getContext' in context ? context.getContext('node') : {};
}

/** The context that all nodes of an execution share; outside of executions, nothing is kept. */
function flowOf(context: ServiceContext): object {
	return 'getContext' in context ? context.getContext('flow') : {};
}

/**
 * Whether the node runs as an agent's tool. n8n runs such a node, whose type has this ending, in one
 * of two contexts, only one of which knows.
 */
export function isTool(context: ServiceContext): boolean {
	if (context.getNode().type.endsWith('Tool')) return true;
	return 'isToolExecution' in context && context.isToolExecution();
}

/** A campaign and all its contacts (interface, "SMS campaigns"). */
async function readCampaign({ settings }: Service, path: string, read: Read) {
	const campaign = (await read({ method: 'GET', path }, 'record')) as { startDateTime?: unknown };
	const contacts = await readList({
		pagesAtOnce: PAGES_AT_ONCE,
		keyOf: ({ id }) => id,
		fetchPage: async (pageIndex) => {
			const query = pageQuery(settings, PAGE_SIZE, pageIndex);
			const request: ServiceRequest = { method: 'GET', path: `${path}/Contacts`, query };
			return toPage((await read(request, 'page')) as PageEnvelope);
		},
	});
	return { start: campaign.startDateTime, contacts };
}
