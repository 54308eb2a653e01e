import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The only address anything here listens on. */
export const loopback = '127.0.0.1';

/** The port that a server got when it asked for `port`, or undefined when that is taken. */
async function tryPort(port: number): Promise<number | undefined> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => {
			resolve(undefined);
		});
		server.listen({ port, host: loopback, exclusive: true }, () => {
			const address = server.address();
			const taken = typeof address === 'object' && address !== null ? address.port : undefined;
			server.close(() => {
				resolve(taken);
			});
		});
	});
}

/** A free loopback port: the preferred one if it is free, otherwise any. */
export async function freePort(preferred = 0): Promise<number> {
	const port = (await tryPort(preferred)) ?? (await tryPort(0));
	if (port === undefined) throw new Error(`No free port on ${loopback}.`);
	return port;
}

/**
 * A free loopback port for a server that is stopped and started again: below the range from which
 * the system takes the ports of outgoing connections, so that none has it meanwhile.
 */
export async function lastingPort(): Promise<number> {
	for (let tries = 0; tries < 100; tries++) {
		const port = await tryPort(randomInt(20_000, 30_000));
		if (port !== undefined) return port;
	}
	throw new Error(`No free port on ${loopback}.`);
}
