import type { IDataObject } from 'n8n-workflow';
import type { PollSettings } from '../../../nodes/MessagingService/poll/settings';
import { pollService } from '../../../nodes/MessagingService/poll/poll';
import { decodeStates } from '../../../nodes/MessagingService/poll/recordStates';
import { readState } from '../../../nodes/MessagingService/poll/state';
import type { ResultService } from './resultService';

/** n8n as the polling trigger sees it: what it keeps in memory, and what survives a kill. */
export class PollHost {
	private memory: string | undefined;

	private disk: string | undefined;

	readonly items: IDataObject[] = [];

	largest = 0;

	failedPolls = 0;

	account = 'test';

	private readonly service: ResultService;

	readonly settings: PollSettings;

	constructor(service: ResultService, settings: Partial<PollSettings>) {
		this.service = service;
		this.settings = {
			events: ['callAttempted', 'smsStatus', 'campaignStatus', 'campaignFinished'],
			selected: undefined,
			days: 7,
			filters: {},
			smsFilters: {},
			writtenFilters: '{}',
			startFrom: undefined,
			...settings,
		};
	}

	/** n8n saves the state when it starts an execution, and after publishing. */
	async poll(isPublishing = false) {
		const { service, settings } = this;
		const { items, state, failures, isCut } = await pollService({
			client: service,
			settings,
			zone: 'UTC',
			now: service.now,
			account: this.account,
			state: this.memory,
			isTimeUp: () => service.requestsLeft <= 0,
		});
		if (failures.length > 0) this.failedPolls++;
		if (isPublishing && failures.length > 0) throw failures[0];
		this.memory = state;
		this.largest = Math.max(this.largest, state.length);
		if (items.length > 0 || isPublishing) this.disk = state;
		this.items.push(...items);
		return { items, failures, isCut };
	}

	/** The voice campaigns that it remembers. */
	get campaigns(): string[] {
		return [...(readState(this.memory, this.account)?.voice.keys() ?? [])];
	}

	/** The IDs of the SMS messages that it remembers. */
	get messages(): string[] {
		return [...decodeStates(readState(this.memory, this.account)?.messages).keys()];
	}

	/** The IDs of the phone numbers that it remembers. */
	get numbers(): string[] {
		const campaigns = [...(readState(this.memory, this.account)?.voice.values() ?? [])];
		return campaigns.flatMap(({ numbers }) => [...decodeStates(numbers).keys()]);
	}

	/** The phase of each voice campaign. */
	get phases(): unknown[] {
		return [...(readState(this.memory, this.account)?.voice.values() ?? [])].map(
			({ phase }) => phase,
		);
	}

	kill() {
		this.memory = this.disk;
	}
}
