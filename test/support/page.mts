import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../../host/runtime.mjs';

/**
 * Replaces what is between `<!-- marker -->` and the next `<!-- end -->` in a page of docs/development.
 * Fails when the page has no such place.
 */
export function putIntoPage(page: string, marker: string, content: string): void {
	const file = path.join(repository, 'docs', 'development', page);
	const text = readFileSync(file, 'utf8');
	const pattern = new RegExp(`(<!-- ${marker} -->)[\\s\\S]*?(<!-- end -->)`);
	if (!pattern.test(text))
		throw new Error(`docs/development/${page} has no place for "${marker}".`);
	writeFileSync(
		file,
		text.replace(pattern, (_, begin: string, end: string) => `${begin}\n\n${content}\n\n${end}`),
	);
}
