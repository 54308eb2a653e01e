import type { INodePropertyOptions } from 'n8n-workflow';
import { regions } from './plans';

/** The countries that have a numbering plan by their names, with their codes (ISO 3166-1 alpha-2) as values. */
export function countryOptions(): INodePropertyOptions[] {
	const names = new Intl.DisplayNames('en', { type: 'region' });
	return regions()
		.map((value) => ({ name: names.of(value) ?? value, value }))
		.sort((a, b) => a.name.localeCompare(b.name));
}

/** Codes that many write for a country, the EU among them, and that stand for no other one. */
const OTHER_CODES = new Map([
	['UK', 'GB'],
	['EL', 'GR'],
]);

/** The code in what people enter, in any case. */
export function regionIn(entered: string): string {
	const code = entered.trim().toUpperCase();
	return OTHER_CODES.get(code) ?? code;
}
