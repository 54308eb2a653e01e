import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { OperationInput } from '../../parameters/operationInput';
import { Failure } from '../../failure';
import { isDroppedName, shown } from '../../texts';
import { envelopeList, PAGE_SIZE, type ListRequest } from '../../transport/listRequests';
import { readList } from '../../transport/paginate';
import type { ServiceSettings } from '../../transport/settings';
import { entriesOf, readText } from '../../parameters/values';

const returnAllField = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
} satisfies INodeProperties;

const limitField = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
} satisfies INodeProperties;

/** "Return All" and "Limit", as every list of n8n has them. */
export const limitFields: INodeProperties[] = [returnAllField, limitField];

export const pageSizeOption = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: PAGE_SIZE,
	description: 'How many records to fetch per request',
} satisfies INodeProperties;

/** "Page Size" of Get Summary, whose lists are read to their end. */
export const summaryPageSize = { ...pageSizeOption, default: 2000 };

/** How many records Get Summary reads with one request. */
export function readSummaryPageSize({ parameters }: OperationInput): number {
	return parameters.member('options', summaryPageSize) ?? summaryPageSize.default;
}

const nameAndValue: INodeProperties[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. status',
		description: 'Name of the query parameter. Ask the service operator which there are.',
	},
	{ displayName: 'Value', name: 'value', type: 'string', default: '' },
];

const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Filter',
	default: {},
	description: 'Query parameters that filter the list',
	options: [{ displayName: 'Filter', name: 'parameter', values: nameAndValue }],
};

/** "Filters" for the list of SMS messages that a summary or the poll trigger reads. */
export const messageFiltersField: INodeProperties = {
	...filtersField,
	description: 'Query parameters that narrow down the list of SMS messages',
};

/** n8n has sorting below Options. */
export const sortingField = {
	displayName: 'Sorting',
	name: 'sorting',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Sort Parameter',
	default: {},
	description: 'Query parameters that sort the list',
	options: [{ displayName: 'Sort Parameter', name: 'parameter', values: nameAndValue }],
} satisfies INodeProperties;

/** The fields of a list whose paging, filtering and sorting are query parameters. */
export const pagedListFields: INodeProperties[] = [...limitFields, filtersField, sortingField];

/** Its options: of use only to whom reads all of it. */
export const pagedListOptions = {
	options: [pageSizeOption],
	showOptions: { show: { returnAll: [true] } },
};

/** Number of results wanted; undefined for all. */
export function readLimit({ parameters }: OperationInput): number | undefined {
	return parameters.read(returnAllField) ? undefined : parameters.read(limitField);
}

/** The page size that suits a limit, where the user set none. */
export function pageSizeFor(limit: number | undefined): number {
	return Math.min(limit ?? PAGE_SIZE, PAGE_SIZE);
}

/** Reads a list, and notes where Limit ends it before its end. */
export async function readLimitedList(
	input: OperationInput,
	request: ListRequest,
): Promise<IDataObject[]> {
	let total: number | undefined;
	const records = await readList({
		...request,
		fetchPage: async (pageIndex) => {
			const page = await request.fetchPage(pageIndex);
			total = page.totalRecords ?? total;
			return page;
		},
	});
	const { length } = records;
	if (length === request.limit && length < (total ?? 0))
		input.noteCut?.({ returned: length, total });
	return records;
}

/** Reads a list in the paginated envelope, with paging, filters and sorting in the query. */
export async function readPagedList(input: OperationInput, path: string): Promise<IDataObject[]> {
	const { client, parameters } = input;
	const limit = readLimit(input);
	const pageSize = parameters.member('options', pageSizeOption) ?? pageSizeFor(limit);
	const read = (name: string, field: string, entry: string) =>
		readQueryEntries(parameters.value(name, field), client.settings, { field, entry });
	const query = toQuery([
		...read('filters', 'Filters', 'Filter'),
		...read('sorting', 'Sorting', 'Sort Parameter'),
	]);
	return await readLimitedList(input, { ...envelopeList(client, path, pageSize, query), limit });
}

/**
 * The query parameters of the field "Filters", or of one like it.
 * @throws Failure for an entry that is wrong
 */
export function readFilters(
	value: unknown,
	settings: ServiceSettings,
	field = 'Filters',
): IDataObject {
	return toQuery(readQueryEntries(value, settings, { field, entry: 'Filter' }));
}

/** @throws Failure for an entry without a name or a value, and for one that would choose the page */
function readQueryEntries(
	value: unknown,
	{ pageIndexParameter, pageSizeParameter }: ServiceSettings,
	{ field, entry }: { field: string; entry: string },
): [string, string][] {
	return entriesOf(value, 'parameter', field).map((item, index) => {
		const place = `${entry} ${index + 1}`;
		const { name, value: content } = item as IDataObject;
		const label = `Name of ${place}`;
		const parameter = readText(name, label).trim();
		if (isDroppedName(parameter)) {
			throw Failure.ofField(label, `cannot be "${parameter}"`, 'Enter another name.');
		}
		if (parameter === pageIndexParameter || parameter === pageSizeParameter) {
			throw Failure.ofField(
				field,
				`cannot set "${shown(parameter)}"`,
				'The node itself chooses the pages of the list: remove the entry.',
			);
		}
		const isFlag = typeof content === 'boolean';
		return [parameter, isFlag ? String(content) : readText(content, `Value of ${place}`)];
	});
}

/** A name may occur several times. */
function toQuery(entries: readonly [name: string, value: string][]): IDataObject {
	// A map: no name that the user enters means anything to it.
	const query = new Map<string, string[]>();
	for (const [name, value] of entries) query.set(name, [...(query.get(name) ?? []), value]);
	return Object.fromEntries(query);
}
