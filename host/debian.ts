import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { runLogged, withProgress } from './progress.mjs';
import { localFolder, repository } from './runtime.mjs';

/**
 * Installs Debian's packages where we may: with apt-get, and as root. Fails with what is to be done
 * by hand otherwise.
 */
export async function installDebianPackages(names: string[], usually: string): Promise<void> {
	const hasApt = spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
	if (!hasApt || process.getuid?.() !== 0) {
		throw new Error(
			`On Debian or Ubuntu, install what is missing with: sudo apt-get install ${names.join(' ')}`,
		);
	}
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

const chromium = '/usr/bin/chromium';

/** Chromium for the browser tests: Debian's, installed when we may. Says what to do otherwise. */
export async function provideChromium(): Promise<void> {
	if (existsSync(chromium)) return;
	try {
		await installDebianPackages(['chromium'], '1 min');
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		console.error(`The browser tests need Chromium at ${chromium}. ${reason}`);
	}
}
