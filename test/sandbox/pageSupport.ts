import axios, { type AxiosResponse } from 'axios';
import type { Sandbox } from '../../host/sandbox.ts';

/** What a reader sees of a piece of the page. */
const textOf = (html: string): string =>
	html
		// Shown only where JavaScript runs.
		.replace(/<button[^>]*copy-button[^>]*>[^<]*<\/button>/g, ' ')
		.replace(/<[^>]*>/g, ' ')
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'")
		.replaceAll('&amp;', '&')
		.replace(/\s+/g, ' ')
		.trim();

/** The sandbox's page as a browser without scripts uses it. */
export interface PageClient {
	/** The markup at an address of the page. */
	html(address?: string): Promise<string>;
	/** What a section shows. */
	section(id: string, address?: string): Promise<string>;
	/** Sends a form without following where it leads. */
	post(
		action: string,
		fields?: Record<string, string>,
		headers?: Record<string, string>,
	): Promise<AxiosResponse<unknown>>;
	/** Sends a form and follows; returns the page that comes back. */
	submit(action: string, fields?: Record<string, string>): Promise<string>;
}

/** The part of a page's markup that a section is. */
export const sectionOf = (html: string, id: string): string => {
	const [, after] = html.split(`<section id="${id}"`);
	if (after === undefined) throw new Error(`The page has no section ${id}`);
	return textOf(`<section ${after.split('</section>')[0] ?? ''}`);
};

/** A client for the page of a sandbox. */
export const pageOf = (sandbox: () => Sandbox): PageClient => {
	const get = async (address: string): Promise<string> => {
		const { data } = await axios.get<string>(`${sandbox().url}${address}`, { proxy: false });
		return data;
	};
	const post: PageClient['post'] = (action, fields = {}, headers = {}) =>
		axios.post(`${sandbox().url}/_sandbox/page/${action}`, new URLSearchParams(fields), {
			headers,
			maxRedirects: 0,
			proxy: false,
			validateStatus: () => true,
		});
	return {
		html: (address = '/') => get(address),
		section: async (id, address = '/') => sectionOf(await get(address), id),
		post,
		submit: async (action, fields) => {
			const { status, headers } = await post(action, fields);
			expect([action, status]).toEqual([action, 303]);
			return get(String(headers.location));
		},
	};
};
