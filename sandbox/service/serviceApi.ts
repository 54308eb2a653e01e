import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticate } from './authentication.ts';
import type { Operation, RequestPart } from './contract.ts';
import { ErrorCollector, invalid, problem, ServiceError } from './errors.ts';
import type { Fault } from './faults.ts';
import type { Handler, Service, ServiceAnswer, ServiceCall } from './service.ts';
import type { Client, Conventions } from './settings.ts';
import { smsCampaignHandlers } from './smsCampaigns.ts';
import { smsMessageHandlers } from './smsMessages.ts';
import { storageHandlers } from './storage.ts';
import { voiceCampaignHandlers } from './voiceCampaigns.ts';
import { webhookHandlers } from './webhook.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** The body as it came in. */
		text: string | undefined;
		operationId: string | null;
		fault: Fault | undefined;
	}
}

const handlers: Record<string, Handler> = {
	...smsCampaignHandlers,
	...smsMessageHandlers,
	...voiceCampaignHandlers,
	...storageHandlers,
	...webhookHandlers,
};

const loginPage =
	'<!DOCTYPE html><html><head><title>Sign in</title></head><body><form><h1>Sign in</h1></form></body></html>';

const pause = (milliseconds: number): Promise<void> =>
	new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The operation's own name of a filter parameter, if the parameter is one. */
const filterField = (name: string, { filterName }: Conventions, fields: string[]) => {
	const [before = '', after = ''] = filterName.split('{field}');
	if (!name.startsWith(before) || !name.endsWith(after)) return undefined;
	const field = name.slice(before.length, after === '' ? undefined : -after.length);
	return fields.includes(field) ? field : undefined;
};

/** The query with the names that openapi.yaml gives to parameters whose names the settings choose. */
const canonicalQuery = (
	operation: Operation,
	query: Record<string, unknown>,
	{ conventions, strict }: { conventions: Conventions; strict: boolean },
): Record<string, unknown> => {
	const chosen = new Map([
		['pageIndex', conventions.pageIndexName],
		['pageSize', conventions.pageSizeName],
		['sort', conventions.sortName],
	]);
	const names = new Map(operation.queryNames.map((name) => [chosen.get(name) ?? name, name]));
	const errors = new ErrorCollector();
	const result: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(query)) {
		const own = names.get(name) ?? filterField(name, conventions, operation.filterFields);
		if (own !== undefined) result[own] = value;
		else if (strict) errors.add(name, 'The parameter is not known (strict mode).');
	}
	errors.throwIfAny();
	return result;
};

/** The client that a request names, in the one place where the settings want it. */
const clientOf = (
	{ settings }: Service,
	operation: Operation,
	{ params, query, body }: Pick<ServiceCall, 'params' | 'query' | 'body'>,
): Client => {
	if (!operation.takesClientId) return settings.defaultClient;
	const { strict, conventions } = settings.current;
	const { clientIdPlace } = conventions;
	const places = { path: params, query, body: (body ?? {}) as Record<string, unknown> };
	for (const [place, values] of Object.entries(places)) {
		if (place === clientIdPlace || values.clientId === undefined || !strict) continue;
		throw invalid({
			clientId: [`The field belongs in the ${clientIdPlace}, not in the ${place} (strict mode).`],
		});
	}
	const { clientId } = places[clientIdPlace];
	if (clientId === undefined) {
		throw invalid({ clientId: [`The field is required (in the ${clientIdPlace}).`] });
	}
	const client = settings.client(Number(clientId));
	if (!client) throw invalid({ clientId: [`Client ${String(clientId)} is not known.`] });
	return client;
};

const logCut = (service: Service, request: FastifyRequest): void => {
	service.requests.add({
		method: request.method,
		url: request.originalUrl,
		operationId: request.operationId,
		headers: request.headers,
		body: request.text,
		status: null,
		response: null,
		fault: request.fault?.fault.kind ?? null,
	});
};

/** Ends the connection (or leaves it hanging) instead of an answer. */
const giveNoAnswer = (
	service: Service,
	request: FastifyRequest,
	reply: FastifyReply,
	hang = false,
): void => {
	logCut(service, request);
	reply.hijack();
	if (!hang) request.raw.socket.destroy();
};

/** Faults before the service does anything. */
const applyEarlyFault = async (
	service: Service,
	request: FastifyRequest,
	reply: FastifyReply,
	{ fault }: Fault,
): Promise<void> => {
	if (fault.delayMs) await pause(fault.delayMs);
	switch (fault.kind) {
		case 'status': {
			const status = fault.status ?? 500;
			const body = fault.body ?? { message: `The service is out of order (${String(status)}).` };
			const isText = typeof body === 'string';
			await reply
				.code(status)
				.headers({
					...(fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }),
					'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
					...fault.headers,
				})
				.send(isText ? body : JSON.stringify(body));
			return;
		}
		case 'html':
			await reply
				.code(fault.status ?? 200)
				.headers({ 'content-type': 'text/html; charset=utf-8', ...fault.headers })
				.send(typeof fault.body === 'string' ? fault.body : loginPage);
			return;
		case 'cut':
			giveNoAnswer(service, request, reply);
			return;
		case 'hang':
			giveNoAnswer(service, request, reply, true);
			return;
		default:
	}
};

