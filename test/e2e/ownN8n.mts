import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { N8nInstallation } from '../../host/n8nInstall.ts';
import { startN8n, type N8nProcess } from '../../host/n8nProcess.ts';
import { freePort } from '../../host/ports.ts';
import type { OwnCommand } from './support/ownN8n.ts';

const databaseFile = (userFolder: string) => path.join(userFolder, '.n8n', 'database.sqlite');

/**
 * Copies what an n8n that is running keeps, as it is now: its database with all tables and the
 * owner, the installed package, and the key. What starts with a copy has nothing left to set up.
 */
export function copyUserFolder(userFolder: string, target: string): void {
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

/** The n8n processes that tests have for themselves, to be stopped and killed, each with its port. */
export class OwnProcesses {
	private readonly installation: N8nInstallation;
	private readonly folder: string;
	private readonly prepared: string;
	private readonly running = new Map<string, N8nProcess>();
	private readonly ports = new Map<string, number>();

	/**
	 * @param folder for the user folders and logs
	 * @param prepared a user folder that each starts with
	 */
	constructor(installation: N8nInstallation, folder: string, prepared: string) {
		this.installation = installation;
		this.folder = folder;
		this.prepared = prepared;
	}

	/** Does as it is told; a started n8n tells its address. */
	async obey({ command, name, environment = {} }: OwnCommand): Promise<string | undefined> {
		if (command === 'start') return await this.start(name, environment);
		const n8n = this.running.get(name);
		this.running.delete(name);
		const pid = n8n?.server.process.pid;
		// The whole group: also what n8n has started.
		if (command === 'kill' && pid !== undefined) process.kill(-pid, 'SIGKILL');
		await n8n?.server.stop();
		return undefined;
	}

	private async start(name: string, environment: Record<string, string>): Promise<string> {
		if (this.running.has(name)) throw new Error(`The n8n of ${name} runs already.`);
		const userFolder = path.join(this.folder, name);
		if (!existsSync(userFolder)) {
			cpSync(this.prepared, userFolder, { recursive: true, verbatimSymlinks: true });
		}
		const port = this.ports.get(name) ?? (await freePort());
		this.ports.set(name, port);
		const n8n = await startN8n({
			installation: this.installation,
			userFolder,
			logFile: path.join(this.folder, 'logs', `${name}.log`),
			preferredPort: port,
			environment,
		});
		this.running.set(name, n8n);
		if (new URL(n8n.url).port !== String(port)) {
			throw new Error(`The port of the n8n of ${name} (${String(port)}) is taken.`);
		}
		return n8n.url;
	}
}
