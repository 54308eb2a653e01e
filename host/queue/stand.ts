import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { N8nInstallation } from '../n8nInstall.ts';
import { startN8n } from '../n8nProcess.ts';
import type { N8nRole } from '../n8nRoles.ts';
import { installPackage, type Tarball } from '../packageTarball.ts';
import { lastingPort, loopback } from '../ports.ts';
import type { Server } from '../server.ts';
import { queueEnvironment } from './environment.ts';
import { Postgres } from './postgres.ts';
import type { QueuePrograms } from './programs.ts';
import { startProxy } from './proxy.ts';
import { startRedis } from './redis.ts';

/** The n8n processes of the stand, with their roles. */
export const n8nParts = {
	main: 'main',
	worker1: 'worker',
	worker2: 'worker',
	webhook: 'webhook',
} as const satisfies Record<string, N8nRole>;

/** An n8n process of the stand. */
export type N8nPart = keyof typeof n8nParts;

/** A process of the stand. */
export type Part = N8nPart | 'redis' | 'postgres';

const isN8nPart = (part: Part): part is N8nPart => part in n8nParts;

/** What the stand is made of. */
export interface QueueStandOptions {
	/** Where n8n's user folders and the logs go. */
	folder: string;
	programs: QueuePrograms;
	installation: N8nInstallation;
	tarball: Tarball;
	/** More variables for every n8n process, or other values for ours. */
	environment?: NodeJS.ProcessEnv;
	/** Used by the proxy when it is free. */
	preferredPort?: number;
	/** Whether an n8n process that ends by itself is started again, as `restart: always` does it. */
	supervise?: boolean;
}

/**
 * n8n in queue mode on this machine: Redis, PostgreSQL, a main process, two workers and a webhook
 * processor, each of which can be stopped, killed and started again under the same address, and a
 * reverse proxy in front.
 */
export class QueueStand {
	readonly postgres: Postgres;
	private readonly options: QueueStandOptions;
	private readonly ports: Record<Part | 'proxy', number>;
	private readonly environment: NodeJS.ProcessEnv;
	/** PostgreSQL's user must be able to get there, which it may not in a clone of this repository. */
	private readonly data: string;
	private readonly servers = new Map<Part, Server>();
	private readonly ended: N8nPart[] = [];
	private proxy: HttpServer | undefined;
	private starts = 0;

	private constructor(
		options: QueueStandOptions,
		ports: Record<Part | 'proxy', number>,
		data: string,
		postgres: Postgres,
	) {
		this.options = options;
		this.ports = ports;
		this.data = data;
		this.postgres = postgres;
		this.environment = {
			...queueEnvironment({
				postgres: { ...postgres, host: loopback },
				redis: { host: loopback, port: ports.redis },
				encryptionKey: randomBytes(32).toString('hex'),
				url: this.url,
			}),
			// n8n 1 knows the variable under this name only.
			...(options.installation.version.startsWith('1.') ? { WEBHOOK_URL: this.url } : {}),
			...options.environment,
		};
	}

	/** Starts everything, with nothing in it. */
	static async start(options: QueueStandOptions): Promise<QueueStand> {
		const ports = {
			redis: await lastingPort(),
			postgres: await lastingPort(),
			proxy: options.preferredPort ?? (await lastingPort()),
			main: await lastingPort(),
			worker1: await lastingPort(),
			worker2: await lastingPort(),
			webhook: await lastingPort(),
		};
		const data = mkdtempSync(path.join(tmpdir(), 'n8n-queue-'));
		chmodSync(data, 0o711);
		const postgres = new Postgres({
			programs: options.programs.postgres,
			port: ports.postgres,
			folder: path.join(data, 'postgres'),
			logFile: path.join(options.folder, 'logs', 'postgres.log'),
		});
		const stand = new QueueStand(options, ports, data, postgres);
		try {
			await stand.install();
			await stand.startParts('redis', 'postgres');
			// The main process makes the tables.
			await stand.startParts('main');
			await stand.startParts('worker1', 'worker2', 'webhook');
			stand.proxy = await startProxy({ ...ports, port: ports.proxy });
			return stand;
		} catch (error) {
			await stand.stop();
			throw error;
		}
	}

