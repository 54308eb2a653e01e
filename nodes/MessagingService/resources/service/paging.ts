import { maxBy } from 'lodash';
import { Failure } from '../../failure';
import { counted, messageOf } from '../../texts';
import { PAGE_SIZE } from '../../transport/listRequests';
import type { ObservingClient } from '../../transport/request';
import { ask, failed, ok, set, type Finding } from './finding';
import { idOf, isOfMessages, listIn, look, type List } from './probe';

/** Each question about pages, and what to ask the operator where no list can tell. */
const SIZE = {
	question: 'Which parameter sets the size of a page?',
	setting: 'Page Size Parameter',
	advice: 'Which query parameter sets the number of records per page?',
};
const INDEX = {
	question: 'Which parameter chooses a page?',
	setting: 'Page Index Parameter',
	advice: 'Which query parameter chooses the page of a list by its number?',
};
const LARGEST = {
	question: 'How large may a page be?',
	advice:
		'May a page of a list have 1,000 records? Searches in n8n and its triggers read such pages.',
};

/** Usual names, tried in this order after the one in the credential. */
const SIZE_NAMES = ['pageSize', 'PageSize', 'size', 'limit', 'per_page', 'perPage', 'count'];
const INDEX_NAMES = ['pageIndex', 'page', 'pageNumber', 'PageIndex', 'PageNumber'];

/** What was found out about pages. */
export interface Paging {
	findings: Finding[];
	/** The largest page of the list that they were found out with. */
	largest?: List | undefined;
	/** Reads its last page; undefined where no parameter chooses one. */
	readLast?: (() => Promise<List | undefined>) | undefined;
}

/** Finds out how lists are paged, with one that has several records: that of messages, or the longest. */
export async function readPaging(client: ObservingClient, lists: readonly List[]): Promise<Paging> {
	const paged = lists.filter(
		({ records, pageIndex, total }) => records.length > 1 && (pageIndex ?? total) !== undefined,
	);
	const list =
		paged.find((each) => isOfMessages(each) && each.records.length > 2) ??
		maxBy(paged, ({ records }) => records.length);
	if (list === undefined) {
		const found = 'not tried: no list that was read has two records';
		return {
			findings: [INDEX, SIZE, LARGEST].map((each) => ask(each.question, found, each.advice)),
		};
	}
	try {
		return await pagingOf(client, list);
	} catch (error) {
		const found = messageOf(error);
		return {
			findings: [INDEX, SIZE, LARGEST].map((each) =>
				failed(each.question, found, 'Check again later.'),
			),
		};
	}
}

async function pagingOf(client: ObservingClient, list: List): Promise<Paging> {
	const { pageIndexParameter, pageSizeParameter } = client.settings;
	const read = async (query: Record<string, number>) => await readPage(client, list, query);
	const sizeName = await firstThat(new Set([pageSizeParameter, ...SIZE_NAMES]), async (name) => {
		const page = await read({ [name]: 1 });
		return page?.records.length === 1;
	});
	const withSize = (size: number) => (sizeName === undefined ? {} : { [sizeName]: size });
	const indexName = await firstThat(new Set([pageIndexParameter, ...INDEX_NAMES]), async (name) => {
		const page = await read({ ...withSize(1), [name]: 2 });
		return page !== undefined && idOf(page.records[0]) !== idOf(list.records[0]);
	});
	const largest = sizeName === undefined ? list : await read(withSize(PAGE_SIZE));
	const { pageIndex: first = 1, totalPages = 1 } = largest ?? list;
	return {
		findings: [
			nameFinding(INDEX, pageIndexParameter, indexName),
			nameFinding(SIZE, pageSizeParameter, sizeName),
			largestFinding(sizeName, largest, list),
		],
		largest: largest ?? list,
		readLast:
			indexName === undefined
				? undefined
				: async () => await read({ ...withSize(PAGE_SIZE), [indexName]: first + totalPages - 1 }),
	};
}

/** A page of a list; undefined where the service refuses the query. @throws Failure where it says nothing about it */
async function readPage(
	client: ObservingClient,
	{ path }: List,
	query: Record<string, number>,
): Promise<List | undefined> {
	const response = await look(client, { path, query });
	const isRefusal = /^4\d\d$/.test(response.status ?? '') && response.status !== '429';
	if (response.problem !== undefined && !isRefusal) throw new Failure(response.problem, '');
	return listIn(path, response);
}

async function firstThat(
	names: Iterable<string>,
	works: (name: string) => Promise<boolean>,
): Promise<string | undefined> {
	for (const name of names) if (await works(name)) return name;
	return undefined;
}

/** @param own the name in the credential; @param name the one that works, if one does */
function nameFinding(
	{ question, setting, advice }: typeof SIZE,
	own: string,
	name: string | undefined,
): Finding {
	if (name === own) return ok(question, name);
	return name === undefined
		? ask(question, `${own} and the usual names are ignored`, advice)
		: set(question, `${own} is ignored, ${name} works`, setting, name);
}

function largestFinding(
	sizeName: string | undefined,
	largest: List | undefined,
	{ total, records }: List,
): Finding {
	const { question, advice } = LARGEST;
	if (sizeName === undefined) {
		return ok(question, `${counted(records.length, 'record')}, which cannot be changed`);
	}
	if (largest === undefined) return failed(question, 'a page of 1,000 is refused', advice);
	const { length } = largest.records;
	const isCut = length < PAGE_SIZE && length < (total ?? length);
	return ok(question, isCut ? `${length}: longer ones are cut` : '1,000 and perhaps more');
}
