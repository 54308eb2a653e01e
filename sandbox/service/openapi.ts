import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuseOtherSites } from './otherSites.ts';
import type { Service } from './service.ts';

/** The addresses of the interface's description. */
export const openapiPaths = ['/openapi.yaml', '/openapi.json'] as const;

const serverOf = ({ settings }: Service, request: FastifyRequest): string =>
	`${request.protocol}://${request.host}${settings.current.conventions.basePath}`;

/** openapi.yaml as a file for generators, with this sandbox as the server. */
export const openapi =
	(service: Service) =>
	(app: FastifyInstance): void => {
		const { contract } = service;
		app.addHook('onRequest', refuseOtherSites);
		app.get('/openapi.yaml', (request, reply) =>
			reply
				.type('application/yaml; charset=utf-8')
				.send(contract.text.replace(contract.serverUrl, () => serverOf(service, request))),
		);
		app.get('/openapi.json', (request) => ({
			...contract.published,
			servers: [{ url: serverOf(service, request) }],
		}));
	};
