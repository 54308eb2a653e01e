import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type {
	Page,
	ReadClient,
	ServiceRequest,
} from '../../../nodes/MessagingService/transport/request';

/** A call as the lists of the service have it. */
interface CallRecord extends IDataObject {
	startTime: string;
	/** null while the call is in progress. */
	outcome: number | null;
	attemptNumber: number;
}

/** A phone number of a campaign. */
interface NumberRecord extends IDataObject {
	id: number;
	number: string;
	calls: CallRecord[];
	smss: IDataObject[];
}

interface Campaign {
	id: number;
	status: number;
	attempts: number;
	startDate: string;
	/** Days that the operator has added. */
	runOverDays: IDataObject[];
	numbers: NumberRecord[];
}

const text = (moment: number) => new Date(moment).toISOString().slice(0, 19);

/**
 * A service in memory whose records change while they are read. Time only passes with requests
 * and when a test says so, and in whole seconds: many records share a time.
 */
export class ResultService implements ReadClient {
	readonly accountKey = 'test';

	now = Date.parse('2030-05-17T09:00:00Z');

	readonly campaigns: Campaign[] = [];

	readonly messages: IDataObject[] = [];

	/** As the list of SMS campaigns has them. */
	readonly smsCampaigns: IDataObject[] = [];

	/** IDs of campaigns that are missing from the list for a while. */
	unlisted: number[] = [];

	/** In which order the messages are listed: of their times, or of none. */
	order: 'newestFirst' | 'newestLast' | 'none' = 'none';

	/** In no order: messages that stay at the beginning of the list. */
	pinned: IDataObject[] = [];

	/** How many requests the poll has time for. */
	requestsLeft = Infinity;

	/** Records on a page at the most, however many are asked for. */
	maxPageSize = 3;

	/** How often each page of records was asked for, for tests of what a poll reads. */
	requests = 0;

	failures: boolean[] = [];

	activities: (() => void)[] = [];

	private nextId = 1;

	readonly settings: ReadClient['settings'] = {
		baseUrl: 'https://service.example.com',
		clientId: '1001',
		clientIdPlace: 'query',
		pageIndexParameter: 'pageIndex',
		pageSizeParameter: 'pageSize',
		defaultCountry: '',
		timeZone: 'UTC',
	};

	addCampaign(numbers: number, attempts: number, startDate = '2030-05-17T00:00:00'): Campaign {
		const campaign: Campaign = {
			id: 2000 + this.campaigns.length,
			status: 0,
			attempts,
			startDate,
			runOverDays: [],
			numbers: [],
		};
		this.campaigns.push(campaign);
		for (let index = 0; index < numbers; index++) this.addNumber(campaign);
		return campaign;
	}

	addNumber(campaign: Campaign) {
		const id = this.nextId++;
		campaign.numbers.push({ id, number: `+4477009${id}`, name: '', calls: [], smss: [] });
	}

	/** The next call to a number, if another one is to be made. Returns what names it. */
	call(
		campaign: Campaign,
		index: number,
		outcome: number | null,
		time = text(this.now),
	): string | undefined {
		const record = campaign.numbers[index % Math.max(1, campaign.numbers.length)];
		if (record === undefined) return undefined;
		const attemptNumber = record.calls.length + 1;
		if (attemptNumber > campaign.attempts) return undefined;
		if (record.calls.some((call) => call.outcome === 1)) return undefined;
		record.calls.push({ startTime: time, endTime: time, stage: 0, outcome, attemptNumber });
		campaign.status = 1;
		return `${campaign.id}/${record.number}/${attemptNumber}`;
	}

	/** A call in progress ends: the one that started first. Returns what names it. */
	endCall(outcome: number): string | undefined {
		for (const campaign of this.campaigns) {
			for (const { number, calls } of campaign.numbers) {
				const call = calls.find((one) => one.outcome === null);
				if (call === undefined) continue;
				Object.assign(call, { outcome, endTime: text(this.now) });
				return `${campaign.id}/${number}/${call.attemptNumber}`;
			}
		}
		return undefined;
	}

	addMessage(dateCreated: string | null = text(this.now)) {
		const time = text(this.now);
		this.messages.push({
			id: this.nextId++,
			phoneNumber: '+447700900123',
			status: 2,
			smsCount: 1,
			dateCreated,
			dateModified: time,
		});
	}

