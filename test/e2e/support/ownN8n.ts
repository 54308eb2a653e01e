import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { N8nClient } from '../../../host/n8nClient.ts';
import type { Command, CommandResult } from '../ownN8n.mts';
import { host } from './host.ts';

/** An n8n that a test may stop and kill, with the packed package; its address stays the same. */
export class OwnN8n {
	private readonly name: string;
	private readonly environment: Record<string, string>;
	private process: ChildProcess | undefined;
	private connected: N8nClient | undefined;

	/**
	 * @param name of its folder
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

	async start(): Promise<void> {
		const url = await this.tell('start');
		if (url === undefined) throw new Error('n8n has no address.');
		this.connected = new N8nClient(url);
		await this.connected.logIn();
	}

	/** Asks n8n to end, as an operating system does. */
	async stop(): Promise<void> {
		await this.tell('stop');
	}

	/** Kills n8n and everything it has started, without warning. */
	async kill(): Promise<void> {
		await this.tell('kill');
	}

	/** Ends it for good. */
	async end(): Promise<void> {
		if (this.process === undefined) return;
		await this.stop();
		const ended = once(this.process, 'exit');
		this.process.disconnect();
		await ended;
		this.process = undefined;
	}

	private async tell(command: Command): Promise<string | undefined> {
		const { folder, tarball } = host();
		this.process ??= fork(
			path.resolve('test', 'e2e', 'ownN8n.mts'),
			[folder, tarball, this.name, JSON.stringify(this.environment)],
			{ execArgv: ['--disable-warning=ExperimentalWarning'] },
		);
		this.process.send(command);
		const [{ url, problem }] = (await once(this.process, 'message')) as [CommandResult];
		if (problem !== undefined) throw new Error(problem);
		return url;
	}
}
