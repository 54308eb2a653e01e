import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request that a local server received. */
export interface ReceivedRequest {
	method: string;
	url: string;
	headers: IncomingMessage['headers'];
	body: string;
}

/** A web server of a test, on a free port of this machine. */
export interface LocalServer {
	url: string;
	host: string;
	/** What it was asked, in order. */
	received: ReceivedRequest[];
	/** How many connections were opened, also those that ended before a request. */
	readonly connections: number;
	close(): Promise<void>;
}

/** Responds to a request whose body has been read. */
export type Answer = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

async function bodyOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}

/** Starts a web server; with a certificate, it speaks TLS. */
export async function startServer(
	answer: Answer,
	certificate?: { key: string; cert: string },
): Promise<LocalServer> {
	const received: ReceivedRequest[] = [];
	const listener: RequestListener = (incoming, response) => {
		void bodyOf(incoming).then(async (body) => {
			const { method = '', url = '', headers } = incoming;
			const request = { method, url, headers, body };
			received.push(request);
			await answer(request, response);
		});
	};
	const server = certificate
		? https.createServer(certificate, listener)
		: http.createServer(listener);
	let connections = 0;
	server.on('connection', () => connections++);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url: `${certificate ? 'https' : 'http'}://${host}`,
		host,
		received,
		get connections() {
			return connections;
		},
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

/** Sends a request on to another server, and its response back as it is. */
export async function forward(
	target: string,
	{ method, headers, body }: ReceivedRequest,
	response: ServerResponse,
): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		const outgoing = http.request(target, { method, headers }, (incoming) => {
			response.writeHead(incoming.statusCode ?? 502, incoming.headers);
			incoming.pipe(response);
			incoming.once('end', resolve);
		});
		outgoing.once('error', reject);
		outgoing.end(body);
	});
}

/** Servers of one test, closed after it. */
export function serversOfTest(): typeof startServer {
	const servers: LocalServer[] = [];
	afterEach(async () => {
		await Promise.all(servers.splice(0).map((server) => server.close()));
	});
	return async (...options) => {
		const server = await startServer(...options);
		servers.push(server);
		return server;
	};
}
