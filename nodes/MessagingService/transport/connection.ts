import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import type { Failure, FieldLabels } from './errors';
import { failureOf, toNodeApiError } from './errors';
import { exchange } from './exchange';
import type { PageEnvelope, ReadRequest, ServiceClient, ServiceRequest } from './request';
import type { ExpectedBody } from './responseShape';
import { withRetries, type RetryRules, type TryResult } from './retry';
import type { Service, ServiceContext } from './service';
import { CREDENTIAL, readService } from './service';
import { NotSent, pause } from './waits';

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
 * Sends a request when its turn comes among all requests of the account, and again where that is
 * allowed.
 * @throws NodeApiError with any failure
 */
async function tried(
	service: Service,
	request: ServiceRequest,
	expect: ExpectedBody,
	refusal: () => Failure | undefined = () => undefined,
): Promise<unknown> {
	const { context, gate, limits, retries, signal, wording } = service;
	const waiting = { limits, maxPauseMs: retries.budgetMs, signal };
	const attempt = async (limitMs: number) =>
		await gate.run(async (): Promise<TryResult> => {
			const failure = refusal();
			return failure === undefined
				? await exchange(service, request, expect, limitMs)
				: { failure };
		}, waiting);
	const wait = async (milliseconds: number) => await pause(milliseconds, signal);
	const result = await withRetries(retries, attempt, wait).catch(notSent);
	if ('value' in result) return result.value;
	throw toNodeApiError(context.getNode(), result.failure, wording.clean);
}

/** A request that could not wait for its turn. */
function notSent(error: unknown): TryResult {
	if (!(error instanceof NotSent)) throw error;
	const { message, description } = error;
	return { failure: { message, description, sent: 'no' } };
}
