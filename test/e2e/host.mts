/**
 * Everything the end-to-end tests share: a real n8n with the packed package, and the sandbox.
 * Runs until its channel or standard input closes. Jest starts it (globalSetup.cjs); by hand:
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
import { startService } from '../../host/serviceProcess.ts';
import { runTestHost } from '../support/testHost.mts';
import type { E2eHost } from './support/host.ts';

const folder = path.join(localFolder, 'e2e');

async function start(watch: (server: Server) => void): Promise<E2eHost> {
	rmSync(folder, { recursive: true, force: true });
	const installation = await installN8n(releaseOf(process.env.E2E_N8N));
	const tarball = await withProgress(
		'Building and packing the package',
		async () => await packPackage(folder),
	);
	const userFolder = path.join(folder, 'n8n');
	await installPackage(tarball, userFolder, installation);
	const service = await startService({
		logFile: path.join(folder, 'logs', 'sandbox.log'),
		validateResponses: true,
	});
	const n8n = await withProgress(
		`Starting n8n ${installation.version}`,
		async () =>
			await startN8n({ installation, userFolder, logFile: path.join(folder, 'logs', 'n8n.log') }),
		{ usually: '15 s' },
	);
	watch(service.server);
	watch(n8n.server);
	await new N8nClient(n8n.url).logIn();
	return {
		n8nUrl: n8n.url,
		n8nVersion: installation.version,
		n8nFolder: installation.folder,
		n8nLog: n8n.server.logFile,
		sandboxUrl: service.url,
		sandboxKey: service.apiKey,
		tarball: tarball.file,
		folder,
	};
}

await runTestHost({ name: 'e2e', start });
