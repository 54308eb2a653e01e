import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assertCompilable } from './compiler.ts';
import { npmEnvironment, withNode } from './environment.cjs';
import { provideNode } from './nodeInstall.mjs';
import { runLogged, withProgress } from './progress.mjs';
import {
	cacheFolder,
	installWhole,
	nodeHeaders,
	nodeVersion,
	npmCli,
	repository,
} from './runtime.mjs';

/**
 * The releases of n8n that this repository works with: where each is pinned, what it runs on, and
 * settings for it alone.
 */
const releases = {
	newest: {
		folder: 'n8n',
		node: nodeVersion,
		settings: { N8N_DISABLED_MODULES: 'agents,instance-ai,mcp-registry' },
	},
	// Without the pool, n8n 1 stores the status of an execution before its data, and not with them.
	oldest: { folder: 'n8n-1', node: '22.23.3', settings: { DB_SQLITE_POOL_SIZE: '4' } },
} as const;

/** Which of the pinned releases of n8n. */
export type N8nRelease = keyof typeof releases;

const manifestFiles = ['package.json', 'package-lock.json'];

/** Packages of n8n's that are useless without their compiled part. */
const compiledPackages = ['sqlite3', 'isolated-vm'];

/** An n8n on disk, ready to be started. */
export interface N8nInstallation {
	folder: string;
	/** n8n's program file, for Node.js to run. */
	program: string;
	version: string;
	/** The Node.js that it is compiled for and runs on. */
	node: string;
	/** Environment variables for this release alone. */
	settings: NodeJS.ProcessEnv;
}

/** The release of a name that somebody has chosen; the newest when nobody has. */
export function releaseOf(chosen: string | undefined): N8nRelease {
	const name = chosen ?? 'newest';
	if (!Object.hasOwn(releases, name)) {
		throw new Error(
			`No such release of n8n: ${name}. There are: ${Object.keys(releases).join(', ')}.`,
		);
	}
	return name as N8nRelease;
}

/** n8n's version as a release pins it. */
function pinnedVersion(manifestFolder: string): string {
	const manifest = JSON.parse(readFileSync(path.join(manifestFolder, 'package.json'), 'utf8')) as {
		dependencies: { n8n: string };
	};
	return manifest.dependencies.n8n;
}

/** A name that changes with everything the installation depends on. */
function installationName(manifestFolder: string, version: string, node: string): string {
	const hash = createHash('sha256');
	for (const file of manifestFiles) hash.update(readFileSync(path.join(manifestFolder, file)));
	const abi = execFileSync(node, ['-p', 'process.versions.modules'], { encoding: 'utf8' });
	hash.update(`${process.platform} ${process.arch} ${abi.trim()}`);
	return `n8n-${version}-${hash.digest('hex').slice(0, 12)}`;
}

/** A pinned n8n, installed into the user's cache first when it is not there yet. */
export async function installN8n(release: N8nRelease = 'newest'): Promise<N8nInstallation> {
	const { folder: pinned, node: wantedNode, settings } = releases[release];
	const manifestFolder = path.join(repository, 'host', pinned);
	const node = await provideNode(wantedNode);
	const version = pinnedVersion(manifestFolder);
	const name = installationName(manifestFolder, version, node);
	const target = path.join(cacheFolder(), name);
	const installation = {
		folder: target,
		program: path.join(target, 'node_modules', 'n8n', 'bin', 'n8n'),
		version,
		node,
		settings,
	};
	if (existsSync(target)) return installation;
	await assertCompilable(target);

	const headers = nodeHeaders(node);
	const env: NodeJS.ProcessEnv = {
		...npmEnvironment(withNode(node)),
		...(headers === undefined ? {} : { npm_config_nodedir: headers }),
	};
	const npm = async (folder: string, ...args: string[]) => {
		await runLogged(node, [npmCli(), ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
			cwd: folder,
			env,
			logFile: path.join(cacheFolder(), 'logs', `${name}-${args[0] ?? ''}.log`),
		});
	};
	await withProgress(
		`Installing n8n ${version} for all clones on this machine`,
		() =>
			installWhole(target, async (folder) => {
				for (const file of manifestFiles) {
					copyFileSync(path.join(manifestFolder, file), path.join(folder, file));
				}
				await npm(folder, 'ci', '--ignore-scripts', '--omit=dev');
				await npm(folder, 'rebuild', ...compiledPackages);
			}),
		{ usually: '3 to 8 min' },
	);
	return installation;
}
