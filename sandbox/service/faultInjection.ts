import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { faultKinds, jsonType, type FaultEffect, type FaultKindDefinition } from './faults.ts';
import type { Service } from './service.ts';

/** What the service would respond without the fault; the body is JSON text. */
export interface UsualResponse {
	status: number;
	text: string | undefined;
}

interface FaultyResponse {
	status: number;
	headers: Record<string, string>;
	text: string;
}

/** What a fault responds with: its own status and body, its kind's, or the usual ones. */
const responseOf = (
	fault: FaultEffect,
	kind: FaultKindDefinition,
	usual: UsualResponse | undefined,
): FaultyResponse => {
	const status = fault.status ?? kind.status ?? usual?.status ?? 500;
	const own = fault.body ?? kind.body;
	const message = { message: `The service is out of order (${String(status)}).` };
	const text = typeof own === 'string' && kind.textType !== undefined ? own : undefined;
	const usualText = kind.response === 'respond' || own !== undefined ? undefined : usual?.text;
	return {
		status,
		headers: {
			'content-type': (text !== undefined && kind.textType) || jsonType,
			...(fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }),
		},
		text: text ?? usualText ?? JSON.stringify(own ?? message),
	};
};

const cutHalfway = (
	request: FastifyRequest,
	reply: FastifyReply,
	{ status, headers, text }: FaultyResponse,
): void => {
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
	time: 'before' | 'after',
	usual?: UsualResponse,
): Promise<boolean> => {
	const { fault } = request;
	if (!fault) return false;
	const kind: FaultKindDefinition = faultKinds[fault.kind];
	if ((fault.when ?? kind.when) !== time) return false;
	if (fault.delayMs) await pause(fault.delayMs);
	if (kind.response === 'pass') return false;
	const response = responseOf(fault, kind, usual);
	if (kind.response === 'respond' || kind.response === 'half') {
		const { length } = response.text;
		const end = kind.response === 'half' ? Math.ceil(length / 2) : length;
		await reply.code(response.status).headers(response.headers).send(response.text.slice(0, end));
		return true;
	}
	// A response that does not pass through Fastify is not seen by the hook that logs requests.
	service.requests.add(request, { at: service.clock.nowIso(), status: null, response: null });
	reply.hijack();
	if (kind.response === 'cut') request.raw.socket.destroy();
	if (kind.response === 'cutHalfway') cutHalfway(request, reply, response);
	return true;
};