	/** Where the editor, the REST interface and the webhooks are: the reverse proxy. */
	get url(): string {
		return this.urlOf('proxy');
	}

	/** The webhook processor itself, without the proxy. */
	get webhookProcessorUrl(): string {
		return this.urlOf('webhook');
	}

	/** The process that runs as this part now. */
	server(part: Part): Server {
		const server = this.servers.get(part);
		if (server === undefined) throw new Error(`${part} does not run.`);
		return server;
	}

	/** Starts a part, under the address it had before; for n8n, perhaps with other variables. */
	async startPart(part: Part, environment: NodeJS.ProcessEnv = {}): Promise<void> {
		const running = this.servers.get(part);
		if (running !== undefined && !running.hasEnded()) throw new Error(`${part} runs already.`);
		const server = await this.launch(part, environment);
		this.servers.set(part, server);
		if (this.options.supervise === true && isN8nPart(part)) {
			void server.ended.then(async () => {
				// Whoever stops or kills a part takes it out first.
				if (this.servers.get(part) !== server) return;
				this.ended.push(part);
				await this.startPart(part, environment).catch((error: unknown) => {
					console.error(error instanceof Error ? error.message : String(error));
				});
			});
		}
	}

	/** The n8n processes that have ended by themselves and were started again, each time. */
	get endedByThemselves(): readonly N8nPart[] {
		return this.ended;
	}

	/** Asks a part to end, as an operating system does, and waits for it. */
	async stopPart(part: Part): Promise<void> {
		const server = this.servers.get(part);
		this.servers.delete(part);
		await server?.stop();
	}

	/** Kills a part and everything it has started, without warning. */
	async killPart(part: Part): Promise<void> {
		const server = this.server(part);
		this.servers.delete(part);
		const { pid } = server.process;
		if (pid !== undefined) process.kill(-pid, 'SIGKILL');
		await server.stop();
	}

	/** Ends everything and removes the data. */
	async stop(): Promise<void> {
		this.proxy?.close();
		this.proxy?.closeAllConnections();
		const n8n = [...this.servers.keys()].filter(isN8nPart);
		await Promise.all(n8n.map(async (part) => await this.stopPart(part)));
		await Promise.all([this.stopPart('redis'), this.stopPart('postgres')]);
		rmSync(this.data, { recursive: true, force: true });
	}

	/** Starts parts at the same time; when one fails, the others have started or failed as well. */
	private async startParts(...parts: Part[]): Promise<void> {
		const starts = parts.map(async (part) => await this.startPart(part));
		await Promise.allSettled(starts);
		await Promise.all(starts);
	}

	private urlOf(part: keyof typeof this.ports): string {
		return `http://${loopback}:${String(this.ports[part])}`;
	}

	private userFolder(part: N8nPart): string {
		return path.join(this.options.folder, part);
	}

	/** The package is installed once; the other processes see the same folder. */
	private async install(): Promise<void> {
		await installPackage(this.options.tarball, this.userFolder('main'), this.options.installation);
		for (const part of ['worker1', 'worker2', 'webhook'] as const) {
			const folder = path.join(this.userFolder(part), '.n8n');
			mkdirSync(folder, { recursive: true });
			symlinkSync(
				path.join(this.userFolder('main'), '.n8n', 'nodes'),
				path.join(folder, 'nodes'),
				'junction',
			);
		}
	}

	private async launch(part: Part, environment: NodeJS.ProcessEnv): Promise<Server> {
		const { folder, programs, installation } = this.options;
		if (part === 'postgres') return await this.postgres.start();
		const port = this.ports[part];
		const logFile = path.join(folder, 'logs', `${part}-${String(++this.starts)}.log`);
		if (part === 'redis') {
			const data = path.join(this.data, 'redis');
			return await startRedis({ program: programs.redis, port, folder: data, logFile });
		}
		const { url, server } = await startN8n({
			installation,
			role: n8nParts[part],
			userFolder: this.userFolder(part),
			logFile,
			preferredPort: port,
			environment: { ...this.environment, ...environment },
		});
		if (url !== this.urlOf(part)) {
			await server.stop();
			throw new Error(`The port of ${part} (${String(port)}) is taken.`);
		}
		return server;
	}
}
