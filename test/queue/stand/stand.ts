import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installN8n, type N8nInstallation } from '../../../host/n8nInstall.ts';
import { startN8n } from '../../../host/n8nProcess.ts';
import { installPackage, packPackage, type Tarball } from '../../../host/packageTarball.ts';
import { freePort, loopback, reservedPorts } from '../../../host/ports.ts';
import { withProgress } from '../../../host/progress.mjs';
import type { Server } from '../../../host/server.ts';
import { n8nCommands, queueEnvironment, workerEnvironment } from './environment.ts';
import { Postgres } from './postgres.ts';
import { provideQueuePrograms, type QueuePrograms } from './programs.ts';
import { startProxy } from './proxy.ts';
import { startRedis } from './redis.ts';

/** The n8n processes of the stand, with what they do. */
const n8nParts = {
	main: 'main',
	worker1: 'worker',
	worker2: 'worker',
	webhook: 'webhook',
	/** Runs only where a test starts it. */
	webhook2: 'webhook',
} as const satisfies Record<string, keyof typeof n8nCommands>;

/** An n8n process of the stand. */
type N8nPart = keyof typeof n8nParts;

/** A process of the stand. */
export type Part = N8nPart | 'redis' | 'postgres';

const isN8nPart = (part: Part): part is N8nPart => part in n8nParts;

/** What the stand is made of. */
export interface QueueStandOptions {
	/** Where n8n's user folders and the logs go. */
	folder: string;
	/** More variables for every n8n process, or other values for ours. */
	environment?: NodeJS.ProcessEnv;
	/** Used by the proxy when it is free. */
	preferredPort?: number;
}

/** What is on this machine when the stand starts. */
interface Provided {
	programs: QueuePrograms;
	installation: N8nInstallation;
	tarball: Tarball;
}

/**
 * n8n in queue mode on this machine: Redis, PostgreSQL, a main process, two workers and a webhook
 * processor, each of which can be stopped, killed and started again under the same address, and a
 * reverse proxy in front.
 */
export class QueueStand {
	readonly postgres: Postgres;
	readonly installation: N8nInstallation;
	readonly tarball: Tarball;
	private readonly programs: QueuePrograms;
	private readonly folder: string;
	private readonly ports: Record<Part | 'proxy', number>;
	private readonly environment: NodeJS.ProcessEnv;
	/** PostgreSQL's user must be able to get there, which it may not in a clone of this repository. */
	private readonly data: string;
	private readonly running = new Map<Part, Server>();
	private proxy: HttpServer | undefined;
	private starts = 0;

	private constructor(
		{ folder, environment }: QueueStandOptions,
		{ programs, installation, tarball }: Provided,
		ports: Record<Part | 'proxy', number>,
	) {
		this.folder = folder;
		this.programs = programs;
		this.installation = installation;
		this.tarball = tarball;
		this.ports = ports;
		this.data = mkdtempSync(path.join(tmpdir(), 'n8n-queue-'));
		chmodSync(this.data, 0o711);
		this.postgres = new Postgres({
			programs: programs.postgres,
			port: ports.postgres,
			folder: path.join(this.data, 'postgres'),
			logFile: path.join(folder, 'logs', 'postgres.log'),
		});
		this.environment = {
			...queueEnvironment({
				postgres: { ...this.postgres, host: loopback },
				redis: { host: loopback, port: ports.redis },
				encryptionKey: randomBytes(32).toString('hex'),
				url: this.url,
			}),
			...environment,
		};
	}

	/** Starts everything, with nothing in it. Installs first what this machine lacks. */
	static async start(options: QueueStandOptions): Promise<QueueStand> {
		const provided = {
			programs: await provideQueuePrograms(),
			installation: await installN8n(),
			tarball: await packPackage(options.folder),
		};
		const ownPort = async () => await freePort(undefined, reservedPorts);
		const ports = {
			redis: await ownPort(),
			postgres: await ownPort(),
			proxy: options.preferredPort ?? (await ownPort()),
			main: await ownPort(),
			worker1: await ownPort(),
			worker2: await ownPort(),
			webhook: await ownPort(),
			webhook2: await ownPort(),
		};
		const stand = new QueueStand(options, provided, ports);
		await withProgress(
			`Starting n8n ${stand.installation.version} in queue mode`,
			async () => await stand.startAll(),
			{ usually: '40 s' },
		);
		return stand;
	}

