import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from './faults.ts';
import type { Service } from './service.ts';

const loginPage =
	'<!DOCTYPE html><html><head><title>Sign in</title></head><body><form><h1>Sign in</h1></form></body></html>';

const pause = (milliseconds: number): Promise<void> =>
	new Promise((resolve) => setTimeout(resolve, milliseconds));

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
export const applyEarlyFault = async (
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
export const applyLateFault = (
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
