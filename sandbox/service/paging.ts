import { ErrorCollector } from './errors.ts';
import type { Service, ServiceCall } from './service.ts';
import type { Row } from './database.ts';
import { readList, type Condition } from './listing.ts';

/** The paginated envelope (interface: "Paginated envelope"). */
export interface Page {
	pageIndex: number;
	totalPages: number;
	totalRecords: number;
	items: Row[];
}

/** What a page is made of. */
export interface PageRequest {
	/** A view of the store whose columns are the resource's fields, plus `seq`. */
	source: string;
	/** The resource's fields, in their order. */
	fields: string[];
	pageIndex: number;
	pageSize: number;
	/** Records are wanted that have these values, compared as text without regard to case. */
	filter?: Record<string, unknown>;
	/** Records are wanted that have exactly this value. */
	parent?: { field: string; value: string } | undefined;
	/** A field, with a minus sign before it for descending order. */
	sort?: string | undefined;
}

/** Which rows of a page request are wanted: where it begins and how many. */
export const pageBounds = (
	{ settings }: Service,
	pageIndex: number,
	pageSize: number,
): { offset: number; limit: number; pageIndex: number } => {
	const { firstPageIndex, maximumPageSize, ignorePaging } = settings.current.conventions;
	const limit = Math.min(pageSize, maximumPageSize ?? pageSize);
	const index = ignorePaging ? firstPageIndex : pageIndex;
	return { offset: (index - firstPageIndex) * limit, limit, pageIndex: index };
};

const ORDERS = { newestLast: 'seq', newestFirst: 'seq DESC', none: 'seq * 7919 % 10007' };

/** One page of a resource. */
export const readPage = (service: Service, request: PageRequest): Page => {
	const { database } = service;
	const { offset, limit, pageIndex } = pageBounds(service, request.pageIndex, request.pageSize);
	const conditions = Object.entries(request.filter ?? {}).map(([field, value]): Condition => [
		`CAST("${field}" AS TEXT) = ? COLLATE NOCASE`,
		String(value),
	]);
	if (request.parent) conditions.unshift([`${request.parent.field} = ?`, request.parent.value]);
	const sortField = request.sort?.replace(/^-/, '');
	const direction = request.sort?.startsWith('-') ? 'DESC' : 'ASC';
	const { total: totalRecords, items } = readList<Row>(database, {
		from: request.source,
		columns: request.fields.map((field) => `"${field}"`).join(', '),
		key: 'seq',
		conditions,
		order: sortField
			? `"${sortField}" ${direction}, seq`
			: ORDERS[service.settings.current.conventions.listOrder],
		limit,
		offset,
	});
	return { pageIndex, totalPages: Math.ceil(totalRecords / limit), totalRecords, items };
};

/** One page as a list operation's query asks for it, of the records that belong to `parent`, if given. */
export const listPage = (
	service: Service,
	{ operation, query }: ServiceCall,
	source: string,
	fields: string[],
	parent?: { field: string; value: string },
): Page => {
	const { conventions } = service.settings.current;
	const { pageIndex = conventions.firstPageIndex, pageSize = conventions.defaultPageSize } = query;
	const { sort, ...rest } = query;
	const filter = Object.fromEntries(
		Object.entries(rest).filter(([name]) => operation.filterFields.includes(name)),
	);
	const errors = new ErrorCollector();
	if (Number(pageIndex) < conventions.firstPageIndex) {
		errors.add(
			conventions.pageIndexName,
			`The first page is ${String(conventions.firstPageIndex)}.`,
		);
	}
	if (sort !== undefined && !fields.includes(String(sort).replace(/^-/, ''))) {
		errors.add('sort', `The list has no field '${String(sort)}'.`);
	}
	errors.throwIfAny();
	return readPage(service, {
		source,
		fields,
		pageIndex: Number(pageIndex),
		pageSize: Number(pageSize),
		filter,
		parent,
		sort: sort === undefined ? undefined : String(sort),
	});
};
