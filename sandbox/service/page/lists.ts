import { html, type Html, type Part } from './html.ts';
import { amount, live, section, table, type Column } from './parts.ts';
import { addressOf, type Selection, type View } from './view.ts';

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
	/** How many records to show beside the other lists; 5 unless given. */
	latest?: number;
	/** Makes a row of what was read, where a row is more than that. */
	complete?: (row: { key: number }, view: View) => Row;
	columns: (view: View) => Column<Row>[];
}

/** A list of the page, ready to be shown. */
export interface List {
	id: string;
	title: string;
	/** The latest records, or those that the view asks for. */
	show: (view: View) => Html;
}

/** The rows that a view asks for, and how many there are in all. */
const read = <Row extends { key: number }>(
	{ from, select, key, complete }: ListDefinition<Row>,
	view: View,
	before: number | undefined,
	limit: number,
): { total: number; rows: Row[] } => {
	const { database } = view.service;
	const total = database.number(`SELECT count(*) AS n FROM ${from}`);
	const rows = database.all<Row>(
		`SELECT ${[`${key} AS key`, select].filter(Boolean).join(', ')} FROM ${from}
		WHERE ${key} < ? ORDER BY ${key} DESC LIMIT ?`,
		before ?? Number.MAX_SAFE_INTEGER,
		limit,
	);
	return { total: total ?? 0, rows: complete ? rows.map((row) => complete(row, view)) : rows };
};

/** Where to go from a list. `older` is the key of the last row if there may be older ones. */
const linksOf = (
	id: string,
	selection: Selection,
	older: number | undefined,
	isCut: boolean,
): Part => {
	const latest = { list: id, before: undefined };
	if (selection.list !== id) {
		return isCut && html`<p class="links"><a href="${addressOf(latest)}">Show more</a></p>`;
	}
	return html`<p class="links">
		<a href="/#${id}">Back to everything</a>
		${selection.before !== undefined && html`<a href="${addressOf(latest)}">Latest</a>`}
		${
			older !== undefined &&
			html`<a href="${addressOf({ ...latest, before: older })}" rel="next">Older</a>`
		}
	</p>`;
};

const show = <Row extends { key: number }>(list: ListDefinition<Row>, view: View): Html => {
	const { id, title, latest = rowsOfOverview, empty } = list;
	const isAlone = view.selection.list === id;
	const limit = isAlone ? rowsOfList : latest;
	const before = isAlone ? view.selection.before : undefined;
	const { total, rows } = read(list, view, before, limit);
	const isWhole = rows.length === total;
	const caption = isWhole
		? `${amount(total)}, latest first`
		: `${amount(rows.length)} of ${amount(total)}, ${before === undefined ? 'latest first' : 'older'}`;
	const older = rows.length === limit ? rows.at(-1)?.key : undefined;
	const nothing = before === undefined ? empty : 'Nothing here.';
	return section(
		view,
		id,
		title,
		live(
			`${id}-live`,
			html`${rows.length === 0 ? html`<p class="empty">${nothing}</p>` : table(caption, list.columns(view), rows)}
			${linksOf(id, view.selection, older, !isWhole)}`,
		),
	);
};

/** A list of the page. */
export const defineList = <Row extends { key: number }>(definition: ListDefinition<Row>): List => ({
	id: definition.id,
	title: definition.title,
	show: (view) => show(definition, view),
});
