import type { IDataObject } from 'n8n-workflow';
import { counted } from '../../texts';
import { storageRequest } from '../../transport/listRequests';
import { pathSegment, type ObservingClient, type ReadRequest } from '../../transport/request';
import { RECORD } from '../../transport/responseShape';
import { failed, ok, type Finding } from './finding';
import { listIn, look, MESSAGES, shapeOf, type List, type Look } from './probe';

export const CAMPAIGNS = '/api/Campaigns';
const VOICE = '/api/campaigns/voice';

/** Something of the interface that the service should have. */
interface Place extends Omit<ReadRequest, 'method'> {
	/** Continues "Is ... there?". */
	name: string;
	/** The path as the interface writes it, where it has an ID in it. */
	shown?: string;
}

/** Asks for the lists of the interface and, where they have a record, for what that leads to. */
export class Lists {
	readonly findings: Finding[] = [];
	/** Those that are there. */
	readonly found: List[];
	private readonly client: ObservingClient;

	/** @param campaigns the list of SMS campaigns, which was read before */
	constructor(client: ObservingClient, campaigns: List) {
		this.client = client;
		this.found = [campaigns];
	}

	async read(): Promise<void> {
		const campaign = newestOf(this.found[0], 'startDateTime');
		if (campaign !== undefined) {
			await this.list({
				name: 'the list of contacts of an SMS campaign',
				path: `${CAMPAIGNS}/${campaign}/Contacts`,
				shown: `${CAMPAIGNS}/:Id/Contacts`,
			});
		}
		const sms = { name: 'the list of SMS messages', path: MESSAGES };
		const messages = await this.list(sms);
		const [first] = messages?.records ?? [];
		const message = segmentOf(first?.newId ?? first?.id);
		if (message !== undefined) {
			await this.record({
				name: 'a single SMS message',
				path: `${MESSAGES}${message}`,
				otherPath: `${MESSAGES}/${message}`,
				shown: `${MESSAGES}:Id`,
			});
		}
		const unpaged = { name: 'the unpaged list of voice campaigns', path: VOICE };
		const all = await this.list(unpaged);
		const paged = { name: 'the paged list of voice campaigns', path: `${VOICE}/p` };
		await this.list(paged);
		const call = newestOf(all, 'startDate');
		if (call !== undefined) {
			const path = `${VOICE}/${call}`;
			await this.record({ name: 'a single voice campaign', path, shown: `${VOICE}/:id` });
			await this.list({
				name: 'the list of phone numbers of a voice campaign',
				path: `${path}/phonenumbers/10/1`,
				shown: `${VOICE}/:id/phonenumbers/10/1`,
			});
		}
		await this.list({ name: 'the list of stored numbers', ...storageRequest('/10/1') });
	}

	/** Notes whether a list is there. @returns it */
	private async list(place: Place): Promise<List | undefined> {
		const response = await look(this.client, place);
		const list = listIn(place.path, response);
		if (list !== undefined) this.found.push(list);
		const count = list && counted(list.total ?? list.records.length, 'record');
		this.note(place, response, count);
		return list;
	}

	/** Notes whether a record is there. */
	private async record(place: Place): Promise<void> {
		const response = await look(this.client, place);
		this.note(place, response, RECORD.matches(response.content) ? 'a record' : undefined);
	}

	/** @param found what is there; undefined where the response is something else */
	private note({ name, path, shown = path }: Place, response: Look, found?: string): void {
		const question = `Is ${name} there?`;
		const advice = adviceOn(response, shown);
		const isThere = found !== undefined;
		this.findings.push(isThere ? ok(question, found) : failed(question, shapeOf(response), advice));
	}
}

/** What to do where a path did not give what it should. */
function adviceOn({ status, problem }: Look, path: string): string {
	if (problem === undefined || status === '404') {
		return `Please tell us: does the service have GET ${path}?`;
	}
	if (status === '401' || status === '403') return `Please tell us: may our account GET ${path}?`;
	return 'Check again later.';
}

/** The ID of the record with the latest date, as a part of a path. */
function newestOf(list: List | undefined, field: string): string | undefined {
	const newest = list?.records.reduce<IDataObject | undefined>(
		(best, record) =>
			best === undefined || String(record[field]) > String(best[field]) ? record : best,
		undefined,
	);
	return segmentOf(newest?.id);
}

function segmentOf(id: unknown): string | undefined {
	return typeof id === 'string' || typeof id === 'number' ? pathSegment(id) : undefined;
}
