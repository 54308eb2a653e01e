import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A request as its bytes were. */
export interface RawRequest {
	method: string;
	/** Path and query, as they were written. */
	target: string;
	/** Names in lower case, in the order of the request; a repeated one is there twice. */
	headers: [name: string, value: string][];
	body: string;
	/** What came after the end that the request itself names: always empty, or a second request. */
	rest: string;
}

/** A server that reads bytes itself: no HTTP library stands between what was sent and the test. */
export interface RawServer {
	url: string;
	host: string;
	received: RawRequest[];
	close(): Promise<void>;
}

function parse(text: string): RawRequest | undefined {
	const end = text.indexOf('\r\n\r\n');
	if (end === -1) return undefined;
	const [line = '', ...lines] = text.slice(0, end).split('\r\n');
	const headers = lines.map((header): [string, string] => {
		const colon = header.indexOf(':');
		return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
	});
	const length = Number(headers.find(([name]) => name === 'content-length')?.[1] ?? 0);
	const after = Buffer.from(text.slice(end + 4), 'latin1');
	if (after.length < length) return undefined;
	const [method = '', target = ''] = line.split(' ');
	return {
		method,
		target,
		headers,
		body: after.subarray(0, length).toString('utf8'),
		rest: after.subarray(length).toString('latin1'),
	};
}

/** Starts such a server. `answer` gets the socket once the request is complete; it ends it itself. */
export async function startRawServer(
	answer: (socket: Socket, request: RawRequest) => void,
): Promise<RawServer> {
	const received: RawRequest[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		let text = '';
		let isAnswered = false;
		socket.on('data', (chunk) => {
			text += chunk.toString('latin1');
			const request = parse(text);
			if (request === undefined || isAnswered) return;
			isAnswered = true;
			received.push(request);
			answer(socket, request);
		});
		socket.on('error', () => socket.destroy());
		socket.on('close', () => sockets.delete(socket));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url: `http://${host}`,
		host,
		received,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				for (const socket of sockets) socket.destroy();
			}),
	};
}

/** Responds with JSON and closes the connection. */
export function answeringJson(value: unknown) {
	const body = JSON.stringify(value);
	return (socket: Socket) => {
		socket.end(
			[
				'HTTP/1.1 200 OK',
				'Content-Type: application/json',
				`Content-Length: ${String(Buffer.byteLength(body))}`,
				'Connection: close',
				'',
				body,
			].join('\r\n'),
		);
	};
}
