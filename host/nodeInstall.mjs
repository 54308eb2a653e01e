/**
 * Gets a Node.js of a given version from the npm registry.
 *
 * Plain JavaScript without dependencies: it runs before anything is installed, on Node.js 20 too.
 */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npmEnvironment } from './environment.cjs';
import { runLogged, withProgress } from './progress.mjs';
import { cacheFolder, installWhole, npmCli } from './runtime.mjs';

const majorOf = (/** @type {string} */ version) => version.split('.', 1)[0];

/**
 * The executable of a Node.js: the running one when it has the same major version; otherwise the
 * one in the user's cache, installed first when it is not there yet.
 *
 * @param {string} version in full; npm's name for it is `node-<platform>-<arch>`
 */
export async function provideNode(version) {
	const major = majorOf(version);
	if (majorOf(process.versions.node) === major) return process.execPath;
	const platform = process.platform === 'win32' ? 'win' : process.platform;
	const name = `node-${platform}-${process.arch}`;
	const target = path.join(cacheFolder(), `node-${version}-${platform}-${process.arch}`);
	const file = platform === 'win' ? 'node.exe' : 'node';
	const executable = path.join(target, 'node_modules', name, 'bin', file);
	if (existsSync(executable)) return executable;
	await withProgress(
		`Getting Node.js ${version}, which n8n needs (this is ${process.version})`,
		() =>
			installWhole(target, async (folder) => {
				writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
				const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
				await runLogged(process.execPath, [npmCli(), ...args, `${name}@${version}`], {
					cwd: folder,
					env: npmEnvironment(),
					logFile: path.join(cacheFolder(), 'logs', `node-${major}.log`),
				});
			}),
		{ usually: '10 s' },
	).catch((error) => {
		throw new Error(
			`Node.js ${major} could not be installed from the npm registry. Please install Node.js ${major} yourself, then try again.\n${error.message}`,
		);
	});
	return executable;
}
