import { ErrorCollector } from './errors.ts';
import type { Service, ServiceCall } from './service.ts';
import type { Row } from './database.ts';

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
	/** Records are wanted that have these values, compared as text. */
	filter?: Record<string, unknown>;
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

/** One page of a resource. */
export const readPage = (service: Service, request: PageRequest): Page => {
	const { database, settings } = service;
	const { newestFirst } = settings.current.conventions;
	const { offset, limit, pageIndex } = pageBounds(service, request.pageIndex, request.pageSize);
	const filters = Object.entries(request.filter ?? {});
	const where = filters.map(([field]) => `CAST("${field}" AS TEXT) = ? COLLATE NOCASE`);
	const condition = where.length > 0 ? `WHERE ${where.join(' AND ')}` : '';
	const values = filters.map(([, value]) => String(value));
	const sortField = request.sort?.replace(/^-/, '');
	const direction = request.sort?.startsWith('-') ? 'DESC' : 'ASC';
	const order = [
		...(sortField ? [`"${sortField}" ${direction}`] : []),
		`seq ${!sortField && newestFirst ? 'DESC' : 'ASC'}`,
	].join(', ');
	const totalRecords =
		database.number(`SELECT count(*) AS n FROM ${request.source} ${condition}`, ...values) ?? 0;
	const columns = request.fields.map((field) => `"${field}"`).join(', ');
	const items = database.all(
		`SELECT ${columns} FROM ${request.source} ${condition} ORDER BY ${order} LIMIT ? OFFSET ?`,
		...values,
		limit,
		offset,
	);
	return { pageIndex, totalPages: Math.ceil(totalRecords / limit), totalRecords, items };
};

/** One page as a list operation's query asks for it, further restricted by `where`. */
export const listPage = (
	service: Service,
	{ operation, query }: ServiceCall,
	source: string,
	fields: string[],
	where: Record<string, unknown> = {},
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
		errors.add(conventions.sortName, `The list has no field '${String(sort)}'.`);
	}
	errors.throwIfAny();
	return readPage(service, {
		source,
		fields,
		pageIndex: Number(pageIndex),
		pageSize: Number(pageSize),
		filter: { ...filter, ...where },
		sort: sort === undefined ? undefined : String(sort),
	});
};
