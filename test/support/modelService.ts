import type { ServerResponse } from 'node:http';
import { startServer, type LocalServer } from './servers';

/** What the model does with a sending request. */
export type Behaviour =
	| 'accept'
	| 'reject'
	| 'busy'
	| 'failBefore'
	| 'failAfter'
	| 'cutBefore'
	| 'cutAfter'
	/** Never responds. */
	| 'hang'
	/** Accepts it, and responds with a success that does not say what was created. */
	| 'acceptVaguely';

/** A sending request as the model received it. */
export interface ModelRequest {
	path: string;
	body: Record<string, unknown>;
}

/** A service that does with each sending request what it is told, and knows what it has accepted. */
export interface ModelService {
	/** Empty until it has started. */
	url: string;
	/** Every request that was accepted, in order. */
	accepted: ModelRequest[];
	/** Chooses what happens to the next request. */
	decide: (request: ModelRequest) => Behaviour | Promise<Behaviour>;
	reset(): void;
	/** Listens on a free port. */
	start(): Promise<void>;
	stop(): Promise<void>;
}

/** A model that is not started yet. */
export function modelService(): ModelService {
	let lastId = 0;
	let server: LocalServer | undefined;
	const service: ModelService = {
		url: '',
		accepted: [],
		decide: () => 'accept',
		reset() {
			service.accepted = [];
			service.decide = () => 'accept';
		},
		async start() {
			server = await startServer(respondTo);
			service.url = server.url;
		},
		async stop() {
			await server?.close();
		},
	};
	const respond = (response: ServerResponse, status: number, body: unknown) => {
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(body));
	};
	const respondTo = async (
		{ url, body }: { url: string; body: string },
		response: ServerResponse,
	) => {
		const content = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>;
		const received = { path: url, body: content };
		const behaviour = await service.decide(received);
		const isAccepted = ['accept', 'acceptVaguely', 'failAfter', 'cutAfter'].includes(behaviour);
		if (isAccepted) service.accepted.push(received);
		switch (behaviour) {
			case 'accept': {
				const id = ++lastId;
				const isVoice = /voice/i.test(received.path);
				const guid = `c56a4180-65aa-42ec-a945-${String(id).padStart(12, '0')}`;
				respond(response, 200, isVoice ? { ...received.body, id } : guid);
				break;
			}
			case 'acceptVaguely':
				respond(response, 200, { status: 'queued' });
				break;
			case 'reject':
				respond(response, 400, { errors: { message: ['not today'] } });
				break;
			case 'busy':
				respond(response, 429, {});
				break;
			case 'failBefore':
			case 'failAfter':
				respond(response, 500, {});
				break;
			case 'hang':
				break;
			case 'cutBefore':
			case 'cutAfter':
				response.destroy();
		}
	};
	return service;
}