	/** Where the editor, the REST interface and the webhooks are: the reverse proxy. */
	get url(): string {
		return this.urlOf('proxy');
	}

	/** The webhook processor itself, without the proxy. */
	get webhookProcessorUrl(): string {
		return this.urlOf('webhook');
	}

	/** All processes. */
	get servers(): Server[] {
		return [...this.running.values()];
	}

	/** The process that runs as this part now. */
	server(part: Part): Server {
		const server = this.running.get(part);
		if (server === undefined) throw new Error(`${part} does not run.`);
		return server;
	}

	/** Starts a part, under the address it had before. */
	async startPart(part: Part): Promise<void> {
		if (this.running.get(part)?.hasEnded() === false) throw new Error(`${part} runs already.`);
		this.running.set(part, await this.launch(part));
	}

	/** Asks a part to end, as an operating system does, and waits for it. */
	async stopPart(part: Part): Promise<void> {
		const server = this.running.get(part);
		this.running.delete(part);
		await server?.stop();
	}

	/** Kills a part and everything it has started, without warning. */
	async killPart(part: Part): Promise<void> {
		const server = this.server(part);
		this.running.delete(part);
		const { pid } = server.process;
		if (pid !== undefined) process.kill(-pid, 'SIGKILL');
		await server.stop();
	}

	/** Ends everything and removes the data. */
	async stop(): Promise<void> {
		this.proxy?.close();
		this.proxy?.closeAllConnections();
		const n8n = [...this.running.keys()].filter(isN8nPart);
		await Promise.all(n8n.map(async (part) => await this.stopPart(part)));
		await Promise.all([this.stopPart('redis'), this.stopPart('postgres')]);
		rmSync(this.data, { recursive: true, force: true });
	}

	private async startAll(): Promise<void> {
		try {
			await this.install();
			await this.startParts('redis', 'postgres');
			// The main process makes the tables.
			await this.startParts('main');
			await this.startParts('worker1', 'worker2', 'webhook');
			this.proxy = await startProxy({ ...this.ports, port: this.ports.proxy });
		} catch (error) {
			await this.stop();
			throw error;
		}
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
		return path.join(this.folder, part);
	}

	/** The package is installed once; the other processes see the same folder. */
	private async install(): Promise<void> {
		await installPackage(this.tarball, this.userFolder('main'), this.installation);
		for (const part of ['worker1', 'worker2', 'webhook', 'webhook2'] as const) {
			const folder = path.join(this.userFolder(part), '.n8n');
			mkdirSync(folder, { recursive: true });
			symlinkSync(
				path.join(this.userFolder('main'), '.n8n', 'nodes'),
				path.join(folder, 'nodes'),
				'junction',
			);
		}
	}

	private async launch(part: Part): Promise<Server> {
		if (part === 'postgres') return await this.postgres.start();
		const port = this.ports[part];
		const logFile = path.join(this.folder, 'logs', `${part}-${String(++this.starts)}.log`);
		if (part === 'redis') {
			const folder = path.join(this.data, 'redis');
			return await startRedis({ program: this.programs.redis, port, folder, logFile });
		}
		const role = n8nParts[part];
		const { url, server } = await startN8n({
			installation: this.installation,
			command: n8nCommands[role],
			userFolder: this.userFolder(part),
			logFile,
			preferredPort: port,
			environment: {
				...this.environment,
				...(role === 'worker' ? { ...workerEnvironment, ...healthCheckAt(port) } : {}),
			},
		});
		if (url !== this.urlOf(part)) {
			await server.stop();
			throw new Error(`The port of ${part} (${String(port)}) is taken.`);
		}
		return server;
	}
}

const healthCheckAt = (port: number) => ({
	QUEUE_HEALTH_CHECK_PORT: String(port),
	N8N_WORKER_SERVER_ADDRESS: loopback,
});
