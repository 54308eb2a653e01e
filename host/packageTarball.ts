import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { npmEnvironment } from './environment.cjs';
import type { N8nInstallation } from './n8nInstall.ts';
import { runLogged, withProgress } from './progress.mjs';
import { npmCli, repository } from './runtime.mjs';

/** The packed package. */
export interface Tarball {
	file: string;
}

/** What is no source of the package. */
const notPackaged = new Set([
	'.git',
	'.local',
	'coverage',
	'dist',
	'docs',
	'examples',
	'host',
	'node_modules',
	'sandbox',
	'test',
]);

/** Copies the package's sources, so that nobody's build of the same clone gets in our way. */
function copySources(target: string): void {
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	for (const name of readdirSync(repository)) {
		if (notPackaged.has(name)) continue;
		cpSync(path.join(repository, name), path.join(target, name), { recursive: true });
	}
}

/** Builds the package and packs it as `npm publish` would: a file in `folder`. */
export async function packPackage(folder: string): Promise<Tarball> {
	const sources = path.join(folder, 'sources');
	const target = path.join(folder, 'package');
	copySources(sources);
	symlinkSync(
		path.join(repository, 'node_modules'),
		path.join(sources, 'node_modules'),
		'junction',
	);
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target);
	await withProgress(
		'Building and packing the package',
		async () => {
			await runLogged(process.execPath, [npmCli(), 'pack', '--pack-destination', target], {
				cwd: sources,
				env: npmEnvironment(),
				logFile: path.join(folder, 'logs', 'pack.log'),
			});
		},
		{ usually: '10 s' },
	);
	rmSync(sources, { recursive: true });
	const [name = ''] = readdirSync(target);
	return { file: path.join(target, name) };
}

/** What the nodes import that n8n provides. */
const providedByN8n = ['n8n-workflow', 'lodash', 'luxon'];

const modulesOf = (userFolder: string) => path.join(userFolder, '.n8n', 'nodes', 'node_modules');

/** The folder of the package in an n8n user folder. */
export function installedPackage(userFolder: string): string {
	const manifest = readFileSync(path.join(repository, 'package.json'), 'utf8');
	const { name } = JSON.parse(manifest) as { name: string };
	return path.join(modulesOf(userFolder), name);
}

/**
 * Unpacks the package in an n8n user folder, where n8n's own "Install a community node" unpacks it.
 * It has no dependencies but what n8n provides.
 */
export async function installPackage(
	{ file }: Tarball,
	userFolder: string,
	installation: N8nInstallation,
): Promise<void> {
	const target = installedPackage(userFolder);
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	await runLogged('tar', ['-xzf', file, '-C', target, '--strip-components=1'], {
		cwd: userFolder,
		env: process.env,
		logFile: path.join(userFolder, 'unpack.log'),
	});
	// Our user folders are inside this clone, whose packages Node.js would find before those of n8n.
	for (const provided of providedByN8n) {
		const link = path.join(modulesOf(userFolder), provided);
		rmSync(link, { recursive: true, force: true });
		symlinkSync(path.join(installation.folder, 'node_modules', provided), link, 'junction');
	}
}
