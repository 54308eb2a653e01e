import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { exchange } from './exchange';
import { MAX_WAIT_MS, pause } from './gate';
import { sendWithToken } from './login';
import { portOf, type Port, type ServiceContext } from './port';
import type {
	ExpectedResponse,
	Observation,
	ReadRequest,
	ServiceClient,
	ServiceRequest,
	TurnCheck,
} from './request';
import { ACCEPTANCE, PAGE, RECORD, RECORDS, toPage } from './responseShape';
import type { Patience, Service } from './service';
import { CREDENTIAL, readService } from './service';
import type { FieldLabels } from './serviceReason';

/** For the requests of an execution. */
export const PATIENT: Patience = { maxTries: 4, totalMs: Infinity, isNext: false };

/** For polls: what cannot be read within five minutes is left to the next poll. */
export const POLLING: Patience = { ...PATIENT, totalMs: 300_000 };

/**
 * For requests that somebody waits for: searches in the editor, publishing a workflow. n8n gives
 * up on the latter after some time.
 */
export const INTERACTIVE: Patience = { maxTries: 3, totalMs: 15_000, isNext: true };

/** Of its time, a request may wait so much for its start: the service needs the rest. */
const SHARE_FOR_START = 2 / 3;

const FIRST_BACKOFF_MS = 500;

/**
 * Reads the credential once and returns a client that uses it for every request.
 * @param labels names of the n8n fields for the service's complaints about them
 */
export async function connect(
	context: ServiceContext,
	labels: FieldLabels = {},
	patience = INTERACTIVE,
): Promise<ServiceClient> {
	const credential = await context.getCredentials(CREDENTIAL).catch((cause: unknown) => {
		throw isOfItem(cause) ? needsItem() : cause;
	});
	return clientFor(portOf(context), credential, labels, patience);
}

/** Triggers and the editor have no input item: there, n8n throws for expressions that name one. */
const isOfItem = (cause: unknown) => cause instanceof Error && cause.name === 'ExpressionError';

function needsItem(): Failure {
	return new Failure(
		'This credential needs an input item, and there is none here',
		'An expression in the credential names a field of an item. For triggers and for the lists in the editor, use a credential with fixed values.',
	);
}

/** A client that uses a credential which was read before. */
export function clientFor(
	port: Port,
	credential: ICredentialDataDecryptedObject,
	labels: FieldLabels,
	patience: Patience,
): ServiceClient {
	const service = readService(port, credential, labels, patience);
	const read = async (request: ReadRequest, expected: ExpectedResponse) =>
		(await readEither(service, { ...request, expected })).content;
	return {
		settings: service.settings,
		accountKey: service.accountKey,
		concurrency: service.limits.concurrency,
		record: async (request) => (await read(request, RECORD)) as IDataObject,
		records: async (request) => (await read(request, RECORDS)) as IDataObject[],
		page: async (request) => toPage((await read(request, PAGE)) as IDataObject),
		post: async (request, check) =>
			(await sendInTries(service, { expected: ACCEPTANCE, ...request }, check)).content,
		observe: async (request) => await readEither(service, request),
	};
}

/**
 * Reads a path, or its other form where it has one and is not found. The form that was found is read
 * first from then on.
 */
async function readEither(
	service: Service,
	{ otherPath, ...request }: ReadRequest,
): Promise<Observation> {
	if (otherPath === undefined) return await sendInTries(service, request);
	const other = { ...request, path: otherPath };
	const [first, second] = service.usesOtherPath ? [other, request] : [request, other];
	try {
		return await sendInTries(service, first);
	} catch (thrown) {
		const failure = Failure.of(thrown);
		if (!isNotFound(failure)) throw failure;
		const value = await sendInTries(service, second).catch((again: unknown) => {
			throw isNotFound(again) ? failure : Failure.of(again);
		});
		service.usesOtherPath = second === other;
		return value;
	}
}

function isNotFound(thrown: unknown): boolean {
	return Failure.of(thrown).facts.httpCode === '404';
}

/**
 * Sends a request when its turn comes among all requests of the account. It is tried again only
 * where it was certainly not sent, since a message must never go out twice.
 * @throws Failure without secrets
 */
async function sendInTries(
	service: Service,
	request: ServiceRequest,
	check?: TurnCheck,
): Promise<Observation> {
	const { gate, limits, signal, wording } = service;
	const { maxTries, totalMs, isNext } = service.patience;
	const begin = Date.now();
	const latestStart = begin + totalMs * SHARE_FOR_START;
	const waiting = { limits, latestStart, isNext, signal };
	let waitedMs = 0;
	const limitMs = () => begin + totalMs - Date.now();
	const attempt = async () =>
		await sendWithToken(service, limitMs, async (token) => {
			const failure = check?.refusal();
			if (failure !== undefined) throw failure;
			return await exchange(service, request, token, limitMs());
		});
	for (let tries = 1; ; tries++) {
		await check?.prepare();
		try {
			return await gate.run(attempt, waiting);
		} catch (thrown) {
			const failure = Failure.of(thrown);
			const { sent, retry } = failure.facts;
			const delay = retry?.afterMs || backoffMs(tries);
			waitedMs += delay;
			const isLate = waitedMs > MAX_WAIT_MS || Date.now() + delay > latestStart;
			if (tries === maxTries || isLate || retry === undefined || sent === 'possibly') {
				throw failure.with({
					message: wording.clean(failure.message),
					description: wording.clean(failure.description),
				});
			}
			await pause(delay, signal);
		}
	}
}

/** A random wait up to a limit that doubles with every try ("full jitter"). */
function backoffMs(tries: number): number {
	return Math.random() * FIRST_BACKOFF_MS * 2 ** (tries - 1);
}
