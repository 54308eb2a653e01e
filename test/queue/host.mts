/**
 * What the queue mode tests share: n8n in queue mode with the packed package.
 * Runs until its channel closes. Jest starts it (hostSetup.cjs) unless E2E_HOST holds what this
 * prints when it is started by hand:
 *
 *     node host/bootstrap.mjs test/queue/host.mts
 *
 * Over HTTP, the tests stop, kill and start parts of it, and look into n8n's database.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { N8nClient } from '../../host/n8nClient.ts';
import { localFolder } from '../../host/runtime.mjs';
import { takeCommands } from './support/commands.mts';
import { runTestHost } from '../support/testHost.mts';
import { QueueStand } from './stand/stand.ts';
import type { QueueHost, StandCommand } from './support/stand.ts';

const folder = path.join(localFolder, 'queue-tests');
let stand: QueueStand | undefined;

/**
 * n8n notices after seconds, not after a minute and a half, that a worker has died with its jobs, and
 * looks every minute, not every three hours, for executions that have fallen out of the queue.
 */
const noticeSoon = {
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
	QUEUE_WORKER_LOCK_DURATION: '15000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

async function obey(running: QueueStand, command: StandCommand): Promise<unknown> {
	switch (command.command) {
		case 'start':
			return await running.startPart(command.part);
		case 'stop':
			return await running.stopPart(command.part);
		case 'kill':
			return await running.killPart(command.part);
		case 'describe': {
			const { process: child, logFile } = running.server(command.part);
			return { pid: child.pid, logFile };
		}
		case 'rows':
			return await running.postgres.rows(command.query);
		case 'execute':
			return await running.postgres.execute(command.statements);
	}
}

async function start(): Promise<QueueHost> {
	rmSync(folder, { recursive: true, force: true });
	const running = await QueueStand.start({
		folder,
		environment: noticeSoon,
	});
	stand = running;
	await new N8nClient(running.url).logIn();
	return {
		n8nUrl: running.url,
		installation: running.installation,
		n8nLog: running.server('main').logFile,
		tarball: running.tarball.file,
		folder,
		webhookProcessorUrl: running.webhookProcessorUrl,
		commandUrl: await takeCommands<StandCommand>(async (command) => await obey(running, command)),
	};
}

await runTestHost({ name: 'queue-tests', start, end: async () => await stand?.stop() });
