import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { runLogged } from '../../../host/progress.mjs';
import { loopback } from '../../../host/ports.ts';
import type { Server } from '../../../host/server.ts';
import { startGuarded } from './guarded.ts';

const run = promisify(execFile);

/** What to start PostgreSQL with. */
export interface PostgresOptions {
	/** The folder with PostgreSQL's programs. */
	programs: string;
	port: number;
	/** Where it keeps its data: made when it is not there. */
	folder: string;
	logFile: string;
}

const owner = 'n8n';

/** A PostgreSQL cluster of our own, on loopback, with one database for n8n. */
export class Postgres {
	readonly database = 'n8n';
	readonly user = owner;
	readonly password = randomBytes(16).toString('hex');
	readonly port: number;
	private readonly options: PostgresOptions;
	private readonly data: string;
	/** PostgreSQL refuses to run as root. */
	private readonly systemUser: { uid: number; gid: number } | undefined;

	constructor(options: PostgresOptions) {
		this.options = options;
		this.port = options.port;
		this.data = path.join(options.folder, 'data');
		this.systemUser = process.getuid?.() === 0 ? postgresUser() : undefined;
	}

	/** Starts it; the first time, the cluster and the database are made. */
	async start(): Promise<Server> {
		const isNew = !existsSync(this.data);
		if (isNew) await this.makeCluster();
		const server = await startGuarded({
			name: 'PostgreSQL',
			program: this.program('postgres'),
			args: [
				...['-D', this.data, '-p', String(this.port), '-h', loopback],
				// No socket in a common folder; connections for four n8n processes.
				...['-c', 'unix_socket_directories=', '-c', 'max_connections=200'],
			],
			folder: this.options.folder,
			logFile: this.options.logFile,
			// Ends connections instead of waiting for them.
			stopSignal: 'SIGINT',
			...(this.systemUser === undefined ? {} : { user: this.systemUser }),
			isReady: async () => await this.isReady(),
		});
		if (isNew) await this.psql('postgres', `CREATE DATABASE ${this.database}`);
		return server;
	}

	/** The rows of a query. */
	async rows<Row>(query: string): Promise<Row[]> {
		const wrapped = `SELECT coalesce(json_agg(rows), '[]') FROM (${query}) rows`;
		return JSON.parse(await this.psql(this.database, wrapped)) as Row[];
	}

	/** Runs statements. */
	async execute(statements: string): Promise<void> {
		await this.psql(this.database, statements);
	}

	private program(name: string): string {
		return path.join(this.options.programs, name);
	}

	private async psql(database: string, statements: string): Promise<string> {
		const { stdout } = await run(
			this.program('psql'),
			[
				...['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1'],
				...['-h', loopback, '-p', String(this.port), '-U', this.user, '-d', database],
				...['-c', statements],
			],
			{
				env: { ...process.env, PGPASSWORD: this.password, PGCONNECT_TIMEOUT: '5' },
				maxBuffer: 2 ** 30,
			},
		);
		return stdout;
	}

	private async isReady(): Promise<boolean> {
		try {
			await this.psql('postgres', 'SELECT 1');
			return true;
		} catch {
			return false;
		}
	}

	private async makeCluster(): Promise<void> {
		const { folder, logFile } = this.options;
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const passwordFile = path.join(folder, 'password');
		writeFileSync(passwordFile, `${this.password}\n`, { mode: 0o600 });
		if (this.systemUser !== undefined) {
			for (const file of [folder, passwordFile]) {
				chownSync(file, this.systemUser.uid, this.systemUser.gid);
			}
		}
		await runLogged(
			this.program('initdb'),
			[
				...['-D', this.data, '-U', this.user, '--pwfile', passwordFile],
				...['--auth', 'scram-sha-256', '-E', 'UTF8', '--no-locale', '--no-sync'],
			],
			{ cwd: folder, env: process.env, logFile, ...this.systemUser },
		);
	}
}

/** The user that Debian's package makes for PostgreSQL. */
function postgresUser(): { uid: number; gid: number } {
	const id = (option: string) => {
		const { status, stdout } = spawnSync('id', [option, 'postgres'], { encoding: 'utf8' });
		if (status !== 0) {
			throw new Error('PostgreSQL does not run as root, and there is no user "postgres".');
		}
		return Number(stdout);
	};
	return { uid: id('-u'), gid: id('-g') };
}
