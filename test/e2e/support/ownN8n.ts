import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { N8nClient } from '../../../host/n8nClient.ts';
import { startN8n } from '../../../host/n8nProcess.ts';
import { freePort } from '../../../host/ports.ts';
import type { Server } from '../../../host/server.ts';
import { host } from './host.ts';

/** An n8n that a test may stop and kill, with the packed package; its address stays the same. */
export class OwnN8n {
	private readonly name: string;
	private readonly environment: Record<string, string>;
	private port: number | undefined;
	private server: Server | undefined;
	private connected: N8nClient | undefined;

	/**
	 * @param name of its folder, which no other test file uses
	 * @param environment more variables for n8n
	 */
	constructor(name: string, environment: Record<string, string> = {}) {
		this.name = name;
		this.environment = environment;
	}

	/** The REST interface of n8n. */
	get client(): N8nClient {
		if (this.connected === undefined) throw new Error('n8n was never started.');
		return this.connected;
	}

	get url(): string {
		return this.client.url;
	}

	get logFile(): string {
		return path.join(host().folder, 'logs', `${this.name}.log`);
	}

	/** Everything that it has written: its logs and its database, the write-ahead log included. */
	written(): { file: string; bytes: Buffer }[] {
		const folder = path.join(host().folder, this.name, '.n8n');
		const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.map((name) => path.join(folder, name))
			.filter((file) => /(\.log|\.sqlite|-wal)$/.test(file) && statSync(file).isFile());
		return [...files, this.logFile].map((file) => ({
			file: path.basename(file),
			bytes: readFileSync(file),
		}));
	}

	/**
	 * Starts n8n: the first time with a copy of what the shared one was in the beginning.
	 * @param environment more variables, until it is stopped
	 */
	async start(environment: Record<string, string> = {}): Promise<void> {
		const { folder, installation } = host();
		const userFolder = path.join(folder, this.name);
		if (!existsSync(userFolder)) {
			const prepared = path.join(folder, 'prepared');
			cpSync(prepared, userFolder, { recursive: true, verbatimSymlinks: true });
		}
		this.port ??= await freePort();
		const { url, server } = await startN8n({
			installation,
			userFolder,
			logFile: this.logFile,
			preferredPort: this.port,
			environment: { ...this.environment, ...environment },
		});
		this.server = server;
		if (new URL(url).port !== String(this.port)) {
			throw new Error(`The port of the n8n of ${this.name} (${String(this.port)}) is taken.`);
		}
		this.connected = new N8nClient(url);
		await this.connected.logIn();
	}

	/** Asks n8n to end, as an operating system does. */
	async stop(): Promise<void> {
		await this.server?.stop();
	}

	/** Kills n8n and everything it has started, without warning. */
	async kill(): Promise<void> {
		const pid = this.server?.process.pid;
		if (pid !== undefined) process.kill(-pid, 'SIGKILL');
		await this.stop();
	}
}
