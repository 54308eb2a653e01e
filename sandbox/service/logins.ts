import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSame } from './authentication.ts';
import { applyFault } from './faultInjection.ts';
import { jsonType } from './faults.ts';
import type { Service } from './service.ts';
import { login } from './tokens.ts';

/** A refusal as OAuth 2 words it (RFC 6749, 5.2). */
interface Refusal {
	status: number;
	error: string;
}

type Values = Record<string, unknown>;

const matches = (values: Values, expected: Record<string, string>): boolean =>
	Object.entries(expected).every(([name, value]) => isSame(values[name], value));

/** The client of a form: in its fields, or as Basic authentication, whose parts are encoded (RFC 6749, 2.3.1). */
const clientIn = (form: Values, authorization = ''): Values => {
	const [, encoded] = /^Basic (.+)$/i.exec(authorization) ?? [];
	if (encoded === undefined) return form;
	const [, id = '', secret = ''] =
		/^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
	const decoded = new URLSearchParams(`id=${id}&secret=${secret}`);
	return { client_id: decoded.get('id'), client_secret: decoded.get('secret') };
};

/** Why a form is refused, if it is. */
const refusalOfForm = (form: Values, authorization: string | undefined): Refusal | undefined => {
	const { clientId, clientSecret, username, password } = login;
	const client = clientIn(form, authorization);
	const isClient = matches(client, { client_id: clientId, client_secret: clientSecret });
	const hasClient = client.client_id !== undefined;
	switch (form.grant_type) {
		case 'client_credentials':
			return isClient ? undefined : { status: 401, error: 'invalid_client' };
		case 'password':
			if (hasClient && !isClient) return { status: 401, error: 'invalid_client' };
			return matches(form, { username, password })
				? undefined
				: { status: 400, error: 'invalid_grant' };
		default:
			return { status: 400, error: 'unsupported_grant_type' };
	}
};

/** Why a JSON body is refused, if it is: it has a user's login or a client's. */
const refusalOfJson = (body: Values): Refusal | undefined => {
	const { clientId, clientSecret, username, password } = login;
	const isKnown =
		matches(body, { username, password }) || matches(body, { clientId, clientSecret });
	return isKnown ? undefined : { status: 401, error: 'invalid_login' };
};

const respond = (service: Service, { body, headers }: FastifyRequest) => {
	const { tokens, settings } = service;
	const refusal =
		body instanceof URLSearchParams
			? refusalOfForm(Object.fromEntries(body), headers.authorization)
			: refusalOfJson((body ?? {}) as Values);
	if (refusal !== undefined) {
		tokens.logins.refused += 1;
		const { status, error } = refusal;
		return { status, body: { error, error_description: 'The login is not known.' } };
	}
	const { expiresInSeconds, tellsExpiry } = settings.current.tokens;
	const expiry = tellsExpiry && expiresInSeconds !== null ? { expires_in: expiresInSeconds } : {};
	const token = tokens.add(settings.current.tokens);
	return { status: 200, body: { access_token: token, token_type: 'Bearer', ...expiry } };
};

/** `POST /token`: a login with OAuth 2 (client credentials or password) or JSON. */
export const tokenRoute =
	(service: Service) =>
	(app: FastifyInstance, _options: object, done: () => void): void => {
		app.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			(request, text, parsed) => {
				request.text = text as string;
				parsed(null, new URLSearchParams(text as string));
			},
		);
		app.post('/token', async (request: FastifyRequest, reply: FastifyReply) => {
			const operation = { operationId: 'logIn', operationIdWithoutBody: undefined };
			request.fault = service.faults.take(operation, 'POST', '/token');
			if (await applyFault(service, request, reply, 'before')) return reply;
			const { status, body } = respond(service, request);
			const text = JSON.stringify(body);
			if (await applyFault(service, request, reply, 'after', { status, text })) return reply;
			return await reply.code(status).type(jsonType).send(text);
		});
		done();
	};
