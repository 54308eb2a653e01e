import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import axios from 'axios';

/**
 * Takes commands over HTTP for as long as this process lives, each a JSON object whose result goes
 * back as JSON. Whoever waits for a result learns immediately when this process ends.
 * @returns where commands are sent to
 */
export async function takeCommands<Command>(
	obey: (command: Command) => Promise<unknown>,
): Promise<string> {
	const server = createServer((request, response) => {
		void text(request)
			.then(async (body) => await obey(JSON.parse(body) as Command))
			.then(
				(result) => response.end(JSON.stringify(result ?? null)),
				(error: unknown) => {
					response.statusCode = 500;
					response.end(error instanceof Error ? error.message : String(error));
				},
			);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return `http://127.0.0.1:${String(port)}`;
}

/** Sends a command and waits for its result, however long it takes; fails with what the other side says. */
export async function tell<Result = null>(url: string, command: object): Promise<Result> {
	const { data, status } = await axios
		.post<Result>(url, command, {
			proxy: false,
			validateStatus: () => true,
			maxContentLength: Infinity,
		})
		.catch((error: unknown) => {
			// Axios' own error holds the connection, which no report of a test can show.
			const reason = error instanceof Error ? error.message : String(error);
			throw new Error(`What the tests share does not respond any more: ${reason}`);
		});
	if (status !== 200) throw new Error(String(data));
	return data;
}
