/**
 * What the end-to-end tests share: a real n8n with the packed package, and a copy of its user folder
 * as it was in the beginning, for tests that need an n8n of their own.
 * Runs until its channel closes. Jest starts it (hostSetup.cjs); by hand:
 *
 *     node host/bootstrap.mjs test/e2e/host.mts
 *
 * E2E_N8N=oldest takes the oldest pinned n8n instead of the newest.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { installN8n, releaseOf } from '../../host/n8nInstall.ts';
import { N8nClient } from '../../host/n8nClient.ts';
import { startN8n } from '../../host/n8nProcess.ts';
import { installPackage, packPackage } from '../../host/packageTarball.ts';
import { withProgress } from '../../host/progress.mjs';
import { localFolder } from '../../host/runtime.mjs';
import type { Server } from '../../host/server.ts';
import { takeCommands } from '../support/commands.mts';
import { runTestHost } from '../support/testHost.mts';
import { copyUserFolder, OwnProcesses } from './ownN8n.mts';
import type { E2eHost } from './support/host.ts';
import type { OwnCommand } from './support/ownN8n.ts';

const folder = path.join(localFolder, 'e2e');

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
	const prepared = path.join(folder, 'prepared');
	copyUserFolder(userFolder, prepared);
	const own = new OwnProcesses(installation, folder, prepared);
	return {
		n8nUrl: n8n.url,
		n8nVersion: installation.version,
		n8nFolder: installation.folder,
		n8nLog: n8n.server.logFile,
		tarball: tarball.file,
		folder,
		commandUrl: await takeCommands<OwnCommand>(async (command) => await own.obey(command)),
	};
}

await runTestHost({ name: 'e2e', start });
