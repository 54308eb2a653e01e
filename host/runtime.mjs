/**
 * Where Node.js, npm and the per-user cache are.
 *
 * Plain JavaScript without dependencies: it runs before anything is installed, on Node.js 20 too.
 */
import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What current n8n, and so everything here, runs on. */
export const nodeVersion = '24.21.0';

/** The repository's root folder. */
export const repository = path.resolve(fileURLToPath(import.meta.url), '..', '..');

/** Everything that belongs to this clone alone: n8n's user folder, databases, logs. Ignored by git. */
export const localFolder = path.join(repository, '.local');

/** The folder of the big installs, shared by all clones of this user. */
export function cacheFolder() {
	const base = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
	return path.join(base, 'n8n-nodes-messaging-service');
}

/** npm's own program file, so that npm can run on a Node.js of our choice. */
export function npmCli() {
	const onPath = (process.env.PATH ?? process.env.Path ?? '').split(path.delimiter);
	const candidates = [
		process.env.npm_execpath ?? '',
		path.join(
			path.dirname(process.execPath),
			'..',
			'lib',
			'node_modules',
			'npm',
			'bin',
			'npm-cli.js',
		),
		...onPath.flatMap((folder) => [
			path.join(folder, 'npm'),
			path.join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
		]),
	];
	for (const candidate of candidates) {
		if (candidate === '' || !existsSync(candidate)) continue;
		const file = realpathSync(candidate);
		if (path.basename(file) === 'npm-cli.js') return file;
	}
	throw new Error('npm was not found. It comes with Node.js: please install it, then try again.');
}

/**
 * The folder of Node.js's C++ headers, when the Node.js at `executable` brought them along.
 *
 * @param {string} executable
 */
export function nodeHeaders(executable) {
	const root = path.resolve(path.dirname(realpathSync(executable)), '..');
	return existsSync(path.join(root, 'include', 'node', 'node.h')) ? root : undefined;
}

/**
 * Whether a process is running.
 *
 * @param {number} pid
 */
function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}

/**
 * Installs into a folder beside `target` and renames it when it is complete: a folder of that name
 * is always whole, even if we are interrupted or another process installs it simultaneously.
 * What killed installs have left behind is removed.
 *
 * @param {string} target
 * @param {(folder: string) => Promise<void>} install
 */
export async function installWhole(target, install) {
	const prefix = `${path.basename(target)}.unfinished-`;
	const parent = path.dirname(target);
	const remove = (/** @type {string} */ folder) =>
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	mkdirSync(parent, { recursive: true });
	for (const name of readdirSync(parent)) {
		if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length)))) {
			remove(path.join(parent, name));
		}
	}
	const unfinished = path.join(parent, `${prefix}${process.pid}`);
	remove(unfinished);
	mkdirSync(unfinished);
	try {
		await install(unfinished);
		renameSync(unfinished, target);
	} catch (error) {
		if (!existsSync(target)) throw error;
	} finally {
		remove(unfinished);
	}
}
