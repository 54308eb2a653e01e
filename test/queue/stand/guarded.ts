import path from 'node:path';
import { startServer, untilReady, type Server } from '../../../host/server.ts';

/** A program that is not ours, and how to run it. */
export interface GuardedOptions {
	name: string;
	program: string;
	args: string[];
	/** The program's working folder. */
	folder: string;
	logFile: string;
	/** What makes the program end in good order. */
	stopSignal: NodeJS.Signals;
	/** The user to run as; ours unless given. */
	user?: { uid: number; gid: number };
	/** Whether the program responds. */
	isReady: () => Promise<boolean>;
}

/** Starts a program and waits until it responds. It ends when we end. */
export async function startGuarded(options: GuardedOptions): Promise<Server> {
	const { name, program, args, folder, logFile, stopSignal, user, isReady } = options;
	const server = startServer({
		name,
		args: [
			path.join(import.meta.dirname, 'programGuard.mjs'),
			JSON.stringify({ program, args, stopSignal, ...user }),
		],
		cwd: folder,
		env: process.env,
		logFile,
	});
	await untilReady(server, 60_000, isReady);
	return server;
}
