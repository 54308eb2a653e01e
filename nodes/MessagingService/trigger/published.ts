import type { IHookFunctions } from 'n8n-workflow';
import { Failure } from '../failure';
import { connect } from '../transport/connection';
import { CREDENTIAL } from '../transport/service';
import { clientKeyOf, type ServiceSettings } from '../transport/settings';
import { webhookRequest } from '../transport/webhookRequest';
import { memoryOf, remember, triggerKey, type OtherTrigger, type TriggerMemory } from './memory';
import { STORED, storeMemory } from './ownN8n';
import { readTriggerSettings } from './settings';
import { noteToken } from './token';

/** The names of the fields that the service may complain about. */
export const LABELS = { webhookurl: 'Webhook URL', clientid: 'Client ID' };

/** A published trigger, in the process that publishes workflows and starts them. */
export class PublishedTrigger {
	readonly key: string;
	/** Who it is for the others. */
	readonly self: OtherTrigger;
	/** Its production URL, without a token. */
	readonly url: string;
	/** Whether the user registers URLs. */
	readonly isManual: boolean;
	readonly credentialId: string | undefined;
	/** The token of its credential, as it was read last. */
	token: string | undefined;
	/** The service and the client. */
	readonly client: string;
	/** Writes into n8n's log; errors into the list of executions as well. */
	readonly log: (level: 'warn' | 'error', message: string) => void;
	/** Whether n8n does not know its URL any more: there is nothing to store. */
	isUnpublished = false;
	private readonly context: IHookFunctions;
	/** What n8n has stored of its memory. */
	private stored = '';

	constructor(
		context: IHookFunctions,
		settings: ServiceSettings,
		publishedAt: number,
		log: PublishedTrigger['log'],
	) {
		this.context = context;
		this.log = log;
		const { isManual, kinds, path } = readTriggerSettings(context);
		this.key = triggerKey(context);
		const workflow = context.getWorkflow().name ?? '';
		this.self = { path, kinds: [...kinds], workflow, publishedAt };
		this.url = context.getNodeWebhookUrl('default') ?? '';
		this.isManual = isManual;
		this.credentialId = context.getNode().credentials?.[CREDENTIAL]?.id ?? undefined;
		this.token = settings.webhookToken;
		this.client = clientKeyOf(settings);
		remember(this.memory, { publishedAt });
		this.noteStored();
	}

	private get memory(): TriggerMemory {
		return memoryOf(this.context);
	}

	/** Notes that the hook which is running has n8n store the memory as it is now. */
	noteStored(): void {
		this.stored = JSON.stringify(this.memory);
	}

	forgetOthers(): void {
		remember(this.memory, { others: [] });
	}

	/** This one hands events on to another one from now on. */
	know(other: OtherTrigger): void {
		remember(this.memory, { others: [...this.othersThan(other), other] });
	}

	/** This one hands nothing on to another one any more. */
	forget(other: OtherTrigger): void {
		remember(this.memory, { others: this.othersThan(other) });
	}

	private othersThan(trigger: OtherTrigger): OtherTrigger[] {
		return this.memory.others?.filter(({ path }) => path !== trigger.path) ?? [];
	}

	/** The registered URL carries its token now. */
	noteToken(): void {
		noteToken(this.context, this.token);
	}

	/** Registers a URL with the service; empty removes the one that is registered. */
	async tell(url: string): Promise<void> {
		// Read again: after months, the credential may have another key.
		const client = await connect(this.context, LABELS);
		if (clientKeyOf(client.settings) !== this.client) {
			throw new Failure('The credential points to another service or client now', '');
		}
		await client.post(webhookRequest(client, url));
	}

	/** Has n8n store what this process remembers, for other processes and its next start. @throws Failure */
	async store(): Promise<void> {
		const memory = JSON.stringify(this.memory);
		if (memory === this.stored) return;
		const credential = await this.context.getCredentials(CREDENTIAL);
		const result = await storeMemory(this.context, this.self.path, this.token, credential);
		if (result !== STORED) throw new Failure(`${this.url} responds ${result}`, '');
		this.stored = memory;
	}
}
