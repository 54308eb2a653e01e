import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticate } from './authentication.ts';
import { canonicalQuery, clientOf } from './conventions.ts';
import type { Operation } from './contract.ts';
import { applyFault } from './faultInjection.ts';
import { problem, ServiceError } from './errors.ts';
import type { FaultEffect } from './faults.ts';
import { presented } from './presentation.ts';
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

/** Whether the sandbox itself refuses, not the service: other sites (403), bodies that are no JSON (415). */
const isOfSandbox = ({ statusCode }: ServiceError): boolean =>
	statusCode >= 500 || [403, 415].includes(statusCode);

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

/** Checks a request that was let in, and carries it out. */
const carryOut = (
	service: Service,
	operation: Operation,
	request: FastifyRequest,
	query: Record<string, unknown>,
): ServiceAnswer => {
	const { contract, settings } = service;
	const parts = {
		params: request.params as ServiceCall['params'],
		query: canonicalQuery(operation, query, settings.current) as ServiceCall['query'],
		body: request.body ?? undefined,
	};
	contract.checkRequest(operation, parts, settings.current.strict);
	const client = clientOf(service, operation, parts);
	const handler = handlers[operation.operationId];
	if (!handler) throw new Error(`No handler for operation ${operation.operationId}`);
	return handler(service, { operation, ...parts, client });
};

const respond = async (
	service: Service,
	operation: Operation,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> => {
	const { operationId, operationIdWithoutBody } = operation;
	const withoutBody = request.text === undefined || request.text === '';
	request.operationId = (withoutBody && operationIdWithoutBody) || operationId;
	const query = { ...(request.query as Record<string, unknown>) };
	const { headers } = request;
	authenticate(service.settings.current.authentication, service.tokens, { headers, query });
	const path = request.originalUrl.split('?')[0] ?? '';
	request.fault = service.faults.take(operation, request.method, path);
	if (await applyFault(service, request, reply, 'before')) return reply;
	const { status, body } = carryOut(service, operation, request, query);
	checkResponse(service, operation, { status, body });
	const text = JSON.stringify(presented(service.settings.current.conventions, body));
	if (await applyFault(service, request, reply, 'after', { status, text })) return reply;
	void reply.code(status);
	if (text !== undefined) void reply.type('application/json; charset=utf-8');
	return await reply.send(text);
};

/** The service's own interface: every operation of openapi.yaml becomes a route. */
export const serviceApi =
	(service: Service) =>
	(app: FastifyInstance, _options: object, done: () => void): void => {
		const { contract, load } = service;
		app.addHook('onRequest', (_request, reply, next) => {
			load.now += 1;
			load.most = Math.max(load.most, load.now);
			reply.raw.once('close', () => (load.now -= 1));
			next();
		});
		for (const operation of contract.operations) {
			app.route({
				method: operation.method,
				url: operation.route,
				errorHandler: (error) => {
					if (error instanceof ServiceError && !isOfSandbox(error)) {
						checkResponse(service, operation, { status: error.statusCode, body: error.body });
					}
					throw error;
				},
				handler: (request, reply) => respond(service, operation, request, reply),
			});
		}
		done();
	};
