import type { INodePropertyOptions } from 'n8n-workflow';
import { regions } from '../numbers/plans';

/** The countries that have a numbering plan, by their English names. */
export async function getCountries(): Promise<INodePropertyOptions[]> {
	const names = new Intl.DisplayNames('en', { type: 'region' });
	const countries = regions().map((value) => ({ name: names.of(value) ?? value, value }));
	return await Promise.resolve(countries.sort((a, b) => a.name.localeCompare(b.name)));
}
