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

const given = new Set<number>();

/** From where to where ports are taken. */
type PortRange = readonly [from: number, to: number];
const PORTS: PortRange = [20_000, 30_000];
/** Of what takes its ports long before it listens, while others take theirs. */
export const reservedPorts: PortRange = [10_000, 20_000];

/**
 * A free loopback port: the preferred one if it is free. Others are below the range from which the
 * system takes the ports of outgoing connections, so that none has it while a server is stopped, and
 * a process gets none twice.
 */
export async function freePort(preferred?: number, [from, to] = PORTS): Promise<number> {
	if (preferred !== undefined && (await isFree(preferred))) return preferred;
	for (let tries = 0; tries < 100; tries++) {
		const port = randomInt(from, to);
		if (given.has(port) || !(await isFree(port))) continue;
		given.add(port);
		return port;
	}
	throw new Error(`No free port on ${loopback}.`);
}
