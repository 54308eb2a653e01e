import { spawnSync } from 'node:child_process';
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
