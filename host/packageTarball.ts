import { createHash } from 'node:crypto';
import {
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { npmEnvironment } from './environment.cjs';
import type { N8nInstallation } from './n8nInstall.ts';
import { runLogged, withProgress } from './progress.mjs';
import { localFolder, npmCli, repository } from './runtime.mjs';

/** The packed package. */
export interface Tarball {
	file: string;
}

const manifest = () =>
	JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
	};

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

/** What the package is made of, as one word. */
function digestOf(sources: string): string {
	const hash = createHash('sha256');
	const names = readdirSync(sources, { recursive: true, encoding: 'utf8' }).sort();
	for (const name of names) {
		const file = path.join(sources, name);
		if (statSync(file).isFile()) hash.update(`${name}\n`).update(readFileSync(file));
	}
	return hash.digest('hex').slice(0, 16);
}

/** Builds the package in a folder of its sources and packs it as `npm publish` would. */
async function buildAndPack(sources: string, target: string, logFile: string): Promise<void> {
	symlinkSync(
		path.join(repository, 'node_modules'),
		path.join(sources, 'node_modules'),
		'junction',
	);
	await withProgress(
		'Building and packing the package',
		async () => {
			await runLogged(process.execPath, [npmCli(), 'pack', '--pack-destination', target], {
				cwd: sources,
				env: npmEnvironment(),
				logFile,
			});
		},
		{ usually: '10 s' },
	);
}

/** Keeps the package for the next ones who want it, in place of that of earlier sources. */
function keep(file: string, packed: string): void {
	const kept = path.dirname(packed);
	mkdirSync(kept, { recursive: true });
	// Whole or not at all: another process may look for it, or make it as well.
	const own = `${packed}.${String(process.pid)}`;
	copyFileSync(file, own);
	renameSync(own, packed);
	const old = readdirSync(kept).filter((name) => name.endsWith('.tgz'));
	for (const name of old) {
		if (name !== path.basename(packed)) rmSync(path.join(kept, name), { force: true });
	}
}

/** Gives the package as `npm publish` would pack it, as a file in `folder`. It is built once. */
export async function packPackage(folder: string): Promise<Tarball> {
	const sources = path.join(folder, 'sources');
	const target = path.join(folder, 'package');
	copySources(sources);
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target);
	const { name, version } = manifest();
	const file = path.join(target, `${name}-${version}.tgz`);
	const packed = path.join(localFolder, 'packed', `${digestOf(sources)}.tgz`);
	if (existsSync(packed)) copyFileSync(packed, file);
	else {
		await buildAndPack(sources, target, path.join(folder, 'logs', 'pack.log'));
		keep(file, packed);
	}
	rmSync(sources, { recursive: true });
	return { file };
}

/** What the nodes import that n8n provides. */
const providedByN8n = ['n8n-workflow', 'lodash', 'luxon'];

const modulesOf = (userFolder: string) => path.join(userFolder, '.n8n', 'nodes', 'node_modules');

/** The folder of the package in an n8n user folder. */
export function installedPackage(userFolder: string): string {
	return path.join(modulesOf(userFolder), manifest().name);
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
