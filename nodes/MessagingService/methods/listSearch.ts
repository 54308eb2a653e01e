import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { PageEnvelope, ServiceClient } from '../transport/request';
import { connect } from '../transport/connection';
import { toPage } from '../transport/page';
import { storageReadPath } from '../transport/storagePath';

/** The "From List" modes of the resource locators. Each loads one page; n8n asks for the next. */

const PAGE_SIZE = 100;

/** Pages that one search reads for a match before it lets the user scroll on. */
const MAX_PAGES_PER_SEARCH = 20;

/** How one kind of record is listed and shown. */
interface SearchableList {
	/** Fetches a page; the first one has no index. */
	fetchPage(client: ServiceClient, index: number | undefined): Promise<PageEnvelope>;
	nameOf(record: IDataObject): string;
	idOf(record: IDataObject): unknown;
}

/** The pages still to load, which the editor gets and sends back as `paginationToken`. */
interface Remaining {
	next: number;
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

/** A page of a list whose paging travels in the query. */
function queryPage(path: string): SearchableList['fetchPage'] {
	return async (client, index) =>
		await client.page({
			method: 'GET',
			path,
			query: {
				[client.settings.pageSizeParameter]: PAGE_SIZE,
				...(index === undefined ? {} : { [client.settings.pageIndexParameter]: index }),
			},
		});
}

function search(list: SearchableList) {
	return async function (
		this: ILoadOptionsFunctions,
		filter = '',
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const client = await connect(this);
		const wanted = filter.trim().toLowerCase();
		let remaining = readToken(paginationToken);
		for (let pages = 1; ; pages++) {
			const { items, pageIndex, totalPages } = toPage(
				await list.fetchPage(client, remaining?.next),
			);
			const results = items
				.map((record) => ({ name: list.nameOf(record), value: text(list.idOf(record)) }))
				.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
			remaining = after(remaining, pageIndex, totalPages);
			if (results.length > 0 || remaining === undefined || pages === MAX_PAGES_PER_SEARCH) {
				const token = remaining && `${remaining.next}/${remaining.last}`;
				return { results, paginationToken: token };
			}
		}
	};
}

function readToken(token: string | undefined): Remaining | undefined {
	const [next, last] = token?.split('/').map(Number) ?? [];
	return next === undefined || last === undefined ? undefined : { next, last };
}

/** What remains after a page: the first one tells its own index and the number of pages. */
function after(
	before: Remaining | undefined,
	index: number | undefined,
	totalPages: number | undefined,
): Remaining | undefined {
	if (before !== undefined) {
		return before.next < before.last ? { ...before, next: before.next + 1 } : undefined;
	}
	if (index === undefined || totalPages === undefined || totalPages < 2) return undefined;
	return { next: index + 1, last: index + totalPages - 1 };
}

export const searchSmsCampaigns = search({
	fetchPage: queryPage('/api/Campaigns'),
	nameOf: ({ startDateTime, sender, message }) =>
		joined(
			text(startDateTime).slice(0, 16).replace('T', ' '),
			sender,
			text(message).replace(/\s+/g, ' ').slice(0, 60),
		),
	idOf: ({ id }) => id,
});

export const searchVoiceCampaigns = search({
	fetchPage: queryPage('/api/campaigns/voice/p'),
	nameOf: ({ name, startDate }) => joined(name, text(startDate).slice(0, 10)),
	idOf: ({ id }) => id,
});

export const searchStoredNumbers = search({
	fetchPage: async (client, index = client.settings.firstPageIndex) =>
		await client.page({
			method: 'GET',
			path: `${storageReadPath(client.settings)}/${PAGE_SIZE}/${index}`,
		}),
	nameOf: ({ storageID, number }) => joined(number, storageID),
	idOf: ({ storageID }) => storageID,
});
