import type { FastifyInstance } from 'fastify';
import { credentialsOf } from './authentication.ts';
import type { Service } from './service.ts';

/** A request to the service, without credentials. */
export interface ServiceRequest {
	method: string;
	/** Path and query, without the base path of the settings. */
	url: string;
	/** JSON, or the text of a body that is sent as it is. */
	body?: unknown;
	/** Goes where the settings want the client identifier. */
	clientId?: number;
}

/** What the service responded. */
export interface ServiceResponse {
	status: number;
	text: string;
}

const bodyOf = (body: unknown, added: Record<string, unknown>): string | undefined => {
	const isText = typeof body === 'string';
	if (Object.keys(added).length === 0) {
		return isText || body === undefined ? body : JSON.stringify(body);
	}
	const whole = isText ? (JSON.parse(body) as object) : (body as object | undefined);
	return JSON.stringify({ ...whole, ...added });
};

/** Sends a request to the service as a client with valid credentials does; it is logged, and faults hit it. */
export const callService = async (
	app: FastifyInstance,
	{ settings }: Service,
	{ method, url, body, clientId }: ServiceRequest,
): Promise<ServiceResponse> => {
	const { authentication, conventions } = settings.current;
	const { basePath, clientIdPlace } = conventions;
	const proof = credentialsOf(authentication);
	const [path = '', query = ''] = url.split('?', 2);
	const id = clientId === undefined ? {} : { clientId };
	const inPath =
		clientId !== undefined && clientIdPlace === 'path'
			? `${path.replace(/\/$/, '')}/${String(clientId)}`
			: path;
	const names = new URLSearchParams(query);
	const added = { ...proof.query, ...(clientIdPlace === 'query' ? id : {}) };
	for (const [name, value] of Object.entries(added)) names.set(name, String(value));
	const payload = bodyOf(body, { ...proof.body, ...(clientIdPlace === 'body' ? id : {}) });
	const response = await app.inject({
		method: method as 'GET' | 'POST',
		url: `${basePath}${inPath}${names.size === 0 ? '' : `?${names.toString()}`}`,
		headers: {
			...proof.headers,
			...(payload === undefined ? {} : { 'content-type': 'application/json' }),
		},
		...(payload === undefined ? {} : { payload }),
	});
	return { status: response.statusCode, text: response.payload };
};
