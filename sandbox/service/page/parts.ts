import { localText } from '../clock.ts';
import type { Service } from '../service.ts';
import { html, type Html, type Part } from './html.ts';
import { zoneOf, type View } from './view.ts';

/** How a state is coloured. */
export type Tone = 'good' | 'bad' | 'waiting' | 'plain';

/** A state, in a word or two. */
export const badge = (text: string, tone: Tone): Html =>
	html`<span class="badge ${tone}">${text}</span>`;

const dateAndTime = (service: Service, iso: string): [date: string, time: string] => {
	const shown = iso.endsWith('Z') ? localText(Date.parse(iso), zoneOf(service)) : iso;
	return [shown.slice(0, 10), shown.slice(11, 19)];
};

/** A moment (ISO 8601) to the second with its date, in the service's zone. */
export const wholeMoment = ({ service }: View, iso: string): Html => {
	const [date, time] = dateAndTime(service, iso);
	return html`<time datetime="${iso}"><b>${date}</b> <b>${time}</b></time>`;
};

/** A moment (ISO 8601) to the second, in the service's zone, with its date where that is not the service's today; a moment without a zone is in it already. */
export const moment = ({ service }: View, iso: string | null): Html | string => {
	if (iso === null) return '';
	const [date, time] = dateAndTime(service, iso);
	const zone = zoneOf(service);
	const today = localText(service.clock.now(), zone).slice(0, 10);
	return html`<time datetime="${iso}" title="${date} ${time}"
		>${date !== today && html`<b>${date}</b> `}<b>${time}</b></time
	>`;
};

/** A whole number, readable. */
export const amount = (value: number): string => value.toLocaleString('en-US');

/** A number with its noun. */
export const counted = (value: number, one: string): string =>
	`${amount(value)} ${value === 1 ? one : `${one}s`}`;

/** The beginning of a text. */
export const shortened = (text: string, longest: number): string =>
	text.length <= longest ? text : `${text.slice(0, longest)}...`;

/** What a record holds besides its row; stays open while the page is refreshed. */
export const details = (id: string, summary: Part, content: Part): Html =>
	html`<details id="${id}">
		<summary id="${id}-summary">${summary}</summary>
		${content}
	</details>`;

/** A value to copy. Without JavaScript a click selects it. */
export const copyable = (text: string, about: string): Html =>
	html`<code class="copy">${text}</code>
		<button type="button" class="copy-button" aria-label="Copy: ${about}">Copy</button>`;

/** Text as it came, line breaks included. */
export const verbatim = (label: string, text: string): Html =>
	html`<figure>
		<figcaption>${label}</figcaption>
		<pre>${text}</pre>
	</figure>`;

const noteOf = ({ note }: View, section: string): Html | false =>
	note?.section === section &&
	html`<p class="note ${note.isError ? 'bad' : 'good'}" role="${note.isError ? 'alert' : 'status'}">
		${note.text}
	</p>`;

/** A section of the page. */
export const section = (id: string, title: string, content: Part): Html =>
	html`<section id="${id}" aria-labelledby="${id}-title">
		<h2 id="${id}-title">${title}</h2>
		${content}
	</section>`;

/** A section that is closed until somebody opens it or follows a link to it, with the note of its form. */
export const foldedSection = (view: View, id: string, title: Part, content: Part): Html =>
	html`<details class="fold" ${view.note?.section === id && html`open`}>
		<summary id="${id}-title">${title}</summary>
		<section id="${id}" aria-labelledby="${id}-title">${noteOf(view, id)} ${content}</section>
	</details>`;

/** A part that a refresh replaces while the page is open. */
export const live = (id: string, content: Part): Html =>
	html`<div id="${id}" data-live>${content}</div>`;

/** A column of a table. */
export interface Column<Row> {
	label: string;
	cell: (row: Row) => Part;
	/** Numbers stand to the right; `main` is the widest column; `free` breaks anywhere. */
	kind?: 'number' | 'main' | 'free';
}

/** A table. */
export const table = <Row>(caption: Part, columns: Column<Row>[], rows: Row[]): Html =>
	html`<table>
		<caption>
			${caption}
		</caption>
		<thead>
			<tr>
				${columns.map(({ label, kind }) => html`<th scope="col" class="${kind}">${label}</th>`)}
			</tr>
		</thead>
		<tbody>
			${rows.map(
				(row) =>
					html`<tr>
						${columns.map(
							({ label, cell, kind }) =>
								html`<td class="${kind}" data-label="${label}">${cell(row)}</td>`,
						)}
					</tr>`,
			)}
		</tbody>
	</table>`;

/** Names and values. */
export const facts = (entries: [name: string, value: Part][]): Html =>
	html`<dl class="facts">
		${entries.map(
			([name, value]) =>
				html`<div>
					<dt>${name}</dt>
					<dd>${value}</dd>
				</div>`,
		)}
	</dl>`;
