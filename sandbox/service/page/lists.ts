import { html, type Html, type Part } from './html.ts';
import { amount, foldedSection, live, section, table, type Column } from './parts.ts';
import type { View } from './view.ts';

/** How many records a list shows. */
const mostRows = 50;

/** A list of records, the newest first. */
export interface ListDefinition<Row extends { key: number }> {
	/** Its name in the address. */
	id: string;
	title: string;
	/** Whether it is closed until somebody opens it. */
	isFolded?: boolean;
	/** What to do so that there is something. */
	empty: Part;
	/** What to read: tables of the store, and their columns besides the key. */
	from: string;
	select?: string;
	/** The column that the order of creation can be told by. */
	key: string;
	/** Makes a row of what was read, where a row is more than that. */
	complete?: (row: { key: number }, view: View) => Row;
	columns: (view: View) => Column<Row>[];
}

/** A list of the page, ready to be shown. */
export interface List {
	id: string;
	title: string;
	/** The latest records. */
	show: (view: View) => Html;
}

/** The latest rows, and how many there are in all. */
const read = <Row extends { key: number }>(
	{ from, select, key, complete }: ListDefinition<Row>,
	view: View,
): { total: number; rows: Row[] } => {
	const { database } = view.service;
	const total = database.number(`SELECT count(*) AS n FROM ${from}`) ?? 0;
	const rows = database.all<Row>(
		`SELECT ${[`${key} AS key`, select].filter(Boolean).join(', ')} FROM ${from}
		ORDER BY ${key} DESC LIMIT ?`,
		mostRows,
	);
	return { total, rows: complete ? rows.map((row) => complete(row, view)) : rows };
};

const show = <Row extends { key: number }>(list: ListDefinition<Row>, view: View): Html => {
	const { id, title, empty, isFolded = false } = list;
	const { total, rows } = read(list, view);
	const isWhole = rows.length === total;
	const caption = `${isWhole ? '' : `${amount(rows.length)} of `}${amount(total)}, latest first`;
	const content = live(
		`${id}-live`,
		rows.length === 0
			? html`<p class="empty">${empty}</p>`
			: table(caption, list.columns(view), rows),
	);
	if (!isFolded) return section(id, title, content);
	const counted = html`${title}
		<span id="${id}-total" data-live>${total > 0 && amount(total)}</span>`;
	return foldedSection(view, id, counted, content);
};

/** A list of the page. */
export const defineList = <Row extends { key: number }>(definition: ListDefinition<Row>): List => ({
	id: definition.id,
	title: definition.title,
	show: (view) => show(definition, view),
});
