import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { loopback } from '../../../host/ports.ts';
import { isReady } from '../../../host/n8nProcess.ts';
import { webhookProcessorPaths } from './environment.ts';

/** Where the proxy listens and passes requests on to, as ports on loopback. */
export interface ProxyOptions {
	port: number;
	main: number;
	/** The webhook processor: production webhooks, forms, waiting executions and MCP servers. */
	webhook: number;
	/** A second one, which takes every other request while it runs. */
	webhook2: number;
}

const production = new RegExp(`^/(${webhookProcessorPaths.join('|')})/`);

/**
 * The reverse proxy that queue mode needs: one address for the main process and the webhook
 * processor. It passes nothing on to a process that is not ready: while n8n starts, it responds to
 * every request with 200 for a moment and does nothing.
 */
export async function startProxy(options: ProxyOptions): Promise<Server> {
	const { port, main, webhook, webhook2 } = options;
	const agent = new Agent({ keepAlive: true });
	const ready = new Map([main, webhook, webhook2].map((target) => [target, true]));
	let turns = 0;

	/** Leaves a target out until it says that it is ready. */
	async function leaveOut(target: number): Promise<void> {
		if (ready.get(target) === false) return;
		ready.set(target, false);
		while (!(await isReady(`http://${loopback}:${String(target)}`))) {
			await sleep(250, undefined, { ref: false });
			if (!server.listening) return;
		}
		ready.set(target, true);
	}

	const targetOf = ({ url = '/' }: IncomingMessage) => {
		if (!production.test(url)) return main;
		return ready.get(webhook2) === true && ++turns % 2 === 0 ? webhook2 : webhook;
	};

	const server = createServer((incoming, answer) => {
		const target = targetOf(incoming);
		const { method, url } = incoming;
		const headers = {
			...incoming.headers,
			'x-forwarded-for': incoming.socket.remoteAddress,
			'x-forwarded-proto': 'http',
		};
		const refuse = () => {
			if (answer.headersSent) answer.destroy();
			else answer.writeHead(503, { 'retry-after': '1' }).end();
		};
		if (ready.get(target) === false) {
			incoming.resume();
			refuse();
			return;
		}
		const outgoing = request({ agent, host: loopback, port: target, method, path: url, headers });
		outgoing.once('response', (response) => {
			answer.writeHead(response.statusCode ?? 502, response.headers);
			response.pipe(answer);
			response.once('error', refuse);
		});
		outgoing.once('error', () => {
			refuse();
			void leaveOut(target);
		});
		answer.once('close', () => outgoing.destroy());
		incoming.pipe(outgoing);
	});

	server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
		relay(targetOf(incoming), incoming, socket, head);
	});

	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, loopback, resolve);
	});
	void leaveOut(webhook2);
	return server;
}

/** Passes on the editor's connection for news, byte by byte. */
function relay(target: number, incoming: IncomingMessage, socket: Socket, head: Buffer): void {
	const backend = connect(target, loopback, () => {
		const { method = 'GET', url = '/', rawHeaders } = incoming;
		const headers = rawHeaders.map((part, index) => part + (index % 2 === 0 ? ': ' : '\r\n'));
		backend.write(`${method} ${url} HTTP/1.1\r\n${headers.join('')}\r\n`);
		backend.write(head);
		backend.pipe(socket).pipe(backend);
	});
	const end = () => {
		backend.destroy();
		socket.destroy();
	};
	for (const side of [backend, socket]) side.on('error', end).on('close', end);
}
