/** What makes pages that are written for GitHub pages of the site. */
import path from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** The anchor that GitHub gives a heading. */
export const slugOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}_ -]/gu, '')
		.replaceAll(' ', '-');

/** Folders whose pages are on the site; what else a page links to is in the repository. */
const onSite = /^(docs\/(?!.*\/queue-mode\/)|examples\/README|sandbox\/README|[A-Z]+\.md$)/;

/** Where a link of a page leads: to a page of the site, or to a file in the repository. */
function targetOf(link: string, page: string, repository: string): string {
	if (/^([a-z]+:|#)/.test(link)) return link;
	const [file = '', anchor] = link.split('#');
	const target = path.posix.join(path.posix.dirname(page), file);
	const hash = anchor === undefined ? '' : `#${anchor}`;
	if (!target.endsWith('.md') || !onSite.test(target)) {
		return `${repository}/blob/main/${target}${hash}`;
	}
	return `/${target.replace(/README\.md$/, 'index.md')}${hash}`;
}

/** Changes links as targetOf says, and keeps Vue from evaluating braces. */
export function pagesOfRepository(markdown: MarkdownRenderer, repository: string): void {
	markdown.core.ruler.push('repository_links', ({ tokens, env }) => {
		// VitePress names a page as the site does.
		const page = String(env.relativePath).replace(/index\.md$/, 'README.md');
		for (const token of tokens) {
			// Vue takes the paths of pictures in HTML for addresses unless they start with a dot.
			if (token.type === 'html_block') {
				token.content = token.content.replace(/(src|srcset)="docs\//g, '$1="./docs/');
			}
			for (const child of token.children ?? []) {
				const link = child.type === 'link_open' ? child.attrGet('href') : null;
				if (link !== null) child.attrSet('href', targetOf(link, page, repository));
			}
		}
	});
	const { rules } = markdown.renderer;
	for (const name of ['text', 'code_inline'] as const) {
		const rule = rules[name];
		rules[name] = (...all) => (rule?.(...all) ?? '').replaceAll('{{', '&#123;&#123;');
	}
}
