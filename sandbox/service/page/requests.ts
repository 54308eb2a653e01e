import { html, type Html } from './html.ts';
import { defineList } from './lists.ts';
import { badge, details, moment, verbatim } from './parts.ts';
import { maskedPath, maskedText } from './secrets.ts';

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
		? badge('No answer', 'bad')
		: badge(String(status), status < 400 ? 'good' : 'bad');

const resultOf = (row: Row): Html => {
	const bodies = [
		bodyOf('Body of the request', row.body, row.bodyLength),
		bodyOf('Body of the answer', row.response, row.responseLength),
	].filter((body) => body !== false);
	return html`${statusOf(row)} ${row.fault !== null && badge(`Fault: ${row.fault}`, 'waiting')}
	${bodies.length > 0 && details(`request-${String(row.key)}`, 'Bodies', bodies)}`;
};

/** Requests to the service and their answers. */
export const requests = defineList<Row>({
	id: 'requests',
	title: 'Requests',
	empty: html`No request has come in. Put the base URL and the key above into a credential in n8n,
	and test it.`,
	select: `at, method, url, operationId, status, fault,
		substr(body, 1, ${String(longestText)}) AS body, length(body) AS bodyLength,
		substr(response, 1, ${String(longestText)}) AS response, length(response) AS responseLength`,
	from: 'requests',
	key: 'id',
	filters: { status: { column: 'status', label: 'status' } },
	columns: () => [
		{ label: 'Time (UTC)', cell: ({ at }) => moment(at) },
		{
			label: 'Request',
			kind: 'main',
			cell: (row) =>
				html`<code>${row.method} ${maskedPath(row.url)}</code> <small>${row.operationId}</small>`,
		},
		{ label: 'Answer', kind: 'main', cell: resultOf },
	],
});
