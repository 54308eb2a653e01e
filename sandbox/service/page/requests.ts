import { problem } from '../errors.ts';
import { curlCommand } from './curl.ts';
import { buttonForm } from './forms.ts';
import { html, type Html, type Part } from './html.ts';
import { defineList } from './lists.ts';
import { badge, copyButton, details, moment, verbatim } from './parts.ts';
import { maskedPath, maskedText } from './secrets.ts';
import type { Action, View } from './view.ts';

interface Row {
	key: number;
	at: string;
	method: string;
	url: string;
	operationId: string | null;
	status: number | null;
	fault: string | null;
	body: string | null;
	bodyLength: number | null;
	response: string | null;
	responseLength: number | null;
}

const longestText = 2000;

const formatted = (text: string): string => {
	try {
		return JSON.stringify(JSON.parse(text), undefined, 2);
	} catch {
		return text;
	}
};

const bodyOf = (label: string, text: string | null, length: number | null): Html | false => {
	if (text === null || length === null || length === 0) return false;
	const shown = maskedText(formatted(text));
	return length > text.length
		? verbatim(`${label} (the first ${String(text.length)} of ${String(length)} characters)`, shown)
		: verbatim(label, shown);
};

const statusOf = ({ status }: Row): Html =>
	status === null
		? badge('No response', 'bad')
		: badge(String(status), status < 400 ? 'good' : 'bad');

const toolsOf = (view: View, row: Row): Part => {
	const isWhole = (row.bodyLength ?? 0) === (row.body ?? '').length;
	return [
		isWhole &&
			html`<figure>
				<figcaption>As curl</figcaption>
				<pre class="copy">${curlCommand(view, row)}</pre>
				${copyButton('Copy as curl', `request ${String(row.key)}`)}
			</figure>`,
		buttonForm(view, 'replay', {
			text: 'Send again',
			about: `request ${String(row.key)}`,
			fields: { id: row.key },
			id: `replay-${String(row.key)}`,
		}),
	];
};

const resultOf = (view: View, row: Row): Html => {
	const content = [
		bodyOf('Request body', row.body, row.bodyLength),
		bodyOf('Response body', row.response, row.responseLength),
		toolsOf(view, row),
	];
	return html`${statusOf(row)} ${row.fault !== null && badge(`Fault: ${row.fault}`, 'waiting')}
	${details(`request-${String(row.key)}`, 'Details', content)}`;
};

/** Requests to the service and the responses. */
export const requests = defineList<Row>({
	id: 'requests',
	title: 'Requests',
	empty: html`No requests yet. Enter the values under <a href="#connection">Connect</a> in a
		credential in n8n and test it.`,
	select: `at, method, url, operationId, status, fault,
		substr(body, 1, ${String(longestText)}) AS body, length(body) AS bodyLength,
		substr(response, 1, ${String(longestText)}) AS response, length(response) AS responseLength`,
	from: 'requests',
	search: ['method', 'url', 'operationId', 'status', 'fault', 'body', 'response'],
	key: 'id',
	filters: { status: { column: 'status', label: 'status' } },
	columns: (view) => [
		{ label: 'Time', cell: ({ at }) => moment(view, at) },
		{
			label: 'Request',
			kind: 'main',
			cell: (row) =>
				html`<code>${row.method} ${maskedPath(row.url)}</code> <small>${row.operationId}</small>`,
		},
		{ label: 'Response', kind: 'main', cell: (row) => resultOf(view, row) },
	],
});

interface Kept {
	method: string;
	url: string;
	body: string | null;
}

/** The actions of the list. */
export const requestActions: Record<string, Action> = {
	replay: async ({ database, settings }, fields, call) => {
		const id = Number(fields.get('id') ?? '');
		const kept = Number.isInteger(id)
			? database.get<Kept>('SELECT method, url, body FROM requests WHERE id = ?', id)
			: undefined;
		if (!kept) throw problem(404, `There is no request ${String(id)}.`);
		if (/\.\.\. \(cut; \d+ \w+ in all\)$/.test(kept.body ?? '')) {
			throw problem(409, `Only the beginning of the body of request ${String(id)} was kept.`);
		}
		const { basePath } = settings.current.conventions;
		const { status } = await call({
			method: kept.method,
			url: kept.url.startsWith(`${basePath}/`) ? kept.url.slice(basePath.length) : kept.url,
			body: kept.body ?? undefined,
		});
		return `Request ${String(id)} was sent again. Response ${String(status)}.`;
	},
};
