import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticate } from './authentication.ts';
import { canonicalQuery, clientOf } from './conventions.ts';
import type { Operation, RequestPart } from './contract.ts';
import { applyFault } from './faultInjection.ts';
import { problem, ServiceError } from './errors.ts';
import type { FaultEffect } from './faults.ts';
import type { Handler, Service, ServiceAnswer, ServiceCall } from './service.ts';
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
		fault: FaultEffect | undefined;
	}
}

const handlers: Record<string, Handler> = {
	...smsCampaignHandlers,
	...smsMessageHandlers,
	...voiceCampaignHandlers,
	...storageHandlers,
	...webhookHandlers,
};

/** Throws a 500 if a response does not match openapi.yaml. */
const checkResponse = (
	{ contract, settings, violations }: Service,
	operation: Operation,
	{ status, body }: ServiceAnswer,
): void => {
	const mismatch = contract.responseMismatch(operation, status, body, settings.current.strict);
	if (!mismatch) return;
	violations.push(mismatch);
	throw problem(500, `The response does not match openapi.yaml: ${mismatch}`);
};

/** Lets a request in: checks its credentials, applies its fault, and gives its parameters their own names. */
const admit = async (
	service: Service,
	operation: Operation,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply | undefined> => {
	const { settings } = service;
	const query = { ...(request.query as Record<string, unknown>) };
	const withoutBody = request.text === undefined || request.text === '';
	request.operationId = (withoutBody && operation.operationIdWithoutBody) || operation.operationId;
	authenticate(settings.current.authentication, {
		headers: request.headers,
		query,
		body: request.body ?? undefined,
	});
	const path = request.originalUrl.split('?')[0] ?? '';
	request.fault = service.faults.take(operation, request.method, path);
	if (await applyFault(service, request, reply, 'before')) return reply;
	request.query = canonicalQuery(operation, query, settings.current);
	return undefined;
};

const addRoute = (
	app: FastifyInstance,
	service: Service,
	operation: Operation,
	handler: Handler,
): void => {
	const marker = { type: 'object', operationId: operation.operationId };
	app.route({
		method: operation.method,
		url: operation.route,
		schema: {
			params: marker,
			querystring: marker,
			...(operation.hasBody ? { body: marker } : {}),
		},
		preValidation: (request, reply) => admit(service, operation, request, reply),
		errorHandler: (error) => {
			if (error instanceof ServiceError && error.statusCode < 500 && error.statusCode !== 415) {
				checkResponse(service, operation, { status: error.statusCode, body: error.body });
			}
			throw error;
		},
		handler: async (request, reply) => {
			const parts = {
				params: request.params as ServiceCall['params'],
				query: request.query as ServiceCall['query'],
				body: request.body ?? undefined,
			};
			const client = clientOf(service, operation, parts);
			const { status, body } = handler(service, { operation, ...parts, client });
			checkResponse(service, operation, { status, body });
			const text = JSON.stringify(body);
			if (await applyFault(service, request, reply, 'after', { status, text })) return reply;
			void reply.code(status);
			if (text !== undefined) void reply.type('application/json; charset=utf-8');
			return await reply.send(text);
		},
	});
};

/** The service's own interface: every operation of openapi.yaml becomes a route. */
export const serviceApi =
	(service: Service) =>
	(app: FastifyInstance): void => {
		const { contract, load, settings } = service;
		const byId = new Map(contract.operations.map((one) => [one.operationId, one]));
		app.setValidatorCompiler<{ operationId: string }>(({ schema, httpPart }) => {
			const operation = byId.get(schema.operationId) as Operation;
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
		app.addHook('onRequest', (_request, reply, done) => {
			load.now += 1;
			load.most = Math.max(load.most, load.now);
			reply.raw.once('close', () => (load.now -= 1));
			done();
		});
		for (const operation of contract.operations) {
			const handler = handlers[operation.operationId];
			if (!handler) throw new Error(`No handler for operation ${operation.operationId}`);
			addRoute(app, service, operation, handler);
		}
	};
