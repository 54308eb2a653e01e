import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { connect } from '../transport/request';

function text(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function describe(campaign: IDataObject): string {
	const message = text(campaign.message).replace(/\s+/g, ' ').slice(0, 60);
	const start = text(campaign.startDateTime).slice(0, 16).replace('T', ' ');
	return [start, text(campaign.sender), message].filter((part) => part !== '').join(' - ');
}

/**
 * SMS campaigns for the "From List" mode of a resource locator, one page at a time.
 * @param filter what the user typed; compared with start, sender, message and ID
 * @param paginationToken index of the page to load; the first call has none
 */
export async function searchSmsCampaigns(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const client = await connect(this);
	const page = await client.record({
		method: 'GET',
		path: '/api/Campaigns',
		query: paginationToken === undefined ? {} : { pageIndex: paginationToken },
	});
	const items = Array.isArray(page.items) ? (page.items as IDataObject[]) : [];
	const wanted = filter?.trim().toLowerCase() ?? '';
	const results = items
		.map((campaign) => ({ name: describe(campaign), value: text(campaign.id) }))
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
	const index = Number(page.pageIndex);
	const isLast = items.length === 0 || !(index < Number(page.totalPages));
	return { results, paginationToken: isLast ? undefined : String(index + 1) };
}
