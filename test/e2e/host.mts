/**
 * What the end-to-end tests share: a real n8n with the packed package, and a copy of its user folder
 * as it was in the beginning, for tests that need an n8n of their own.
 * Runs until its channel closes. Jest starts it (hostSetup.cjs); by hand:
 *
 *     node host/bootstrap.mjs test/e2e/host.mts
 *
 * E2E_N8N=oldest takes the oldest pinned n8n instead of the newest.
 */
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { installN8n, releaseOf } from '../../host/n8nInstall.ts';
import { N8nClient } from '../../host/n8nClient.ts';
import { startN8n } from '../../host/n8nProcess.ts';
import { installPackage, packPackage } from '../../host/packageTarball.ts';
import { withProgress } from '../../host/progress.mjs';
import { localFolder } from '../../host/runtime.mjs';
import type { Server } from '../../host/server.ts';
import { runTestHost } from '../support/testHost.mts';
import type { E2eHost } from './support/host.ts';

const folder = path.join(localFolder, 'e2e');

const databaseFile = (userFolder: string) => path.join(userFolder, '.n8n', 'database.sqlite');

/**
 * Copies what an n8n that is running keeps, as it is now: its database with all tables and the
 * owner, the installed package, and the key. What starts with a copy has nothing left to set up.
 */
function copyUserFolder(userFolder: string, target: string): void {
	mkdirSync(path.join(target, '.n8n'), { recursive: true });
	for (const name of ['encryption-key', '.n8n/config', '.n8n/nodes']) {
		const source = path.join(userFolder, name);
		if (!existsSync(source)) continue;
		cpSync(source, path.join(target, name), { recursive: true, verbatimSymlinks: true });
	}
	const database = new DatabaseSync(databaseFile(userFolder), { readOnly: true });
	try {
		database.prepare('VACUUM INTO ?').run(databaseFile(target));
	} finally {
		database.close();
	}
}

async function start(watch: (server: Server) => void): Promise<E2eHost> {
	rmSync(folder, { recursive: true, force: true });
	const installation = await installN8n(releaseOf(process.env.E2E_N8N));
	const tarball = await packPackage(folder);
	const userFolder = path.join(folder, 'n8n');
	await installPackage(tarball, userFolder, installation);
	const n8n = await withProgress(
		`Starting n8n ${installation.version}`,
		async () =>
			await startN8n({ installation, userFolder, logFile: path.join(folder, 'logs', 'n8n.log') }),
		{ usually: '15 s' },
	);
	watch(n8n.server);
	await new N8nClient(n8n.url).logIn();
	copyUserFolder(userFolder, path.join(folder, 'prepared'));
	return {
		n8nUrl: n8n.url,
		installation,
		n8nLog: n8n.server.logFile,
		tarball: tarball.file,
		folder,
	};
}

await runTestHost({ name: 'e2e', start });
