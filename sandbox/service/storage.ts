import { ErrorCollector, problem, ServiceError } from './errors.ts';
import { readPage } from './paging.ts';
import { ok, type Handler, type Service } from './service.ts';

/** A stored phone number item (interface: "Stored phone number item"). */
type Item = Record<string, string | null>;

const largestPage = 10_000;

/** Parameters that are not set are left out. */
const shown = (item: Record<string, unknown>): Record<string, unknown> =>
	Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));

const find = ({ database, contract }: Service, storageId: unknown): Item => {
	const columns = contract.fields('StoredPhoneNumber').join(', ');
	const item = database.get<Item>(
		`SELECT ${columns} FROM storedPhoneNumberRecords WHERE storageID = ?`,
		String(storageId),
	);
	if (!item) throw problem(404, `There is no stored phone number '${String(storageId)}'.`);
	return item;
};

const change = ({ database }: Service, storageId: string, fields: Item): void => {
	for (const [field, value] of Object.entries(fields)) {
		database.change(
			`UPDATE storedPhoneNumbers SET "${field}" = ? WHERE storageID = ?`,
			value,
			storageId,
		);
	}
};

/** The fields that the store knows; others get here only when the strict mode is off. */
const known = ({ contract }: Service, body: unknown): Item => {
	const fields = contract.fields('StoredPhoneNumber');
	return Object.fromEntries(
		Object.entries(body as Item).filter(([field]) => fields.includes(field)),
	);
};

/** Creates an item when its storageID is new, and updates it otherwise. */
const save: Handler = (service, { body }) => {
	const { storageID, ...fields } = known(service, body);
	service.database.transaction(() => {
		service.database.run(
			'INSERT OR IGNORE INTO storedPhoneNumbers (storageID, number) VALUES (?, ?)',
			String(storageID),
			String(fields.number),
		);
		change(service, String(storageID), fields);
	});
	return ok(shown(find(service, storageID)));
};

/** With a payload, changes the fields that it holds; responds with the item. */
const postById: Handler = (service, { params: { storageId }, body }) => {
	find(service, storageId);
	if (body === undefined) return ok(shown(find(service, storageId)));
	const { storageID = storageId, ...fields } = known(service, body);
	const errors = new ErrorCollector();
	if (storageID !== storageId)
		errors.add('storageID', 'The identifier differs from the one in the path.');
	errors.throwIfAny();
	service.database.transaction(() => change(service, String(storageId), fields));
	return ok(shown(find(service, storageId)));
};

/** The page size above 10000 has an error body of its own (interface: "Errors"). */
const list: Handler = (service, { params }) => {
	const pageSize = Number(params.pageSize);
	const pageIndex = Number(params.pageIndex);
	if (pageSize > largestPage) {
		const message = `The page size cannot exceed ${String(largestPage)} records.`;
		throw new ServiceError(400, { pageSize: [message] }, message);
	}
	const { firstPageIndex } = service.settings.current.conventions;
	const errors = new ErrorCollector();
	if (pageIndex < firstPageIndex) {
		errors.add('pageIndex', `The first page is ${String(firstPageIndex)}.`);
	}
	errors.throwIfAny();
	const page = readPage(service, {
		source: 'storedPhoneNumberRecords',
		fields: service.contract.fields('StoredPhoneNumber'),
		pageIndex,
		pageSize,
	});
	return ok({ ...page, items: page.items.map(shown) });
};

/** The operations on stored phone numbers (interface: "Endpoints", "Phone number storage"). */
export const storageHandlers: Record<string, Handler> = {
	saveStoredPhoneNumber: save,
	getStoredPhoneNumber: (service, { params }) => ok(shown(find(service, params.storageId))),
	postStoredPhoneNumberById: postById,
	listStoredPhoneNumbers: list,
};
