import { Failure } from '../../failure';
import { ask, counted, failed, ok, set, type Finding } from './finding';
import { idOf, listIn, type List } from './lists';
import type { Probe } from './probe';

const SIZE = 'Which parameter sets the size of a page?';
const INDEX = 'Which parameter chooses a page?';
const LARGEST = 'How large may a page be?';
const FIRST = 'Does the first page have 0 or 1?';

/** Usual names, tried in this order after the one in the credential. */
const SIZE_NAMES = ['pageSize', 'PageSize', 'size', 'limit', 'per_page', 'perPage', 'count'];
const INDEX_NAMES = ['pageIndex', 'page', 'pageNumber', 'PageIndex', 'PageNumber', 'offset'];

/** Names that count records in many services, not pages. */
const OF_RECORDS = ['offset'];

/** Searches in the editor and the triggers read pages of this size. */
const USUAL_SIZE = 1000;

/** What was found out about pages. */
export interface Paging {
	findings: Finding[];
	/** The longest page that was read. */
	longest: List;
	/** Reads a page by its index; undefined where no parameter chooses one. */
	pageAt: ((index: number) => Promise<List | undefined>) | undefined;
}

/** Finds out how a list with several records is paged. */
export async function readPaging(probe: Probe, list: List): Promise<Paging> {
	const pages = new Pages(probe, list);
	const sizeName = await pages.sizeName();
	const indexName = await pages.indexName(sizeName);
	const { settings } = probe.client;
	const sized = sizeName === undefined ? {} : { [sizeName]: USUAL_SIZE };
	const largest = sizeName === undefined ? undefined : await pages.read(sized);
	const longest = largest ?? list;
	return {
		findings: [
			nameFinding(INDEX, 'Page Index Parameter', settings.pageIndexParameter, indexName),
			nameFinding(SIZE, 'Page Size Parameter', settings.pageSizeParameter, sizeName),
			largestFinding(sizeName, largest, list),
			firstFinding(await pages.firstIndex(sizeName, indexName)),
		],
		longest,
		pageAt:
			indexName === undefined
				? undefined
				: async (index) => await pages.read({ ...sized, [indexName]: index }),
	};
}

/** The same questions where the service did not respond to one of them. */
export function failedPaging(found: string): Finding[] {
	return [INDEX, SIZE, LARGEST, FIRST].map((question) =>
		failed(question, found, 'Check again later.'),
	);
}

/** The same questions where no list has two records. */
export function untriedPaging(): Finding[] {
	const found = 'not tried: no list has two records';
	const advice = {
		[INDEX]: 'Which query parameter chooses the page of a list?',
		[SIZE]: 'Which query parameter sets the number of records per page?',
		[LARGEST]: `May a page of a list have ${USUAL_SIZE.toLocaleString('en-US')} records?`,
	};
	return [
		...Object.entries(advice).map(([question, text]) => ask(question, found, text)),
		ok(FIRST, found, 'n8n finds it out when it reads a list.'),
	];
}

/** Pages of one list. */
class Pages {
	private readonly probe: Probe;
	private readonly list: List;

	constructor(probe: Probe, list: List) {
		this.probe = probe;
		this.list = list;
	}

	/** A page; undefined where the service refuses the query. @throws Failure where it says nothing about it */
	async read(query: Record<string, number>): Promise<List | undefined> {
		const { kind, path } = this.list;
		const look = await this.probe.look(path, query);
		const isRefusal = /^4\d\d$/.test(look.status ?? '') && look.status !== '429';
		if (look.problem !== undefined && !isRefusal) throw new Failure(look.problem, '');
		return listIn(kind, path, look);
	}

	/** The parameter with which a page has one record. */
	async sizeName(): Promise<string | undefined> {
		return await this.first(
			this.probe.client.settings.pageSizeParameter,
			SIZE_NAMES,
			async (name) => {
				const page = await this.read({ [name]: 1 });
				return page?.records.length === 1;
			},
		);
	}

	/** The parameter with which the third page, or the second one, is not the first. */
	async indexName(sizeName: string | undefined): Promise<string | undefined> {
		const size = sizeName === undefined ? {} : { [sizeName]: 1 };
		const own = this.probe.client.settings.pageIndexParameter;
		return await this.first(own, INDEX_NAMES, async (name) => {
			const page = await this.read({ ...size, [name]: 2 });
			if (page === undefined || idOf(page.records[0]) === this.firstId) return false;
			return !OF_RECORDS.includes(name) || (await this.isOfPages(name, sizeName));
		});
	}

	/** The index with which the first record comes; undefined where that cannot be told. */
	async firstIndex(sizeName?: string, indexName?: string): Promise<number | undefined> {
		const { firstPage } = this.list;
		if (indexName === undefined) return firstPage;
		const size = sizeName === undefined ? {} : { [sizeName]: 1 };
		// 1 before 0: a service may take 0 for its first page 1.
		for (const index of firstPage === undefined ? [1, 0] : [firstPage]) {
			const page = await this.read({ ...size, [indexName]: index });
			if (idOf(page?.records[0]) === this.firstId) return index;
		}
		return undefined;
	}

	private get firstId(): unknown {
		return idOf(this.list.records[0]);
	}

	/** Whether a name that may count records counts pages: page 1 of two begins with the first or third one. */
	private async isOfPages(name: string, sizeName: string | undefined): Promise<boolean> {
		if (sizeName === undefined) return false;
		const page = await this.read({ [sizeName]: 2, [name]: 1 });
		return page !== undefined && idOf(page.records[0]) !== idOf(this.list.records[1]);
	}

	/** The first name that works, that of the credential before the others. */
	private async first(
		own: string,
		others: readonly string[],
		works: (name: string) => Promise<boolean>,
	): Promise<string | undefined> {
		for (const name of new Set([own, ...others])) if (await works(name)) return name;
		return undefined;
	}
}

/** Whether the name in the credential is the one that works. */
function nameFinding(
	question: string,
	setting: string,
	own: string,
	name: string | undefined,
): Finding {
	if (name === own) return ok(question, name);
	if (name !== undefined) {
		const advice = 'Switch on Service Conventions in the credential and enter it there.';
		return set(question, `${own} is ignored, ${name} works`, { setting, value: name, advice });
	}
	return ask(
		question,
		`${own} and the usual names are ignored`,
		question === INDEX
			? 'Which query parameter chooses the page of a list by its number?'
			: 'Which query parameter sets the number of records per page?',
	);
}

function largestFinding(
	sizeName: string | undefined,
	largest: List | undefined,
	{ total, records }: List,
): Finding {
	const size = USUAL_SIZE.toLocaleString('en-US');
	if (sizeName === undefined) {
		return ok(LARGEST, `${counted(records.length, 'record')}, which cannot be changed`);
	}
	if (largest === undefined) {
		const advice = `Can a page of a list have ${size} records? Searches in n8n and its triggers read such pages.`;
		return failed(LARGEST, `a page of ${size} is refused`, advice);
	}
	const { length } = largest.records;
	const isCut = length < USUAL_SIZE && length < (total ?? length);
	return ok(LARGEST, isCut ? `${length}: longer ones are cut` : `${size} and perhaps more`);
}

function firstFinding(index: number | undefined): Finding {
	return index === undefined
		? ask(
				FIRST,
				'neither by what the response says, nor by 0 or 1',
				'Does the first page of a list have the index 0 or 1?',
			)
		: ok(FIRST, String(index), 'n8n finds it out when it reads a list.');
}
