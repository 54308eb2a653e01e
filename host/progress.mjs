/**
 * Long steps: what is going on, how long it usually takes, and how long it has taken so far.
 *
 * Plain JavaScript without dependencies: it runs before anything is installed, on Node.js 20 too.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';

const secondsBetweenLines = 15;

/** @param {number} milliseconds */
export function duration(milliseconds) {
	const seconds = Math.round(milliseconds / 1000);
	return seconds < 60
		? `${seconds} s`
		: `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/**
 * Runs a step and shows that it is alive: in place on a terminal, a line now and then elsewhere.
 *
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @param {{ usually?: string, output?: NodeJS.WriteStream, detail?: () => string, isCancelled?: () => boolean }} [options]
 * @returns {Promise<T>}
 */
export async function withProgress(title, work, options = {}) {
	const output = options.output ?? process.stdout;
	const { usually } = options;
	const announcement = usually === undefined ? title : `${title} (usually ${usually})`;
	const started = Date.now();
	const elapsed = () => duration(Date.now() - started);
	const detail = () => (options.detail === undefined ? '' : `, ${options.detail()}`);
	const inPlace = output.isTTY;

	output.write(inPlace ? `  ${announcement} ...` : `  ${announcement} ...\n`);
	const ticker = setInterval(
		() =>
			output.write(
				inPlace
					? `\r\u001b[K  ${announcement} ... ${elapsed()}${detail()}`
					: `    still at it: ${elapsed()}${detail()}\n`,
			),
		inPlace ? 1000 : secondsBetweenLines * 1000,
	);
	const finish = (/** @type {string} */ word) => {
		clearInterval(ticker);
		output.write(`${inPlace ? '\r\u001b[K' : ''}  ${title}: ${word}, ${elapsed()}\n`);
	};
	try {
		const result = await work();
		finish('done');
		return result;
	} catch (error) {
		finish(options.isCancelled?.() === true ? 'stopped' : 'failed');
		throw error;
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
export async function runLogged(command, args, { cwd, env, logFile, ...user }) {
	mkdirSync(path.dirname(logFile), { recursive: true });
	const log = openSync(logFile, 'w');
	const child = spawn(command, args, {
		...{ cwd, env, ...user },
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
				const ending = signal === null ? `exit code ${code}` : `signal ${signal}`;
				reject(
					new Error(
						`${path.basename(command)} ${args.map((arg) => path.basename(arg)).join(' ')} ended with ${ending}.\n${tail}\nThe whole output: ${logFile}`,
					),
				);
			});
		});
	} finally {
		for (const signal of signals) process.off(signal, passOn);
		closeSync(log);
	}
}
