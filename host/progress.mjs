/**
 * Long steps: what is going on, how long it usually takes, and how long it has taken so far.
 *
 * Plain JavaScript without dependencies: it runs before anything is installed, on Node.js 20 too.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';

const secondsBetweenLines = 15;

/**
 * Runs a step: says so, shows now and then that it is alive, and says how long it took.
 *
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @param {{ usually?: string }} [options]
 * @returns {Promise<T>}
 */
export async function withProgress(title, work, { usually } = {}) {
	const started = Date.now();
	const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
	const usual = usually === undefined ? '' : ` (usually ${usually})`;
	console.log(`  ${title}${usual} ...`);
	const ticker = setInterval(
		() => console.log(`    still at it: ${elapsed()}${usual}`),
		secondsBetweenLines * 1000,
	);
	try {
		const result = await work();
		console.log(`    done, ${elapsed()}`);
		return result;
	} finally {
		clearInterval(ticker);
	}
}

/**
 * Runs a command to its end with its output in a log file; when it fails, the error shows the end
 * of that. A signal that would end us ends the command first, and so fails the step.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, logFile: string, uid?: number, gid?: number }} options
 * @returns {Promise<void>}
 */
export async function runLogged(command, args, { logFile, ...options }) {
	mkdirSync(path.dirname(logFile), { recursive: true });
	const log = openSync(logFile, 'w');
	const child = spawn(command, args, {
		...options,
		stdio: ['ignore', log, log],
		windowsHide: true,
	});
	/** @type {NodeJS.Signals[]} */
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	const passOn = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal);
	for (const signal of signals) process.on(signal, passOn);
	try {
		await new Promise((resolve, reject) => {
			child.once('error', reject);
			child.once('close', (code, signal) => {
				if (code === 0) return resolve(undefined);
				const tail = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-25).join('\n');
				reject(
					new Error(
						`${path.basename(command)} ${args[0]} ended with ${signal ?? `exit code ${code}`}.\n${tail}\nThe whole output: ${logFile}`,
					),
				);
			});
		});
	} finally {
		for (const signal of signals) process.off(signal, passOn);
		closeSync(log);
	}
}
