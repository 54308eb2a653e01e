import type { INodePropertyOptions } from 'n8n-workflow';
import { regions } from './plans';

/** The countries that have a numbering plan by their names, with their codes (ISO 3166-1 alpha-2) as values. */
export function countryOptions(): INodePropertyOptions[] {
	const names = new Intl.DisplayNames('en', { type: 'region' });
	return regions()
		.map((value) => ({ name: names.of(value) ?? value, value }))
		.sort((a, b) => a.name.localeCompare(b.name));
}

/** The code in what people enter: in any case, and many write UK. */
export const regionIn = (entered: string) => entered.trim().toUpperCase().replace(/^UK$/, 'GB');
