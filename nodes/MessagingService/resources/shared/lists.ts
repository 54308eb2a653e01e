import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { readList, toPage } from '../../transport/paginate';
import type { OperationCall } from '../define';
import { InputError } from './inputError';

const LIST_OPTIONS = 'Options';
const DEFAULT_PAGE_SIZE = 100;
/** As many as requests at once by default; a lower number of those holds here as well. */
export const PAGES_AT_ONCE = 10;

/** "Return All" and "Limit", as every list of n8n has them. */
export const limitFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

export const pageSizeOption: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_PAGE_SIZE,
	description: 'How many records to fetch per request',
};

const nameAndValue: INodeProperties[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. status',
		description: 'Name of the query parameter, as the service operator told you',
	},
	{ displayName: 'Value', name: 'value', type: 'string', default: '' },
];

/** The fields of a list whose paging, filtering and sorting travel in the query. */
export const pagedListFields: INodeProperties[] = [
	...limitFields,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Filter',
		default: {},
		description: 'Query parameters that narrow the list down',
		options: [{ displayName: 'Filter', name: 'parameter', values: nameAndValue }],
	},
	{
		displayName: LIST_OPTIONS,
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [pageSizeOption],
	},
	{
		displayName: 'Sorting',
		name: 'sorting',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Sort Parameter',
		default: {},
		description: 'Query parameters that order the list',
		options: [{ displayName: 'Sort Parameter', name: 'parameter', values: nameAndValue }],
	},
];

/** Number of records wanted; undefined for all. */
export function readLimit({ parameters }: OperationCall): number | undefined {
	if (parameters.value('returnAll', 'Return All') === true) return undefined;
	return positiveInteger(parameters.value('limit', 'Limit'), 'Limit');
}

/** The page size the user set, or one that suits the limit. */
export function readPageSize(
	call: OperationCall,
	limit: number | undefined,
	defaultSize = DEFAULT_PAGE_SIZE,
): number {
	const { pageSize } = call.parameters.collection('options', LIST_OPTIONS);
	if (pageSize !== undefined) return positiveInteger(pageSize, 'Page Size');
	return Math.min(limit ?? defaultSize, defaultSize);
}

export function positiveInteger(value: unknown, label: string): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isSafeInteger(number) && number > 0) return number;
	throw new InputError(label, 'is not a positive whole number', 'Enter a number like 50.');
}

/** Reads a list in the paginated envelope, with paging, filters and sorting in the query. */
export async function readPagedList(
	call: OperationCall,
	path: string,
	key: string,
): Promise<IDataObject[]> {
	const { client } = call;
	const limit = readLimit(call);
	const pageSize = readPageSize(call, limit);
	const { pageIndexParameter, pageSizeParameter } = client.settings;
	const chosen = queryParameters(call);
	return await readList({
		limit,
		pagesAtOnce: PAGES_AT_ONCE,
		keyOf: (record) => record[key],
		fetchPage: async (pageIndex) =>
			toPage(
				await client.page({
					method: 'GET',
					path,
					query: {
						...chosen,
						[pageSizeParameter]: pageSize,
						...(pageIndex === undefined ? {} : { [pageIndexParameter]: pageIndex }),
					},
				}),
			),
	});
}

function queryParameters({ parameters }: OperationCall): IDataObject {
	// A map: no name of the user's means anything to it.
	const query = new Map<string, string[]>();
	for (const [name, label] of [
		['filters', 'Filters'],
		['sorting', 'Sorting'],
	] as const) {
		const { parameter } = parameters.collection(name, label);
		for (const entry of Array.isArray(parameter) ? (parameter as IDataObject[]) : []) {
			const parameterName = String(entry.name ?? '').trim();
			if (parameterName === '') {
				throw new InputError(
					label,
					'has an entry without a name',
					'Fill in the name or remove it.',
				);
			}
			query.set(parameterName, [...(query.get(parameterName) ?? []), String(entry.value ?? '')]);
		}
	}
	return Object.fromEntries(query);
}
