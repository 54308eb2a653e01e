import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { control } from './control.ts';
import { invalid, problem, ServiceError } from './errors.ts';
import { tokenRoute } from './logins.ts';
import { refuseOtherSites } from './otherSites.ts';
import { page } from './page/page.ts';
import { Service, type ServiceOptions } from './service.ts';
import { serviceApi } from './serviceApi.ts';
import { SmsWork } from './smsSimulation.ts';
import { VoiceWork } from './voiceSimulation.ts';

const largestBody = 256 * 1024 * 1024;
const storageRead = /^\/{2,}(?=api\/PhoneNumberStorageItem(\/|$))/i;

/** Whether a URL is the page's or the control API's, and no part of the service. */
const isOwn = (url: string): boolean => /^\/(\?|$|_sandbox)/.test(url);

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
	app.addContentTypeParser('*', { parseAs: 'string' }, (request, text, done) => {
		request.text = text as string;
		const type = request.headers['content-type'] ?? '';
		if (text === '') done(null, undefined);
		else if (/^application\/json\b/i.test(type)) parseJson(request, text as string, done);
		else done(problem(415, `A body must be application/json, not ${type}.`));
	});
};

const addHooks = (app: FastifyInstance, service: Service): void => {
	app.setErrorHandler((error: FastifyError | ServiceError, _request, reply) => {
		const { statusCode, body } = asServiceError(error);
		if (statusCode >= 500) console.error(error);
		return reply
			.code(statusCode)
			.type('application/json; charset=utf-8')
			.send(JSON.stringify(body));
	});
	app.setNotFoundHandler((request) => {
		throw problem(404, `There is no operation for ${request.method} ${request.originalUrl}.`);
	});
	app.addHook('onRequest', refuseOtherSites);
	// Every request sees what has happened until now.
	app.addHook('preHandler', (_request, _reply, done) => {
		service.clock.catchUp();
		done();
	});
	app.addHook('onSend', (request, reply, payload, done) => {
		if (!isOwn(request.originalUrl)) {
			service.requests.add(request, {
				at: service.clock.nowIso(),
				status: reply.statusCode,
				response: typeof payload === 'string' ? payload : null,
			});
		}
		done();
	});
	app.addHook('onClose', () => service.stop());
};

/** A sandbox: the HTTP server and the service behind it. */
export interface Sandbox {
	app: FastifyInstance;
	service: Service;
}

/** Puts a sandbox together; the caller lets it listen. */
export const buildSandbox = async (options: ServiceOptions = {}): Promise<Sandbox> => {
	const service = new Service(options);
	const app = Fastify({
		ajv: { customOptions: { removeAdditional: false, allowUnionTypes: true } },
		bodyLimit: largestBody,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		// The interface writes a doubled slash before the storage reads (interface: "Endpoints").
		rewriteUrl: ({ method, url = '/' }) => (method === 'GET' ? url.replace(storageRead, '/') : url),
		routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 2000 },
	});
	app.decorateRequest('text', undefined);
	app.decorateRequest('operationId', null);
	app.decorateRequest('fault', undefined);
	addBodyParsers(app);
	addHooks(app, service);
	await app.register(page(service));
	await app.register(control(service), { prefix: '/_sandbox' });
	await app.register(tokenRoute(service));
	await app.register(serviceApi(service));
	// What an earlier run of the sandbox left undelivered.
	service.deliveries.wake();
	service.clock.start([new SmsWork(service), new VoiceWork(service)]);
	return { app, service };
};
