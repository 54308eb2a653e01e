import { orderBy } from 'lodash';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { withNodeErrors } from '../failure';
import { countryOptions } from '../numbers/countries';
import { connect } from '../transport/connection';
import {
	envelopeList,
	firstStoragePage,
	messageList,
	PAGE_SIZE,
	storagePage,
} from '../transport/listRequests';
import { readList } from '../transport/paginate';
import type { Page, ReadClient } from '../transport/request';

/** What the editor asks for: the "From List" modes of the resource locators, and the countries. */

/** Of a list that n8n asks for page by page. */
const SEARCH_PAGE_SIZE = 100;

/** After this time, a search lets the user scroll on. */
const MAX_SEARCH_MS = 10_000;

/**
 * A search as n8n calls it.
 * @param find finds what the editor shows; `token` is what the search before has left
 */
function method(
	find: (
		client: ReadClient,
		filter: string,
		token: string | undefined,
	) => Promise<INodeListSearchResult>,
) {
	return async function (this: ILoadOptionsFunctions, filter = '', token?: string) {
		return await withNodeErrors(this, async () => find(await connect(this), filter, token));
	};
}

function shownText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function joined(parts: readonly unknown[]): string {
	return parts.map(shownText).filter(Boolean).join(' - ');
}

function minute(time: unknown): string {
	return shownText(time).slice(0, 16).replace('T', ' ');
}

function day(time: unknown): string {
	return shownText(time).slice(0, 10);
}

function beginning(message: unknown): string {
	return shownText(message).replace(/\s+/g, ' ').slice(0, 60);
}

function matching(results: INodeListSearchResult['results'], filter: string) {
	const wanted = filter.trim().toLowerCase();
	return results.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
}

/**
 * Searches a list page by page. The token that the editor sends back is the index of the next page.
 * @param fetchPage the first page has no index
 * @param partsOf what the editor shows of a record
 */
function search(
	fetchPage: (client: ReadClient, index: number | undefined) => Promise<Page>,
	partsOf: (record: IDataObject) => unknown[],
) {
	return method(async (client, filter, token) => {
		const end = Date.now() + MAX_SEARCH_MS;
		let index = token === undefined ? undefined : Number(token);
		for (;;) {
			const { items, pageIndex = index ?? 1, totalPages = 1 } = await fetchPage(client, index);
			// A service that has only one page to give would be asked without end.
			if (index !== undefined && pageIndex !== index) return { results: [] };
			index = pageIndex + 1;
			const records = items.map((record) => ({
				name: joined(partsOf(record)),
				// What the operations take: a message has two identifiers, the other records one.
				value: shownText(record.newId ?? record.storageID ?? record.id),
			}));
			const results = matching(records, filter);
			// Where the first index is 0, one more page is read, which has no records.
			if (items.length === 0 || index > totalPages) return { results };
			if (results.length > 0 || Date.now() >= end) {
				return { results, paginationToken: String(index) };
			}
		}
	});
}

/**
 * Searches all campaigns, the newest first. Nobody knows in which order the service lists them, so
 * they are read before they are shown.
 * @param started the field that says when a campaign starts
 */
function searchCampaigns(
	path: string,
	started: 'startDate' | 'startDateTime',
	partsOf: (record: IDataObject) => unknown[],
) {
	return method(async (client, filter) => {
		const campaigns = await readList(envelopeList(client, path, PAGE_SIZE));
		const results = orderBy(campaigns, [started], ['desc']).map((campaign) => ({
			name: joined(partsOf(campaign)),
			value: shownText(campaign.id),
		}));
		return { results: matching(results, filter) };
	});
}

/** The values of a field of the voice campaigns, each with the latest campaign that has it. */
function ofEarlierCampaigns(field: 'callFlow_Id' | 'cli_id') {
	return method(async (client, filter) => {
		const campaigns = await client.records({ method: 'GET', path: '/api/campaigns/voice' });
		const latest = new Map<string, string>();
		for (const campaign of orderBy(campaigns, ['startDate', 'id'], ['desc', 'desc'])) {
			const value = shownText(campaign[field]);
			const name = joined([value, campaign.name, day(campaign.startDate)]);
			if (value !== '' && !latest.has(value)) latest.set(value, name);
		}
		const results = [...latest].map(([value, name]) => ({ name, value }));
		return { results: matching(results, filter) };
	});
}

export const searchSmsCampaigns = searchCampaigns(
	'/api/Campaigns',
	'startDateTime',
	({ startDateTime, sender, message }) => [minute(startDateTime), sender, beginning(message)],
);

export const searchSmsMessages = search(
	async (client, index) => await messageList(client, SEARCH_PAGE_SIZE).fetchPage(index),
	({ phoneNumber, dateCreated, message }) => [phoneNumber, minute(dateCreated), beginning(message)],
);

export const searchVoiceCampaigns = searchCampaigns(
	'/api/campaigns/voice/p',
	'startDate',
	({ name, startDate }) => [name, day(startDate)],
);

export const searchStoredNumbers = search(
	async (client, index) => {
		const pageIndex = index ?? (await firstStoragePage(client, SEARCH_PAGE_SIZE));
		return { ...(await storagePage(client, SEARCH_PAGE_SIZE, pageIndex)), pageIndex };
	},
	({ storageID, number }) => [number, storageID],
);

export const searchCallFlows = ofEarlierCampaigns('callFlow_Id');

export const searchClis = ofEarlierCampaigns('cli_id');

/** The countries that have a numbering plan, by their English names. */
export async function getCountries(): Promise<INodePropertyOptions[]> {
	return await Promise.resolve(countryOptions());
}
