import { createHash } from 'node:crypto';
import {
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
} from 'node:fs';
import path from 'node:path';
import type { N8nInstallation } from './n8nInstall.ts';
import { runLogged, withProgress } from './progress.mjs';
import { installWhole, localFolder, npmCli, npmEnvironment, repository } from './runtime.mjs';

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

/** A digest of all that a build depends on: these sources, the installed packages and Node.js. */
export function digestOf(sources: string): string {
	const installed = path.join(repository, 'node_modules', '.package-lock.json');
	const hash = createHash('sha256').update(process.version).update(readFileSync(installed));
	for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' }).sort()) {
		const file = path.join(sources, name);
		if (!statSync(file).isFile()) continue;
		const content = readFileSync(file);
		hash.update(`\n${name} ${String(content.length)}\n`).update(content);
	}
	return hash.digest('hex').slice(0, 16);
}

/** Builds the package from copied sources, and packs it into a folder as `npm publish` would. */
async function build(sources: string, target: string, logs: string): Promise<void> {
	const modules = path.join(repository, 'node_modules');
	symlinkSync(modules, path.join(sources, 'node_modules'), 'junction');
	await runLogged(process.execPath, [npmCli(), 'pack', '--pack-destination', target], {
		cwd: sources,
		env: npmEnvironment(),
		logFile: path.join(logs, 'pack.log'),
	});
}

/**
 * The packed package, as a file in `folder`. It is built once for the same sources: the next call,
 * also of another process, copies it.
 */
export async function packPackage(folder: string): Promise<Tarball> {
	const sources = path.join(folder, 'sources');
	copySources(sources);
	const packed = path.join(localFolder, 'packed');
	const built = path.join(packed, digestOf(sources));
	if (!existsSync(built)) {
		mkdirSync(packed, { recursive: true });
		// Of older sources. Another process may be building something else.
		for (const name of readdirSync(packed).filter((each) => !each.includes('.unfinished-'))) {
			rmSync(path.join(packed, name), { recursive: true, force: true });
		}
		await withProgress(
			'Building and packing the package',
			() =>
				installWhole(built, async (whole) => {
					await build(sources, whole, path.join(folder, 'logs'));
				}),
			{ usually: '10 s' },
		);
	}
	rmSync(sources, { recursive: true });
	const [name = ''] = readdirSync(built);
	const target = path.join(folder, 'package');
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	const file = path.join(target, name);
	copyFileSync(path.join(built, name), file);
	return { file };
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
