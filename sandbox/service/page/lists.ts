import type { SQLInputValue } from 'node:sqlite';
import { html, type Html, type Part } from './html.ts';
import { amount, live, section, table, type Column } from './parts.ts';
import { addressOf, everything, type View } from './view.ts';

const rowsOfOverview = 5;
const rowsOfList = 50;

/** A list of records, the newest first. */
export interface ListDefinition<Row extends { key: number }> {
	/** Its name in the address. */
	id: string;
	title: string;
	/** What to do so that there is something. */
	empty: Part;
	/** What to read: tables of the store, and their columns besides the key. */
	from: string;
	select?: string;
	/** The column that the order of creation can be told by. */
	key: string;
	/** What it can be narrowed down by: parameters of the address, with their columns. */
	filters?: Record<string, { column: string; label: string }>;
	/** The columns that a search looks into. */
	search: string[];
	/** How many records to show beside the other lists; 5 unless given. */
	latest?: number;
	/** Links to narrowed down views. */
	views?: Part;
	/** Makes a row of what was read, where a row is more than that. */
	complete?: (row: { key: number }, view: View) => Row;
	columns: (view: View) => Column<Row>[];
}

/** A list of the page, ready to be shown. */
export interface List {
	id: string;
	title: string;
	/** Parameters of the address that narrow it down. */
	filters: string[];
	/** The latest records, or those that the view asks for. */
	show: (view: View) => Html;
}

const conditionsOf = <Row extends { key: number }>(
	{ id, filters = {}, search: columns }: ListDefinition<Row>,
	view: View,
) => {
	const { filters: given, list, search } = view.selection;
	const text = `concat_ws(char(10), ${columns.join(', ')})`;
	return [
		...Object.entries(filters).flatMap(([name, { column, label }]) => {
			const value = list === id ? given[name] : undefined;
			return value === undefined
				? []
				: [{ sql: `${column} = ?`, label: `, ${label} ${value}`, value }];
		}),
		...(search === ''
			? []
			: [
					{ sql: `instr(lower(${text}), lower(?)) > 0`, label: ` with '${search}'`, value: search },
				]),
	];
};

const captionOf = (shown: number, total: number, isOlder: boolean, narrowed: string): string => {
	const all = `${amount(total)}${narrowed}`;
	if (isOlder) return `${amount(shown)} of ${all}, older`;
	return shown < total ? `Latest ${amount(shown)} of ${all}` : `${all}, latest first`;
};

/** The rows that a view asks for, and how many there are in all. */
const read = <Row extends { key: number }>(
	list: ListDefinition<Row>,
	view: View,
	page: { before: number | undefined; limit: number },
): { total: number; rows: Row[] } => {
	const { database } = view.service;
	const { before, limit } = page;
	const conditions = conditionsOf(list, view);
	const clauses = conditions.map(({ sql }) => sql);
	const values: SQLInputValue[] = conditions.map(({ value }) => value);
	const where = (all: string[]) => (all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`);
	const columns = [`${list.key} AS key`, list.select].filter((part) => part !== undefined);
	const total = database.number(
		`SELECT count(*) AS n FROM ${list.from} ${where(clauses)}`,
		...values,
	);
	const found = database.all<Row>(
		`SELECT ${columns.join(', ')} FROM ${list.from}
		${where(before === undefined ? clauses : [...clauses, `${list.key} < ?`])}
		ORDER BY ${list.key} DESC LIMIT ?`,
		...values,
		...(before === undefined ? [] : [before]),
		limit,
	);
	const { complete } = list;
	return {
		total: total ?? 0,
		rows: complete ? found.map((row) => complete(row, view)) : found,
	};
};

/** Where to go from a list. `older` is the key of the last row if there may be older ones. */
const linksOf = (
	id: string,
	{ selection }: View,
	{ older, isNarrowed, isCut }: { older: number | undefined; isNarrowed: boolean; isCut: boolean },
): Html[] => {
	const { before, list, search } = selection;
	const whole = { ...everything, list: id };
	if (list !== id) {
		return isCut ? [html`<a href="${addressOf({ ...whole, search })}">Show more</a>`] : [];
	}
	const here = { ...selection, before: undefined };
	return [
		html`<a href="/#${id}">Back to everything</a>`,
		isNarrowed && html`<a href="${addressOf(whole)}">Show all</a>`,
		before !== undefined && html`<a href="${addressOf(here)}">Latest</a>`,
		older !== undefined &&
			html`<a href="${addressOf({ ...here, before: older })}" rel="next">Older</a>`,
	].filter((link) => link !== false);
};

const show = <Row extends { key: number }>(list: ListDefinition<Row>, view: View): Html => {
	const isAlone = view.selection.list === list.id;
	const limit = isAlone ? rowsOfList : (list.latest ?? rowsOfOverview);
	const before = isAlone ? view.selection.before : undefined;
	const { total, rows } = read(list, view, { before, limit });
	const conditions = conditionsOf(list, view);
	const narrowed = conditions.map(({ label }) => label).join('');
	const isNarrowed = conditions.length > 0;
	const links = linksOf(list.id, view, {
		older: rows.length === limit ? rows.at(-1)?.key : undefined,
		isNarrowed,
		isCut: total > rows.length,
	});
	const nothing = html`<p class="empty">
		${isNarrowed || before !== undefined ? `Nothing here${narrowed}.` : list.empty}
	</p>`;
	const caption = captionOf(rows.length, total, before !== undefined, narrowed);
	return section(
		view,
		list.id,
		list.title,
		live(
			`${list.id}-live`,
			html`${rows.length === 0 ? nothing : table(caption, list.columns(view), rows)}
			${
				links.length > 0 &&
				html`<p class="links">${links.map((link) => html`${link} `)}${isAlone && list.views}</p>`
			}`,
		),
	);
};

/** A list of the page. */
export const defineList = <Row extends { key: number }>(definition: ListDefinition<Row>): List => ({
	id: definition.id,
	title: definition.title,
	filters: Object.keys(definition.filters ?? {}),
	show: (view) => show(definition, view),
});
