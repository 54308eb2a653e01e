import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
	decide: (request: ModelRequest) => Behaviour;
	reset(): void;
	/** Listens on a free port. */
	start(): Promise<void>;
	stop(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString();
	return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** A model that is not started yet. */
export function modelService(): ModelService {
	let lastId = 0;
	const service: ModelService = {
		url: '',
		accepted: [],
		decide: () => 'accept',
		reset() {
			service.accepted = [];
			service.decide = () => 'accept';
		},
		async start() {
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		},
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	const respond = (response: ServerResponse, status: number, body: unknown) => {
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(body));
	};
	const server = createServer((request, response) => {
		void (async () => {
			const received = { path: request.url ?? '', body: await bodyOf(request) };
			const behaviour = service.decide(received);
			const isAccepted = ['accept', 'acceptVaguely', 'failAfter', 'cutAfter'].includes(behaviour);
			if (isAccepted) service.accepted.push(received);
			switch (behaviour) {
				case 'accept': {
					const id = ++lastId;
					const isVoice = /voice/i.test(received.path);
					const guid = `c56a4180-65aa-42ec-a945-${String(id).padStart(12, '0')}`;
					return respond(response, 200, isVoice ? { ...received.body, id } : guid);
				}
				case 'acceptVaguely':
					return respond(response, 200, { status: 'queued' });
				case 'reject':
					return respond(response, 400, { errors: { message: ['not today'] } });
				case 'busy':
					return respond(response, 429, {});
				case 'failBefore':
				case 'failAfter':
					return respond(response, 500, {});
				case 'hang':
					return undefined;
				case 'cutBefore':
				case 'cutAfter':
					response.destroy();
			}
		})();
	});
	return service;
}
