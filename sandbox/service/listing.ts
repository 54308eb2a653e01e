import type { SQLInputValue } from 'node:sqlite';
import type { Database } from './database.ts';

/** A condition with its value; conditions whose value is undefined do not count. */
export type Condition = [sql: string, value: SQLInputValue | undefined];

/** What to read of a table or view. */
export interface ListRequest {
	from: string;
	columns: string;
	/** The column that the order of creation can be told by. */
	key: string;
	conditions?: Condition[];
	/** The order; by the key unless given. */
	order?: string;
	limit: number;
	offset?: number;
}

/** Some records of a list, and how many there are in all. The keys are chosen first: indexes hold them. */
export const readList = <Item>(
	database: Database,
	{ from, columns, key, conditions = [], order = key, limit, offset = 0 }: ListRequest,
): { total: number; items: Item[] } => {
	const given = conditions.filter(
		(condition): condition is [string, SQLInputValue] => condition[1] !== undefined,
	);
	const where = given.map(([sql]) => sql).join(' AND ') || '1';
	const values = given.map(([, value]) => value);
	const total = database.number(`SELECT count(*) AS n FROM ${from} WHERE ${where}`, ...values);
	const items = database.all<Item>(
		`SELECT ${columns} FROM ${from} WHERE ${key} IN (
			SELECT ${key} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?
		) ORDER BY ${order}`,
		...values,
		Math.min(limit, Number.MAX_SAFE_INTEGER),
		Math.min(offset, Number.MAX_SAFE_INTEGER),
	);
	return { total: total ?? 0, items };
};
