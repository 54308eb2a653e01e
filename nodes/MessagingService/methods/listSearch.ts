import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { ReadClient } from '../transport/request';
import { connect } from '../transport/connection';
import { envelopeList, toPage, type Page } from '../transport/page';
import { storageReadPath } from '../transport/storagePath';

/** The "From List" modes of the resource locators. Each loads one page; n8n asks for the next. */

const PAGE_SIZE = 100;

/** Pages that one search reads for a match before it lets the user scroll on. */
const MAX_PAGES_PER_SEARCH = 20;

/** After this time, a search lets the user scroll on. */
const MAX_SEARCH_MS = 10_000;

/** How one kind of record is listed and shown. */
interface SearchableList {
	/** Fetches a page; the first one has no index. */
	fetchPage(client: ReadClient, index: number | undefined): Promise<Page>;
	nameOf(record: IDataObject): string;
	idOf(record: IDataObject): unknown;
	/** By what the newest records come first, where the list itself has them last. */
	ageOf?(record: IDataObject): string;
}

/** The pages still to load, which the editor gets and sends back as `paginationToken`. */
interface Remaining {
	next: number;
	/** Lower than `next` where the list is read from its end. */
	last: number;
}

function text(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function joined(...parts: unknown[]): string {
	return parts
		.map(text)
		.filter((part) => part !== '')
		.join(' - ');
}

function minute(time: unknown): string {
	return text(time).slice(0, 16).replace('T', ' ');
}

function beginning(message: unknown): string {
	return text(message).replace(/\s+/g, ' ').slice(0, 60);
}

/** A page of a list whose paging travels in the query. */
function queryPage(path: string): SearchableList['fetchPage'] {
	return async (client, index) => await envelopeList(client, path, PAGE_SIZE).fetchPage(index);
}

function search(list: SearchableList) {
	return async function (
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const end = Date.now() + MAX_SEARCH_MS;
		const client = await connect(this);
		const wanted = filter.trim().toLowerCase();
		let remaining = readToken(paginationToken);
		for (let pages = 1; ; pages++) {
			const page = await list.fetchPage(client, remaining?.next);
			const backwards = remaining === undefined ? fromTheEnd(list, page) : undefined;
			const results = backwards === undefined ? matching(list, page, wanted) : [];
			remaining = backwards ?? after(remaining, page);
			const isOver = pages === MAX_PAGES_PER_SEARCH || Date.now() >= end;
			if (results.length > 0 || remaining === undefined || isOver) {
				const token = remaining && `${remaining.next}/${remaining.last}`;
				return { results, paginationToken: token };
			}
		}
	};
}

function matching(
	{ nameOf, idOf, ageOf }: SearchableList,
	{ items }: Page,
	wanted: string,
): INodeListSearchResult['results'] {
	const inOrder =
		ageOf === undefined ? items : [...items].sort((a, b) => ageOf(b).localeCompare(ageOf(a)));
	return inOrder
		.map((record) => ({ name: nameOf(record), value: text(idOf(record)) }))
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
}

/** The way through a list that has its newest records on the last page, by its first page. */
function fromTheEnd({ ageOf }: SearchableList, page: Page): Remaining | undefined {
	const [first] = page.items;
	const last = page.items.at(-1);
	const rest = after(undefined, page);
	if (ageOf === undefined || rest === undefined || first === undefined || last === undefined) {
		return undefined;
	}
	return ageOf(first) < ageOf(last) ? { next: rest.last, last: rest.next - 1 } : undefined;
}

function readToken(token: string | undefined): Remaining | undefined {
	const [next, last] = token?.split('/').map(Number) ?? [];
	return next === undefined || last === undefined ? undefined : { next, last };
}

/** What remains after a page: the first one tells its own index and the number of pages. */
function after(
	before: Remaining | undefined,
	{ pageIndex, totalPages }: Page,
): Remaining | undefined {
	if (before !== undefined) {
		const { next, last } = before;
		return next === last ? undefined : { next: next + Math.sign(last - next), last };
	}
	if (pageIndex === undefined || totalPages === undefined || totalPages < 2) return undefined;
	return { next: pageIndex + 1, last: pageIndex + totalPages - 1 };
}

/** The values of a field of the voice campaigns, each with the latest campaign that has it. */
function ofEarlierCampaigns(field: 'callFlow_Id' | 'cli_id') {
	const startOf = ({ startDate, starttime, id }: IDataObject) =>
		[text(startDate), text(starttime), text(id).padStart(16, '0')].join(' ');
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const client = await connect(this);
		const campaigns = await client.records({ method: 'GET', path: '/api/campaigns/voice' });
		const latest = new Map<string, IDataObject>();
		for (const campaign of campaigns.sort((a, b) => (startOf(a) < startOf(b) ? 1 : -1))) {
			const value = text(campaign[field]);
			if (value !== '' && !latest.has(value)) latest.set(value, campaign);
		}
		const results = [...latest].map(([value, { name, startDate }]) => ({
			name: joined(value, name, text(startDate).slice(0, 10)),
			value,
		}));
		const wanted = filter.trim().toLowerCase();
		return { results: results.filter(({ name }) => name.toLowerCase().includes(wanted)) };
	};
}

export const searchSmsCampaigns = search({
	fetchPage: queryPage('/api/Campaigns'),
	nameOf: ({ startDateTime, sender, message }) =>
		joined(minute(startDateTime), sender, beginning(message)),
	idOf: ({ id }) => id,
});

export const searchSmsMessages = search({
	fetchPage: queryPage('/api/SMSMessages'),
	nameOf: ({ phoneNumber, dateCreated, message }) =>
		joined(phoneNumber, minute(dateCreated), beginning(message)),
	idOf: ({ newId, id }) => newId ?? id,
	ageOf: ({ dateCreated, id }) => joined(dateCreated, text(id).padStart(16, '0')),
});

export const searchCallFlows = ofEarlierCampaigns('callFlow_Id');

export const searchClis = ofEarlierCampaigns('cli_id');

export const searchVoiceCampaigns = search({
	fetchPage: queryPage('/api/campaigns/voice/p'),
	nameOf: ({ name, startDate }) => joined(name, text(startDate).slice(0, 10)),
	idOf: ({ id }) => id,
});

export const searchStoredNumbers = search({
	fetchPage: async (client, index = client.settings.firstPageIndex) =>
		toPage(
			await client.page({
				method: 'GET',
				path: `${storageReadPath(client.settings)}/${PAGE_SIZE}/${index}`,
			}),
		),
	nameOf: ({ storageID, number }) => joined(number, storageID),
	idOf: ({ storageID }) => storageID,
});
