import type { INodeProperties } from 'n8n-workflow';
import { pagedListFields } from '../resources/shared/lists';

/** "Filters" of Get Many for the list of SMS messages, under another name or label. */
export function messageFiltersField(changes: Partial<INodeProperties>): INodeProperties[] {
	return pagedListFields
		.filter(({ name }) => name === 'filters')
		.map((field) => ({
			...field,
			description: 'Query parameters that narrow down the list of SMS messages',
			...changes,
		}));
}
