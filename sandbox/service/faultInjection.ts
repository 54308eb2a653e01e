import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { effectOf, type FaultEffect } from './faults.ts';
import { jsonType, type FaultTime } from './faultKinds.ts';
import type { Service } from './service.ts';

/** What the service would respond without the fault; the body is JSON text. */
export interface UsualResponse {
	status: number;
	text: string | undefined;
}

interface Injection {
	service: Service;
	request: FastifyRequest;
	reply: FastifyReply;
}

interface FaultyResponse {
	status: number;
	headers: Record<string, string>;
	text: string;
}

/** A response that does not pass through Fastify is not seen by the hook that logs requests. */
const log = ({ service, request }: Injection): void => {
	service.requests.add(request, { at: service.clock.nowIso(), status: null, response: null });
};

/** The status, headers and body that a fault responds with: its own, its kind's, or the usual ones. */
const responseOf = (fault: FaultEffect, usual: UsualResponse | undefined): FaultyResponse => {
	const kind = effectOf(fault);
	const status = fault.status ?? kind.status ?? usual?.status ?? 500;
	const own = fault.body ?? kind.body;
	const message = { message: `The service is out of order (${String(status)}).` };
	const takesUsual = own === undefined && kind.response !== 'respond';
	const isText = typeof own === 'string' && kind.textType !== undefined;
	return {
		status,
		headers: {
			'content-type': isText ? (kind.textType ?? jsonType) : jsonType,
			...(fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }),
			...fault.headers,
		},
		text: isText
			? own
			: takesUsual
				? (usual?.text ?? JSON.stringify(message))
				: JSON.stringify(own ?? message),
	};
};

const sendWhole = async ({ reply }: Injection, response: FaultyResponse): Promise<void> => {
	await reply.code(response.status).headers(response.headers).send(response.text);
};

const cutHalfway = (injection: Injection, { status, headers, text }: FaultyResponse): void => {
	const { request, reply } = injection;
	log(injection);
	reply.hijack();
	const bytes = Buffer.from(text);
	reply.raw.writeHead(status, { ...headers, 'content-length': bytes.length });
	reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () =>
		request.raw.socket.destroy(),
	);
};

/**
 * Applies the request's fault if this is its time; whether it took care of the response.
 * `usual` is what the service responds once it has done its work.
 */
export const applyFault = async (
	service: Service,
	request: FastifyRequest,
	reply: FastifyReply,
	time: FaultTime,
	usual?: UsualResponse,
): Promise<boolean> => {
	const { fault } = request;
	if (!fault || effectOf(fault).when !== time) return false;
	const injection = { service, request, reply };
	if (fault.delayMs) await pause(fault.delayMs);
	const response = responseOf(fault, usual);
	switch (effectOf(fault).response) {
		case 'pass':
			return false;
		case 'respond':
			await sendWhole(injection, response);
			return true;
		case 'half': {
			const text = response.text.slice(0, Math.ceil(response.text.length / 2));
			await sendWhole(injection, { ...response, text });
			return true;
		}
		case 'cut':
		case 'hang':
			log(injection);
			reply.hijack();
			if (effectOf(fault).response === 'cut') request.raw.socket.destroy();
			return true;
		case 'cutHalfway':
			cutHalfway(injection, response);
			return true;
	}
};
