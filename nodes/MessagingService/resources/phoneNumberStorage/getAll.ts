import { readList, toPage } from '../../transport/paginate';
import { defineOperation } from '../define';
import { InputError } from '../shared/inputError';
import {
	limitFields,
	PAGES_AT_ONCE,
	pageSizeOption,
	readLimit,
	readPageSize,
} from '../shared/lists';
import { simplifyField } from '../shared/simplify';
import { withoutEmptyParameters } from './item';

/** Interface, "Limits": records per page of the storage list. */
const MOST_PER_PAGE = 10_000;
const DEFAULT_PAGE_SIZE = 1000;

/** `GET /api/PhoneNumberStorageItem/:pageSize/:pageIndex` (interface, "Phone number storage"). */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many stored phone numbers',
	description: 'List stored phone numbers with their parameters',
	kind: 'perItem',
	fields: [
		...limitFields,
		simplifyField,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [
				{
					...pageSizeOption,
					typeOptions: { minValue: 1, maxValue: MOST_PER_PAGE },
					default: DEFAULT_PAGE_SIZE,
				},
			],
		},
	],
	async run(call) {
		const { client, parameters } = call;
		const limit = readLimit(call);
		const pageSize = readPageSize(call, limit, DEFAULT_PAGE_SIZE);
		if (pageSize > MOST_PER_PAGE) {
			throw new InputError(
				'Page Size',
				`is larger than ${MOST_PER_PAGE} (${pageSize})`,
				`The service gives at most ${MOST_PER_PAGE} records per page.`,
			);
		}
		const items = await readList({
			limit,
			firstPageIndex: client.settings.firstPageIndex,
			pagesAtOnce: PAGES_AT_ONCE,
			keyOf: ({ storageID }) => storageID,
			fetchPage: async (index = client.settings.firstPageIndex) =>
				toPage(
					await client.page({
						method: 'GET',
						path: `/api/PhoneNumberStorageItem/${pageSize}/${index}`,
					}),
				),
		});
		const isSimple = parameters.value('simple', 'Simplify') !== false;
		return isSimple ? items.map(withoutEmptyParameters) : items;
	},
});
