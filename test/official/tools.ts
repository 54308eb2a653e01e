import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runLogged, withProgress } from '../../host/progress.mjs';
import { cacheFolder, installWhole, npmCli, npmEnvironment } from '../../host/runtime.mjs';

const pinned = import.meta.dirname;
const manifestFiles = ['package.json', 'package-lock.json'];

/** n8n's own tools for community packages, installed. */
export interface OfficialTools {
	/** The folder with their `node_modules`. */
	folder: string;
	/** The versions of what they check with, by package name. */
	versions: Record<string, string>;
}

/** Packages whose version decides what is found; of the rules, each tool has its own. */
const tellingPackages = [
	'@n8n/scan-community-package',
	'@n8n/scan-community-package/node_modules/@n8n/eslint-plugin-community-nodes',
	'@n8n/node-cli',
	'@n8n/eslint-plugin-community-nodes',
	'eslint-plugin-n8n-nodes-base',
	'eslint',
];

function versionsIn(folder: string): Record<string, string> {
	return Object.fromEntries(
		tellingPackages.map((name) => {
			const file = path.join(folder, 'node_modules', name, 'package.json');
			return [name, (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version];
		}),
	);
}

/**
 * The tools that `package.json` beside this file pins, installed into the user's cache first when
 * they are not there yet. They are no development packages of the repository: with their own
 * ESLint, TypeScript and rules they would double its `node_modules`.
 */
export async function provideOfficialTools(): Promise<OfficialTools> {
	const hash = createHash('sha256');
	for (const file of manifestFiles) hash.update(readFileSync(path.join(pinned, file)));
	hash.update(`${process.platform} ${process.arch}`);
	const target = path.join(cacheFolder(), `official-${hash.digest('hex').slice(0, 12)}`);
	if (!existsSync(target)) {
		await withProgress(
			"Installing n8n's tools for community packages",
			async () => {
				await installWhole(target, async (folder) => {
					for (const file of manifestFiles) {
						copyFileSync(path.join(pinned, file), path.join(folder, file));
					}
					const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
					await runLogged(process.execPath, [npmCli(), ...args], {
						cwd: folder,
						env: npmEnvironment(),
						logFile: path.join(cacheFolder(), 'logs', 'official-tools.log'),
					});
				});
			},
			{ usually: '30 s' },
		);
	}
	return { folder: target, versions: versionsIn(target) };
}