/** Faults after the service has done its work; true if they took care of the answer. */
const applyLateFault = (
	service: Service,
	request: FastifyRequest,
	reply: FastifyReply,
	text: string | undefined,
): boolean => {
	const fault = request.fault?.fault;
	const json = 'application/json; charset=utf-8';
	const given = text ?? '{}';
	switch (fault?.kind) {
		case 'cutAfterAccept':
			giveNoAnswer(service, request, reply);
			return true;
		case 'cutBody':
			logCut(service, request);
			reply.hijack();
			reply.raw.writeHead(reply.statusCode, {
				'content-type': json,
				'content-length': Buffer.byteLength(given),
			});
			reply.raw.write(given.slice(0, Math.floor(given.length / 2)), () =>
				request.raw.socket.destroy(),
			);
			return true;
		case 'brokenJson':
			void reply
				.code(fault.status ?? 200)
				.type(json)
				.send(given.slice(0, Math.ceil(given.length / 2)));
			return true;
		case 'emptyBody':
			void reply
				.code(fault.status ?? 200)
				.type(json)
				.send('');
			return true;
		case 'unexpectedBody':
			void reply
				.code(fault.status ?? 200)
				.type(json)
				.send(JSON.stringify(fault.body ?? { unexpected: true }));
			return true;
		default:
			return false;
	}
};

const answer = (
	service: Service,
	operation: Operation,
	request: FastifyRequest,
	reply: FastifyReply,
	{ status, body }: ServiceAnswer,
): void => {
	const { current: settings } = service.settings;
	if (settings.validateResponses) {
		const mismatch = service.contract.responseMismatch(operation, status, body, settings.strict);
		if (mismatch) {
			service.violations.push(mismatch);
			throw problem(500, `The answer does not match openapi.yaml: ${mismatch}`);
		}
	}
	const text = body === undefined ? undefined : JSON.stringify(body);
	void reply.code(status);
	if (applyLateFault(service, request, reply, text)) return;
	if (text === undefined) void reply.send();
	else void reply.type('application/json; charset=utf-8').send(text);
};

const addRoute = (
	app: FastifyInstance,
	service: Service,
	operation: Operation,
	handler: Handler,
): void => {
	const { settings } = service;
	const marker = { type: 'object', operationId: operation.operationId };
	app.route({
		method: operation.method,
		url: operation.route,
		schema: {
			params: marker,
			querystring: marker,
			...(operation.hasBody ? { body: marker } : {}),
		},
		preValidation: async (request, reply) => {
			const query = { ...(request.query as Record<string, unknown>) };
			const withoutBody = request.text === undefined || request.text === '';
			request.operationId =
				(withoutBody && operation.operationIdWithoutBody) || operation.operationId;
			authenticate(settings.current.authentication, {
				headers: request.headers,
				query,
				body: request.body ?? undefined,
			});
			const path = request.originalUrl.split('?')[0] ?? '';
			request.fault = service.faults.take(operation, request.method, path);
			if (request.fault) {
				await applyEarlyFault(service, request, reply, request.fault);
				if (reply.sent) return reply;
			}
			request.query = canonicalQuery(operation, query, settings.current);
			return undefined;
		},
		errorHandler: (error) => {
			if (!(error instanceof ServiceError) || !settings.current.validateResponses) throw error;
			const { statusCode, body } = error;
			const mismatch = service.contract.responseMismatch(
				operation,
				statusCode,
				body,
				settings.current.strict,
			);
			if (!mismatch || statusCode >= 500 || statusCode === 415) throw error;
			service.violations.push(mismatch);
			throw problem(500, `The answer does not match openapi.yaml: ${mismatch}`);
		},
		handler: (request, reply) => {
			const parts = {
				params: request.params as ServiceCall['params'],
				query: request.query as ServiceCall['query'],
				body: request.body ?? undefined,
			};
			const client = clientOf(service, operation, parts);
			answer(service, operation, request, reply, handler(service, { operation, ...parts, client }));
			return reply;
		},
	});
};

/** The service's own interface: every operation of openapi.yaml becomes a route. */
export const serviceApi =
	(service: Service) =>
	(app: FastifyInstance): void => {
		const { contract, settings } = service;
		app.setValidatorCompiler<{ operationId: string }>(({ schema, httpPart }) => {
			const operation = contract.operation(schema.operationId);
			return (value: unknown) => {
				const error = contract.requestError(
					operation,
					httpPart as RequestPart,
					value,
					settings.current.strict,
				);
				return error ? { error } : { value };
			};
		});
		for (const operation of contract.operations) {
			const handler = handlers[operation.operationId];
			if (!handler) throw new Error(`No handler for operation ${operation.operationId}`);
			addRoute(app, service, operation, handler);
		}
	};
