import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { control } from './control.ts';
import { invalid, problem, ServiceError } from './errors.ts';
import { beginningOf, largeBody, mayNamePrototype, parseLargeObject } from './jsonBody.ts';
import { openapi, openapiPaths } from './openapi.ts';
import { page, pagePaths } from './page/page.ts';
import { Service, type ServiceOptions } from './service.ts';
import { SmsWork } from './smsSimulation.ts';
import { VoiceWork } from './voiceSimulation.ts';
import { serviceApi } from './serviceApi.ts';

const largestBody = 256 * 1024 * 1024;
const storageRead = /^\/{2,}(?=api\/PhoneNumberStorageItem(\/|$))/i;

const ownPaths: ReadonlySet<string> = new Set([...pagePaths, ...openapiPaths]);

/** Whether a URL is the page's, the description's or the control API's, and no part of the service. */
const isOwn = (url: string): boolean => {
	const [path = ''] = url.split('?', 1);
	return ownPaths.has(path) || path.startsWith('/_sandbox');
};

/**
 * The router's view of a URL: without the base path of the settings, and without the doubled slash that the
 * interface writes before the storage reads (interface: "Endpoints").
 */
const routed = (method: string | undefined, url: string, basePath: string): string => {
	if (isOwn(url)) return url;
	if (basePath !== '' && !url.startsWith(`${basePath}/`)) return `/_outside${url}`;
	const path = url.slice(basePath.length);
	return method === 'GET' ? path.replace(storageRead, '/') : path;
};

/** Errors of Fastify itself, in the service's words. */
const asServiceError = (error: FastifyError | ServiceError): ServiceError => {
	if (error instanceof ServiceError) return error;
	const { statusCode = 500, message, code } = error;
	if (statusCode === 400 && (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || !code)) {
		return invalid({ body: [`The body is not valid JSON. ${message}`] });
	}
	return problem(statusCode, message);
};

const addBodyParsers = (app: FastifyInstance): void => {
	app.removeAllContentTypeParsers();
	const parseJson = app.getDefaultJsonParser('error', 'error');
	app.addContentTypeParser(
		'application/json',
		{ parseAs: 'buffer' },
		(request, body: Buffer, done) => {
			const parseWhole = (): unknown => parseJson(request, body.toString(), done);
			if (body.length === 0) done(null, undefined);
			else if (body.length < largeBody || mayNamePrototype(body)) {
				request.text = body.toString();
				parseWhole();
			} else {
				request.text = beginningOf(body);
				// The usual parser words the error.
				parseLargeObject(body).then((value) => done(null, value), parseWhole);
			}
		},
	);
	app.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
		request.text = text as string;
		if (text === '') done(null, undefined);
		else {
			const type = request.headers['content-type'] ?? '';
			done(problem(415, `A body must be application/json, not ${type}.`));
		}
	});
};

/** A sandbox: the HTTP server and the service behind it. */
export interface Sandbox {
	app: FastifyInstance;
	service: Service;
}

/** Puts a sandbox together; the caller lets it listen. */
export const buildSandbox = async (options: ServiceOptions = {}): Promise<Sandbox> => {
	const service = new Service(options, (shared) => [new SmsWork(shared), new VoiceWork(shared)]);
	const app = Fastify({
		ajv: { customOptions: { removeAdditional: false } },
		bodyLimit: largestBody,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		rewriteUrl: ({ method, url = '/' }) =>
			routed(method, url, service.settings.current.conventions.basePath),
		routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 2000 },
	});

	app.decorateRequest('text', undefined);
	app.decorateRequest('operationId', null);
	app.decorateRequest('fault', undefined);
	addBodyParsers(app);
	app.setErrorHandler((error: FastifyError | ServiceError, _request, reply) => {
		const { statusCode, body, headers } = asServiceError(error);
		if (statusCode >= 500) console.error(error);
		return reply
			.code(statusCode)
			.headers(headers)
			.type('application/json; charset=utf-8')
			.send(JSON.stringify(body));
	});
	app.setNotFoundHandler((request) => {
		throw problem(404, `There is no operation for ${request.method} ${request.originalUrl}.`);
	});
	app.addHook('onSend', (request, reply, payload, done) => {
		const { originalUrl } = request;
		if (!isOwn(originalUrl)) {
			service.requests.add({
				at: service.clock.nowIso(),
				method: request.method,
				url: originalUrl,
				operationId: request.operationId,
				headers: request.headers,
				body: request.text,
				status: reply.statusCode,
				response: typeof payload === 'string' ? payload : null,
				fault: request.fault?.kind ?? null,
			});
		}
		done();
	});
	app.addHook('onClose', () => service.stop());

	await app.register(page(service));
	await app.register(openapi(service));
	await app.register(control(service), { prefix: '/_sandbox' });
	await app.register(serviceApi(service));
	service.deliveries.resume();
	service.simulation.wake();
	return { app, service };
};
