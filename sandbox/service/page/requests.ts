import { html, type Html } from './html.ts';
import { defineList } from './lists.ts';
import { badge, details, moment, verbatim } from './parts.ts';

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
	const shown = formatted(text);
	return length > text.length
		? verbatim(`${label} (the first ${String(text.length)} of ${String(length)} characters)`, shown)
		: verbatim(label, shown);
};

const statusOf = ({ status }: Row): Html =>
	status === null
		? badge('No response', 'bad')
		: badge(String(status), status < 400 ? 'good' : 'bad');

const resultOf = (row: Row): Html => {
	const content = [
		bodyOf('Request body', row.body, row.bodyLength),
		bodyOf('Response body', row.response, row.responseLength),
	];
	return html`${statusOf(row)} ${row.fault !== null && badge(`Fault: ${row.fault}`, 'waiting')}
	${details(`request-${String(row.key)}`, 'Details', content)}`;
};

/** Requests to the service and the responses. */
export const requests = defineList<Row>({
	id: 'requests',
	title: 'Requests',
	isFolded: true,
	empty: html`No requests yet. Enter the values under <a href="#connection">Connect</a> in a
		credential in n8n and test it.`,
	select: `at, method, url, operationId, status, fault,
		substr(body, 1, ${String(longestText)}) AS body, length(body) AS bodyLength,
		substr(response, 1, ${String(longestText)}) AS response, length(response) AS responseLength`,
	from: 'requests',
	key: 'id',
	columns: (view) => [
		{ label: 'Time', cell: ({ at }) => moment(view, at) },
		{
			label: 'Request',
			kind: 'main',
			cell: (row) => html`<code>${row.method} ${row.url}</code> <small>${row.operationId}</small>`,
		},
		{ label: 'Response', kind: 'main', cell: (row) => resultOf(row) },
	],
});
