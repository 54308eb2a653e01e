import path from 'node:path';
import { N8nClient } from '../../../host/n8nClient.ts';
import { tell } from '../../support/commands.mts';
import { host } from './host.ts';

/** What the process that started the shared n8n is asked to do with an n8n of a test's own. */
export interface OwnCommand {
	command: 'start' | 'stop' | 'kill';
	/** Of its folder. */
	name: string;
	/** More variables for n8n. */
	environment?: Record<string, string>;
}

/** An n8n that a test may stop and kill, with the packed package; its address stays the same. */
export class OwnN8n {
	private readonly name: string;
	private readonly environment: Record<string, string>;
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

	async start(): Promise<void> {
		const url = await this.tell('start');
		if (url === null) throw new Error('n8n has no address.');
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

	private async tell(command: OwnCommand['command']): Promise<string | null> {
		const { name, environment } = this;
		const what: OwnCommand = { command, name, environment };
		return await tell<string | null>(host().commandUrl, what);
	}
}
