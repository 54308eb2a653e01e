import { credentialsOf } from '../authentication.ts';
import { maskedText, maskedUrl } from './secrets.ts';
import type { View } from './view.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** URLs in the query are masked as everywhere on the page. */
const shownPath = (path: string, query: URLSearchParams): string => {
	for (const [name, value] of query) if (name === 'url') query.set(name, maskedUrl(value));
	return query.size === 0 ? path : `${path}?${query.toString()}`;
};

const bodyOf = (body: string | null, added: Record<string, string>): string | null => {
	if (body === null || Object.keys(added).length === 0) return body;
	try {
		return JSON.stringify({ ...(JSON.parse(body) as object), ...added });
	} catch {
		return body;
	}
};

/** A request as a curl command, with the credentials that the sandbox wants. */
export const curlCommand = (
	{ origin, service }: View,
	{ method, url, body }: { method: string; url: string; body: string | null },
): string => {
	const { headers, query, body: inBody } = credentialsOf(service.settings.current.authentication);
	const [path = '', names = ''] = url.split('?', 2);
	const whole = new URLSearchParams(names);
	for (const [name, value] of Object.entries(query)) whole.set(name, value);
	const text = bodyOf(body, inBody);
	const sent = text === null ? headers : { ...headers, 'Content-Type': 'application/json' };
	return [
		`curl -X ${method} ${quoted(`${origin}${shownPath(path, whole)}`)}`,
		...Object.entries(sent).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
		...(text === null ? [] : [`-d ${quoted(maskedText(text))}`]),
	].join(' \\\n  ');
};
