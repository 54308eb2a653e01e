import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { runLogged, withProgress } from './progress.mjs';
import { localFolder, repository } from './runtime.mjs';

/** Set to 1, this variable keeps the machine's packages as they are. */
const skipVariable = 'SKIP_SYSTEM_PACKAGES';

/** Packages of Debian that something needs. */
export interface DebianPackages {
	names: string[];
	/** What needs them, as a sentence starts: "Queue mode". */
	neededBy: string;
	/** How long the installation usually takes. */
	usually: string;
}

/**
 * Installs packages of Debian with apt-get, if we are root and the user has not forbidden it. Says
 * what, why, and how to avoid it before it starts.
 *
 * @throws Error that says what to install by hand
 */
export async function installDebianPackages({
	names,
	neededBy,
	usually,
}: DebianPackages): Promise<void> {
	const need = `${neededBy} needs ${names.join(' and ')}.`;
	const hasApt = spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
	const isSkipped = ['1', 'true'].includes(process.env[skipVariable] ?? '');
	if (!hasApt || isSkipped || process.getuid?.() !== 0) {
		throw new Error(
			`${need} On Debian or Ubuntu, install what is missing with: sudo apt-get install ${names.join(' ')}`,
		);
	}
	console.log(
		`  ${need} This runs as root, so apt-get installs the missing packages on this machine.`,
	);
	console.log(`  To prevent that, stop now and set ${skipVariable}=1.`);
	const apt = async (log: string, ...args: string[]) => {
		await runLogged('apt-get', args, {
			cwd: repository,
			env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
			logFile: path.join(localFolder, 'logs', log),
		});
	};
	await withProgress(
		`Installing Debian's ${names.join(' and ')}`,
		async () => {
			await apt('apt-update.log', 'update');
			await apt('apt-install.log', 'install', '-y', '--no-install-recommends', ...names);
		},
		{ usually },
	);
}

/** A program of Debian's, installed when we may. Says what to do otherwise. */
async function provide(program: string, wanted: DebianPackages): Promise<void> {
	if (existsSync(program)) return;
	try {
		await installDebianPackages(wanted);
	} catch (error) {
		console.error(error instanceof Error ? error.message : String(error));
	}
}

/** For the browser tests. */
export const provideChromium = async () =>
	await provide('/usr/bin/chromium', {
		names: ['chromium'],
		neededBy: 'The browser test',
		usually: '1 min',
	});

/** For the moving picture of the README. */
export const provideImg2webp = async () =>
	await provide('/usr/bin/img2webp', {
		names: ['webp'],
		neededBy: 'The moving picture',
		usually: '10 s',
	});
