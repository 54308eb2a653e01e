/**
 * Runs a program that is not ours, so that it is started, stopped and watched like our own servers:
 *
 *     node programGuard.mjs '{"program": "...", "args": [...], "stopSignal": "SIGINT", "uid": 101, "gid": 104}'
 *
 * Ends as the program ends. The program is told to stop when we are told so, and when whoever
 * started us is gone without a word.
 */
import { spawn } from 'node:child_process';

/** @type {{ program: string, args: string[], stopSignal: NodeJS.Signals, uid?: number, gid?: number }} */
const { program, args, stopSignal, ...user } = JSON.parse(process.argv[2] ?? '{}');
const child = spawn(program, args, { ...user, stdio: ['ignore', 'inherit', 'inherit'] });
const stop = () => child.kill(stopSignal);
process.on('SIGTERM', stop);
process.on('disconnect', stop);
child.once('error', (error) => {
	console.error(error.message);
	process.exit(1);
});
child.once('exit', (code) => process.exit(code ?? 1));
