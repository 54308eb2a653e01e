import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runLogged, withProgress } from './progress.mjs';
import {
	cacheFolder,
	installWhole,
	nodeHeaders,
	npmCli,
	npmEnvironment,
	repository,
} from './runtime.mjs';

const manifestFolder = path.join(repository, 'sandbox', 'n8n');
const manifestFiles = ['package.json', 'package-lock.json'];

/** Packages of n8n's that are useless without their compiled part. */
const compiledPackages = ['sqlite3', 'isolated-vm'];

/** An n8n on disk, ready to be started. */
export interface N8nInstallation {
	folder: string;
	/** n8n's program file, for Node.js to run. */
	program: string;
	version: string;
}

/** n8n's version as sandbox/n8n pins it. */
function pinnedVersion(): string {
	const manifest = JSON.parse(readFileSync(path.join(manifestFolder, 'package.json'), 'utf8')) as {
		dependencies: { n8n: string };
	};
	return manifest.dependencies.n8n;
}

/** A name that changes with everything the installation depends on. */
function installationName(version: string): string {
	const hash = createHash('sha256');
	for (const file of manifestFiles) hash.update(readFileSync(path.join(manifestFolder, file)));
	hash.update(`${process.platform} ${process.arch} ${process.versions.modules}`);
	return `n8n-${version}-${hash.digest('hex').slice(0, 12)}`;
}

/** Fails unless the compiled packages load and n8n's program file is there. */
async function verify(folder: string, env: NodeJS.ProcessEnv, logFile: string): Promise<void> {
	const script = [...compiledPackages, 'n8n/package.json']
		.map((name) => `require(${JSON.stringify(name)})`)
		.join(';');
	await runLogged(process.execPath, ['-e', script], { cwd: folder, env, logFile });
}

/** The pinned n8n, installed into the user's cache first when it is not there yet. */
export async function installN8n(): Promise<N8nInstallation> {
	const version = pinnedVersion();
	const name = installationName(version);
	const target = path.join(cacheFolder(), name);
	const installation = {
		folder: target,
		program: path.join(target, 'node_modules', 'n8n', 'bin', 'n8n'),
		version,
	};
	if (existsSync(target)) return installation;

	const headers = nodeHeaders();
	const env: NodeJS.ProcessEnv = {
		...npmEnvironment(),
		...(headers === undefined ? {} : { npm_config_nodedir: headers }),
	};
	const logFile = (step: string) => path.join(cacheFolder(), 'logs', `${name}-${step}.log`);
	await installWhole(target, async (folder) => {
		for (const file of manifestFiles) {
			copyFileSync(path.join(manifestFolder, file), path.join(folder, file));
		}
		const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
		await withProgress(
			`Installing n8n ${version} for all clones on this machine`,
			() =>
				runLogged(process.execPath, [npmCli(), 'ci', '--ignore-scripts', '--omit=dev', ...quiet], {
					cwd: folder,
					env,
					logFile: logFile('install'),
				}),
			{ usually: '2 to 5 min' },
		);
		await withProgress(
			"Compiling n8n's native parts",
			async () => {
				await runLogged(process.execPath, [npmCli(), 'rebuild', ...compiledPackages, ...quiet], {
					cwd: folder,
					env,
					logFile: logFile('compile'),
				});
				await verify(folder, env, logFile('verify'));
			},
			{ usually: '1 to 3 min' },
		);
	});
	return installation;
}
