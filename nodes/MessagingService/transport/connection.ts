import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { attempt } from './attempt';
import { describeConnectionFailure, describeNotStarted } from './connectionFailure';
import { errorCode, innermostMessage } from './errorCodes';
import type { Failure, FieldLabels } from './errors';
import { failureOf, toNodeApiError } from './errors';
import { PauseTooLong } from './gate';
import type { PageEnvelope, ReadRequest, ServiceClient, ServiceRequest } from './request';
import type { ExpectedBody } from './responseShape';
import { pause, withRetries, type RetryRules } from './retry';
import { hasInvalidUnicode, isDroppedName } from './sendable';
import type { Service, ServiceContext } from './service';
import { CREDENTIAL, readService } from './service';

/** For the requests of an execution: four tries, which wait for up to five minutes if asked to. */
export const PATIENT: RetryRules = { maxRetries: 3, budgetMs: 300_000 };

/**
 * For requests that somebody waits for: searches in the editor, publishing a workflow. n8n gives
 * up on the latter after some time.
 */
export const INTERACTIVE: RetryRules = { maxRetries: 2, budgetMs: 5000, totalMs: 15_000 };

/** Reads the credential of a node, decrypted. */
export async function readCredential(
	context: ServiceContext,
): Promise<ICredentialDataDecryptedObject> {
	return await context.getCredentials(CREDENTIAL);
}

/**
 * Reads the credential once and returns a client that uses it for every request.
 * @param labels names of the n8n fields for the service's complaints about them
 */
export async function connect(
	context: ServiceContext,
	labels: FieldLabels = {},
	retries: RetryRules = INTERACTIVE,
): Promise<ServiceClient> {
	return clientFor(context, await readCredential(context), labels, retries);
}

/** A client that uses a credential which was read before. */
export function clientFor(
	context: ServiceContext,
	credential: ICredentialDataDecryptedObject,
	labels: FieldLabels,
	retries: RetryRules,
): ServiceClient {
	const service = readService(context, credential, labels, retries);
	const read = async (request: ReadRequest, expect: ExpectedBody) =>
		await readEither(service, request, expect);
	return {
		settings: service.settings,
		concurrency: service.limits.concurrency,
		record: async (request) => (await read(request, 'record')) as IDataObject,
		records: async (request) => (await read(request, 'array')) as IDataObject[],
		page: async (request) => (await read(request, 'page')) as PageEnvelope,
		post: async (request, refusal) => await tried(service, request, 'anything', refusal),
	};
}

/**
 * Reads a path, or its other form where it has one and is not found. The form that was found is read
 * first from then on.
 */
async function readEither(
	service: Service,
	{ otherPath, ...request }: ReadRequest,
	expect: ExpectedBody,
): Promise<unknown> {
	if (otherPath === undefined) return await tried(service, request, expect);
	const forms = [request, { ...request, path: otherPath }] as const;
	const [first, second] = service.usesOtherPath ? [forms[1], forms[0]] : forms;
	return await tried(service, first, expect).catch(async (error: unknown) => {
		if (!isNotFound(error)) throw error;
		const found = await tried(service, second, expect).catch((other: unknown) => {
			throw isNotFound(other) ? error : other;
		});
		service.usesOtherPath = second === forms[1];
		return found;
	});
}

function isNotFound(error: unknown): boolean {
	return failureOf(error)?.httpCode === '404';
}

/**
 * Sends a request when its turn comes, and again where that is allowed.
 * @throws NodeApiError with any failure
 */
async function tried(
	service: Service,
	request: ServiceRequest,
	expect: ExpectedBody,
	refusal: () => Failure | undefined = () => undefined,
): Promise<unknown> {
	const { retries, signal } = service;
	assertQuery(service, request.query);
	try {
		return await withRetries(
			retries,
			async (limitMs) =>
				await inTurn(service, async () => {
					const refused = refusal();
					if (refused !== undefined) throw toNodeApiError(service.context.getNode(), refused);
					return await attempt(service, request, expect, limitMs);
				}),
			async (milliseconds) => await pause(milliseconds, signal),
		);
	} catch (error) {
		throw described(service, request, error);
	}
}

/** Only the waits end otherwise: `attempt` describes all that happens to a request itself. */
function described(
	{ context, signal, host, wording }: Service,
	request: ServiceRequest,
	error: unknown,
): unknown {
	if (failureOf(error) !== undefined) return error;
	const isNotStarted = error instanceof PauseTooLong || signal?.aborted === true;
	const detail = wording.clean(innermostMessage(error));
	const failure = isNotStarted
		? describeNotStarted(error)
		: describeConnectionFailure(request, host, errorCode(error), detail);
	return toNodeApiError(context.getNode(), failure);
}

/** Makes a try when it is its turn, in this run and among all requests of the account. */
async function inTurn<Result>(
	{ gate, ownGate, limits, retries, signal }: Service,
	request: () => Promise<Result>,
): Promise<Result> {
	const waiting = { limits, maxPauseMs: retries.budgetMs, signal };
	const inThisRun = { ...waiting, limits: { ...limits, requestsPerSecond: 0 } };
	return await ownGate.run(async () => await gate.run(request, waiting), inThisRun);
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
