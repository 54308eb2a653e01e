import type { IDataObject } from 'n8n-workflow';
import { objectsOf, isObject } from '../../json';
import { looksLikeMarkup } from '../../texts';
import { pathSegment } from '../../transport/request';
import { PAGE, RECORD, RECORDS, toPage } from '../../transport/responseShape';
import { ask, counted, failed, ok, type Finding } from './finding';
import type { Kind } from './documented';
import type { Look, Probe } from './probe';

/** A list as its first response shows it. */
export interface List {
	kind: Kind;
	path: string;
	records: IDataObject[];
	/** How many records there are; undefined where the service does not tell. */
	total?: number | undefined;
	totalPages?: number | undefined;
	/** Index of the first page, as the service says it. */
	firstPage?: number | undefined;
	/** When it was read, by the clock of the service. */
	date?: number | undefined;
}

/** The questions about lists, and what is known of those that are there. */
export interface Lists {
	findings: Finding[];
	found: List[];
}

/** What identifies a record. */
export function idOf(record: IDataObject | undefined): unknown {
	return record?.newId ?? record?.id ?? record?.storageID ?? JSON.stringify(record);
}

/** The list that a response shows; undefined where it shows none. */
export function listIn(kind: Kind, path: string, look: Look): List | undefined {
	const { content, date } = look;
	if (PAGE.matches(content)) {
		const { items, totalRecords: total, totalPages, pageIndex } = toPage(content as IDataObject);
		return { kind, path, records: items, total, totalPages, firstPage: pageIndex, date };
	}
	if (!RECORDS.matches(content)) return undefined;
	return { kind, path, records: objectsOf(content), date };
}

/** What a response is that is not the expected one, without its words. */
export function shapeOf({ problem, content }: Look): string {
	if (problem !== undefined) return problem;
	if (typeof content === 'string' && looksLikeMarkup(content)) return 'a web page';
	if (isObject(content)) {
		const names = Object.keys(content).filter((name) => /^\w{1,40}$/.test(name));
		return `a JSON object with ${names.slice(0, 10).join(', ') || 'no fields'}`;
	}
	return Array.isArray(content) ? 'a JSON array' : 'a response that is no JSON object';
}

/** A list of the interface. */
interface Place {
	kind: Kind;
	/** Continues "Is ... there?". */
	name: string;
	path: string;
	/** The path as the interface writes it. */
	shown?: string;
}

const SINGLE = 'a single voice campaign';
const NUMBERS = 'the list of phone numbers of a voice campaign';
const CONTACTS = 'the list of contacts of an SMS campaign';
const VOICE = 'Are a single voice campaign and its phone numbers there?';

/** Asks for each list of the interface, and for what only a record of another list leads to. */
export async function readLists(probe: Probe, campaigns: Look): Promise<Lists> {
	const lists: Lists = { findings: [], found: [] };
	const read = async (place: Place) => note(lists, place, await probe.look(place.path));
	const sms: Place = {
		kind: 'campaigns',
		name: 'the list of SMS campaigns',
		path: '/api/Campaigns',
	};
	const newest = newestOf(note(lists, sms, campaigns), 'startDateTime');
	if (newest === undefined) lists.findings.push(untried(questionOf(CONTACTS), 'SMS campaign'));
	else {
		const path = `/api/Campaigns/${pathSegment(newest)}/Contacts`;
		await read({ kind: 'contacts', name: CONTACTS, path, shown: '/api/Campaigns/:Id/Contacts' });
	}
	await read({ kind: 'messages', name: 'the list of SMS messages', path: '/api/SMSMessages' });
	const voice = { kind: 'voiceCampaigns', path: '/api/campaigns/voice' } as const;
	const all = await read({ ...voice, name: 'the unpaged list of voice campaigns' });
	const paged = `${voice.path}/p`;
	await read({ ...voice, name: 'the paged list of voice campaigns', path: paged });
	const id = newestOf(all, 'startDate');
	if (id === undefined) lists.findings.push(untried(VOICE, 'voice campaign'));
	else await readVoiceCampaign(probe, lists, `${voice.path}/${pathSegment(id)}`);
	return lists;
}

/** One voice campaign and its phone numbers. */
async function readVoiceCampaign(probe: Probe, lists: Lists, path: string) {
	const look = await probe.look(path);
	const question = questionOf(SINGLE);
	lists.findings.push(
		RECORD.matches(look.content)
			? ok(question, 'a record')
			: missing(question, shapeOf(look), '/api/campaigns/voice/:id'),
	);
	const rest = '/phonenumbers/10/1';
	const shown = `/api/campaigns/voice/:id${rest}`;
	const numbers: Place = { kind: 'numbers', name: NUMBERS, path: `${path}${rest}`, shown };
	note(lists, numbers, await probe.look(numbers.path));
}

/** Notes whether a list is there. @returns its records */
function note({ findings, found }: Lists, place: Place, look: Look): IDataObject[] {
	const { kind, name, path, shown = path } = place;
	const list = listIn(kind, path, look);
	if (list === undefined) {
		findings.push(missing(questionOf(name), shapeOf(look), shown));
		return [];
	}
	found.push(list);
	const { records, total = records.length } = list;
	findings.push(ok(questionOf(name), counted(total, 'record')));
	return records;
}

export const questionOf = (name: string) => `Is ${name} there?`;

function missing(question: string, found: string, path: string): Finding {
	return failed(question, found, `Please tell us: does the service have GET ${path}?`);
}

/** Of what only a record leads to, and there is none. */
function untried(question: string, record: string): Finding {
	return ask(
		question,
		`not tried: there is no ${record}`,
		`Please create one ${record} in our account, so that this can be checked.`,
	);
}

/** The ID of the record with the latest date. */
function newestOf(records: readonly IDataObject[], field: string): string | undefined {
	const newest = records.reduce<IDataObject | undefined>(
		(best, record) =>
			best === undefined || String(record[field]) > String(best[field]) ? record : best,
		undefined,
	);
	const id = newest?.id;
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}
