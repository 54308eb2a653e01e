import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from './poll.ts';

/** A server process that we have started. */
export interface Server {
	readonly name: string;
	readonly process: ChildProcess;
	readonly logFile: string;
	/** Settles when the process has ended, with a description of how. */
	readonly ended: Promise<string>;
	hasEnded(): boolean;
	/** Ends the process and everything it has started: first asks, then insists. */
	stop(): Promise<void>;
}

/** What to start, and how. */
export interface ServerOptions {
	name: string;
	/** The Node.js to run it on; our own unless given. */
	node?: string;
	args: string[];
	cwd: string;
	env: NodeJS.ProcessEnv;
	logFile: string;
	/** 'pipe' hands the process's standard output to the caller; otherwise it goes to the log file. */
	stdout?: 'pipe' | 'log';
}

/** How long a server may take to end by itself when asked to, in milliseconds. */
const patience = 15_000;

/** Every server that has been started and not stopped. */
const running = new Set<Server>();

/** Stops all servers, those that are still starting included. */
export async function stopAllServers(): Promise<void> {
	await Promise.all([...running].map(async (server) => await server.stop()));
}

/** The last lines of a log file, for error messages. */
const tailOf = (logFile: string): string =>
	readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-25).join('\n');

/** Waits until a server responds. One that does not, or ends while it starts, is stopped. */
export async function untilReady(
	server: Server,
	timeout: number,
	isReady: () => Promise<boolean>,
): Promise<void> {
	const { name, logFile } = server;
	try {
		await poll(
			async () => {
				if (server.hasEnded()) {
					throw new Error(
						`${name} ended while starting (${await server.ended}).\n${tailOf(logFile)}`,
					);
				}
				return (await isReady()) ? true : undefined;
			},
			{ what: `${name} to start (its log: ${logFile})`, timeout, interval: 100 },
		);
	} catch (error) {
		await server.stop();
		throw error;
	}
}

/**
 * Starts a server on Node.js, as the leader of a process group of its own (where there are
 * such): Ctrl-C does not reach it, and its own children can be ended with it.
 * Its standard input and a channel close when we are gone, so that it can end then.
 */
export function startServer(options: ServerOptions): Server {
	const { name, node = process.execPath, args, cwd, env, logFile, stdout = 'log' } = options;
	mkdirSync(path.dirname(logFile), { recursive: true });
	const log = openSync(logFile, 'w');
	const groups = process.platform !== 'win32';
	const child = spawn(node, args, {
		cwd,
		env,
		detached: groups,
		windowsHide: true,
		stdio: ['pipe', stdout === 'pipe' ? 'pipe' : log, log, 'ipc'],
	});
	closeSync(log);

	let over = false;
	const ended = new Promise<string>((resolve) => {
		child.once('error', (error) => {
			over = true;
			resolve(error.message);
		});
		child.once('exit', (code, signal) => {
			over = true;
			resolve(signal === null ? `exit code ${String(code)}` : `signal ${signal}`);
		});
	});

	/** Signals the whole group; also children that have outlived their parent. */
	const signalAll = (signal: NodeJS.Signals): void => {
		if (child.pid === undefined) return;
		try {
			process.kill(groups ? -child.pid : child.pid, signal);
		} catch {
			// Nothing of it is left.
		}
	};

	const server: Server = {
		name,
		process: child,
		logFile,
		ended,
		hasEnded: () => over,
		async stop() {
			if (!over) {
				child.kill('SIGTERM');
				const timer = new AbortController();
				await Promise.race([
					ended,
					sleep(patience, undefined, { signal: timer.signal }).catch(() => undefined),
				]);
				timer.abort();
			}
			signalAll('SIGKILL');
			await ended;
			running.delete(server);
		},
	};
	running.add(server);
	return server;
}
