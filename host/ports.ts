import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The only address anything here listens on. */
export const loopback = '127.0.0.1';

async function isFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => {
			resolve(false);
		});
		server.listen({ port, host: loopback, exclusive: true }, () => {
			server.close(() => {
				resolve(true);
			});
		});
	});
}

/**
 * A free loopback port: the preferred one if it is free. Others are below the range from which the
 * system takes the ports of outgoing connections, so that none has it while a server is stopped.
 */
export async function freePort(preferred?: number): Promise<number> {
	if (preferred !== undefined && (await isFree(preferred))) return preferred;
	for (let tries = 0; tries < 100; tries++) {
		const port = randomInt(20_000, 30_000);
		if (await isFree(port)) return port;
	}
	throw new Error(`No free port on ${loopback}.`);
}
