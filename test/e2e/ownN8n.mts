/**
 * An n8n that a test may stop and kill, in a process of its own. Talks with support/ownN8n.ts over
 * its channel: a command in, its result out. Ends, and n8n with it, when the channel closes.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { installN8n, releaseOf } from '../../host/n8nInstall.ts';
import { startN8n, type N8nProcess } from '../../host/n8nProcess.ts';
import { installPackage } from '../../host/packageTarball.ts';
import { stopAllServers } from '../../host/server.ts';

/** What is asked of this process. */
export type Command = 'start' | 'stop' | 'kill';

/** What comes back: the address of n8n, or why it did not work. */
export interface CommandResult {
	url?: string | undefined;
	problem?: string;
}

const [folder = '', tarball = '', name = '', environment = '{}'] = process.argv.slice(2);
let running: N8nProcess | undefined;
let port: number | undefined;

async function start(): Promise<string> {
	const userFolder = path.join(folder, name);
	const sha256 = createHash('sha256').update(readFileSync(tarball)).digest('hex');
	const installation = await installN8n(releaseOf(process.env.E2E_N8N));
	await installPackage({ file: tarball, sha256 }, userFolder, installation);
	running = await startN8n({
		installation,
		userFolder,
		logFile: path.join(folder, 'logs', `${name}.log`),
		...(port === undefined ? {} : { preferredPort: port }),
		environment: JSON.parse(environment) as NodeJS.ProcessEnv,
	});
	const { url } = running;
	if (port !== undefined && new URL(url).port !== String(port)) {
		throw new Error('The port of n8n was taken while it was stopped.');
	}
	port = Number(new URL(url).port);
	return url;
}

async function run(command: Command): Promise<CommandResult> {
	if (command === 'start') return { url: await start() };
	const pid = running?.server.process.pid;
	// The whole group: also what n8n has started.
	if (command === 'kill' && pid !== undefined) process.kill(-pid, 'SIGKILL');
	await running?.server.stop();
	running = undefined;
	return {};
}

process.on('message', (command: Command) => {
	void run(command)
		.catch((error: unknown) => ({
			problem: error instanceof Error ? error.message : String(error),
		}))
		.then((result) => process.send?.(result));
});
process.on('disconnect', () => {
	void stopAllServers().then(() => process.exit(0));
});
