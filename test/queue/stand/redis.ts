import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { loopback } from '../../../host/ports.ts';
import type { Server } from '../../../host/server.ts';
import { startGuarded } from './guarded.ts';

/** What to start Redis with. */
export interface RedisOptions {
	/** redis-server. */
	program: string;
	port: number;
	/** Where it keeps its data. */
	folder: string;
	logFile: string;
}

async function answersPing(port: number): Promise<boolean> {
	const socket = connect({ port, host: loopback });
	try {
		await once(socket, 'connect');
		socket.write('PING\r\n');
		const [answer] = (await once(socket, 'data')) as [Buffer];
		// While it reads its files it responds with LOADING.
		return answer.toString().startsWith('+PONG');
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}

/**
 * Starts Redis on loopback. It writes each change to its file: without `appendonly`, the jobs of the
 * last minutes are gone when Redis dies, and with them the executions that wait in the queue.
 */
export async function startRedis({
	program,
	port,
	folder,
	logFile,
}: RedisOptions): Promise<Server> {
	mkdirSync(folder, { recursive: true });
	return await startGuarded({
		name: 'Redis',
		program,
		args: [
			...['--bind', loopback, '--port', String(port)],
			...['--dir', folder, '--appendonly', 'yes', '--save', ''],
		],
		folder,
		logFile,
		stopSignal: 'SIGTERM',
		isReady: async () => await answersPing(port),
	});
}
