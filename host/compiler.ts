import { spawnSync } from 'node:child_process';
import axios from 'axios';

/** Who has n8n's SQLite module ready-built. Where it cannot be reached, npm compiles the module. */
const READY_BUILT = 'https://github.com';

const tools = ['python3', 'make', 'c++'];

/**
 * Why nothing can be compiled in a folder, and what to do about it; undefined if it can be.
 *
 * @param missing the tools that are not installed
 */
export function obstacleTo(folder: string, missing: readonly string[]): string | undefined {
	const why = `n8n's SQLite module must be compiled, for ${READY_BUILT}, which has it ready-built, cannot be reached.`;
	if (missing.length > 0) {
		return `${why} Please install ${missing.join(', ')}, then try again. On Debian or Ubuntu: sudo apt-get install build-essential python3`;
	}
	if (/\s/.test(folder)) {
		return `${why} Compilers fail in a folder with a blank in its path (${folder}). Please set XDG_CACHE_HOME to another folder, then try again.`;
	}
	return undefined;
}

async function isReachable(url: string): Promise<boolean> {
	try {
		await axios.head(url, { timeout: 5000 });
		return true;
	} catch {
		return false;
	}
}

/**
 * Finds out before minutes have passed whether n8n's modules can be got ready or compiled. On Windows,
 * where compilers are not found by their names, that is left to npm.
 *
 * @throws Error that says what to install or set
 */
export async function assertCompilable(folder: string): Promise<void> {
	if (process.platform === 'win32') return;
	const missing = tools.filter((tool) => spawnSync(tool, ['--version']).status !== 0);
	const obstacle = obstacleTo(folder, missing);
	if (obstacle !== undefined && !(await isReachable(READY_BUILT))) throw new Error(obstacle);
}
