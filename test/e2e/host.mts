/**
 * Everything the end-to-end tests share: a real n8n with the packed package, and the sandbox.
 * Runs until its channel or standard input closes. Jest starts it (globalSetup.cjs); by hand:
 *
 *     node sandbox/host/bootstrap.mjs test/e2e/host.mts
 *
 * E2E_N8N=oldest takes the oldest pinned n8n instead of the newest.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { installN8n, releaseOf } from '../../sandbox/host/n8nInstall.ts';
import { Lock } from '../../sandbox/host/lock.ts';
import { N8nClient } from '../../sandbox/host/n8nClient.ts';
import { startN8n } from '../../sandbox/host/n8nProcess.ts';
import { installPackage, packPackage } from '../../sandbox/host/packageTarball.ts';
import { withProgress } from '../../sandbox/host/progress.mjs';
import { localFolder } from '../../sandbox/host/runtime.mjs';
import { stopAllServers, type Server } from '../../sandbox/host/server.ts';
import { startService } from '../../sandbox/host/serviceProcess.ts';
import type { E2eHost } from './support/host.ts';

const folder = path.join(localFolder, 'e2e');
const lock = new Lock(path.join(localFolder, 'e2e.lock'));
let stopping: Promise<void> | undefined;
let hasLock = false;

async function stop(exitCode: number): Promise<void> {
	stopping ??= stopAllServers();
	await stopping;
	if (hasLock) lock.release();
	process.exit(exitCode);
}

/** A server that ends by itself takes the rest with it: the tests cannot go on without it. */
function watch(server: Server): void {
	void server.ended.then((how) => {
		if (stopping !== undefined) return;
		console.error(`${server.name} ended by itself (${how}); its log: ${server.logFile}`);
		void stop(1);
	});
}

async function start(): Promise<E2eHost> {
	lock.take();
	hasLock = true;
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

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => void stop(0));
}
process.on('disconnect', () => void stop(0));

try {
	const host = await start();
	if (process.argv.includes('--report')) process.send?.(host);
	else console.log(JSON.stringify(host, undefined, '\t'));
} catch (error) {
	console.error(error instanceof Error ? error.message : String(error));
	await stop(1);
}