	/** An SMS campaign to so many recipients, with a message for each of these statuses. */
	addSmsCampaign(recipientCount: number, ...statuses: number[]): string {
		const id = `Campaign-${this.smsCampaigns.length}`;
		this.smsCampaigns.push({ id, status: 2, startDateTime: text(this.now), recipientCount });
		for (const status of statuses) {
			this.addMessage();
			Object.assign(this.messages.at(-1) ?? {}, {
				campaignId: id.toUpperCase(),
				status,
				price: 0.04,
			});
		}
		return id;
	}

	setStatus(index: number, status: number) {
		const message = this.messages[index % Math.max(1, this.messages.length)];
		if (message === undefined) return;
		Object.assign(message, { status, dateModified: text(this.now) });
	}

	/** A record takes another place in its list. */
	move(campaign: Campaign | undefined, from: number, to: number) {
		const list: IDataObject[] = campaign?.numbers ?? this.messages;
		const [record] = list.splice(from % Math.max(1, list.length), 1);
		if (record !== undefined) list.splice(to % (list.length + 1), 0, record);
	}

	/** A number is taken out of a campaign. Returns how its calls are named. */
	removeNumber(campaign: Campaign | undefined, index: number): string | undefined {
		const [record] =
			campaign?.numbers.splice(index % Math.max(1, campaign.numbers.length), 1) ?? [];
		return record && `${campaign?.id}/${record.number}/`;
	}

	/** The messages as they are listed. */
	private listedMessages(): IDataObject[] {
		if (this.order === 'none') return [...this.pinned, ...this.messages];
		const inOrder = sortBy(this.messages, ({ dateCreated }) => dateCreated);
		return this.order === 'newestFirst' ? inOrder.reverse() : inOrder;
	}

	private disturb(method: string) {
		this.requestsLeft--;
		if (method !== 'GET') throw new Error(`A poll only reads, but sent ${method}`);
		this.requests++;
		this.now += 1000;
		this.activities.shift()?.();
		if (this.failures.shift() === true) throw new Error('The service failed');
	}

	async page({ method, path, query = {} }: ServiceRequest): Promise<Page> {
		this.disturb(method);
		const all =
			path === '/api/SMSMessages'
				? this.listedMessages()
				: path === '/api/campaigns/voice/p'
					? this.campaigns
							.filter(({ id }) => !this.unlisted.includes(id))
							.map((campaign) => this.listItem(campaign))
					: this.smsCampaigns;
		const size = Math.min(Number(query.pageSize), this.maxPageSize);
		const pageIndex = Number(query.pageIndex ?? 1);
		return {
			pageIndex,
			totalPages: Math.ceil(all.length / size),
			totalRecords: all.length,
			items: copy(all.slice((pageIndex - 1) * size, pageIndex * size)),
		};
	}

	async records({ method, path }: ServiceRequest): Promise<IDataObject[]> {
		this.disturb(method);
		const [, id, wanted = 0, page = 0] =
			/voice\/(\d+)\/phonenumbers\/(\d+)\/(\d+)$/.exec(path)?.map(Number) ?? [];
		const size = Math.min(wanted, this.maxPageSize);
		const numbers = this.campaigns.find((campaign) => campaign.id === id)?.numbers ?? [];
		return copy(numbers.slice((page - 1) * size, page * size));
	}

	async record({ method, path }: ServiceRequest): Promise<IDataObject> {
		this.disturb(method);
		const campaign = this.campaigns.find(({ id }) => path.endsWith(`/${id}`));
		if (campaign === undefined) throw new Error(`No campaign at ${path}`);
		const attempts = Array.from({ length: campaign.attempts }, (_, index) => ({
			interval: 1,
			attemptNumber: index + 1,
		}));
		return { ...this.listItem(campaign), attempts, runOverDays: campaign.runOverDays };
	}

	private listItem({ id, status, startDate }: Campaign): IDataObject {
		return {
			id,
			name: `Campaign ${id}`,
			startDate,
			finishtime: '18:00',
			campaignStatus: status,
		};
	}
}

function copy<Value>(value: Value): Value {
	return structuredClone(value);
}
