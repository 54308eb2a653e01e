import { useSandbox } from './setup';

const sandbox = useSandbox();

const path = '/api/PhoneNumberStorageItem';

const save = async (item: Record<string, unknown>): Promise<void> => {
	expect((await sandbox().api.post(path, item)).status).toBe(200);
};

const full = {
	storageID: 'A 1/ü',
	number: '+447700900123',
	...Object.fromEntries(
		Array.from({ length: 9 }, (_, at) => [`parameter${String(at + 1)}`, `${String(at)}`]),
	),
};

test('creates an item with all parameters, and one with none', async () => {
	expect((await sandbox().api.post(path, full)).data).toEqual(full);
	await save({ storageID: 'plain', number: '1' });
	const { data } = await sandbox().api.get<unknown>(
		`${path}/${encodeURIComponent(full.storageID)}`,
	);
	expect(data).toEqual(full);
	expect((await sandbox().api.get(`${path}/plain`)).data).toEqual({
		storageID: 'plain',
		number: '1',
	});
});

test.each([
	['storageID', { number: '1' }],
	['storageID', { storageID: 5, number: '1' }],
	['number', { storageID: 'one' }],
	['number', { storageID: 'one', number: 447700900123 }],
	['parameter10', { storageID: 'one', number: '1', parameter10: '' }],
	['parameter1', { storageID: 'one', number: '1', parameter1: 1 }],
])('refuses an item whose %s is wrong (%#)', async (field, item) => {
	const { status, data } = await sandbox().api.post<unknown>(path, item);
	expect([status, data]).toEqual([400, { errors: { [field]: [expect.any(String)] } }]);
});

describe('reads', () => {
	test.each(['/api', '//api', '//API'])('begin with %s', async (start) => {
		await save({ storageID: 'one', number: '1' });
		const item = { storageID: 'one', number: '1' };
		const name = 'PhoneNumberStorageItem';
		const get = async (rest: string) =>
			(
				await sandbox().control.get<unknown>(`${sandbox().url}${start}/${name}/${rest}`, {
					baseURL: '',
					headers: { 'X-Api-Key': sandbox().apiKey },
				})
			).data;
		expect(await get('one')).toEqual(item);
		expect(await get('10/1')).toEqual({
			pageIndex: 1,
			totalPages: 1,
			totalRecords: 1,
			items: [item],
		});
	});

	test('a page size above 10000 has an error of its own', async () => {
		const { status, data } = await sandbox().api.get<unknown>(`${path}/10001/1`);
		expect([status, data]).toEqual([400, { pageSize: [expect.stringContaining('10000')] }]);
	});

	test.each(['0/1', 'x/1', '10/x'])('%s is refused', async (rest) => {
		const { status, data } = await sandbox().api.get<unknown>(`${path}/${rest}`);
		expect([status, data]).toEqual([400, { errors: expect.any(Object) }]);
	});

	test('an unknown item does not exist', async () => {
		expect((await sandbox().api.get(`${path}/none`)).status).toBe(404);
		expect((await sandbox().api.post(`${path}/none`)).status).toBe(404);
	});
});

describe('by id', () => {
	test('a payload changes what it holds', async () => {
		await save({ storageID: 'one', number: '1', parameter1: 'a' });
		const changed = { storageID: 'one', number: '1', parameter1: 'b', parameter9: 'z' };
		const body = { parameter1: 'b', parameter9: 'z' };
		expect((await sandbox().api.post(`${path}/one`, body)).data).toEqual(changed);
		expect((await sandbox().api.get(`${path}/one`)).data).toEqual(changed);
	});

	test('another storageID in the payload is refused', async () => {
		await save({ storageID: 'one', number: '1' });
		const { status, data } = await sandbox().api.post<unknown>(`${path}/one`, { storageID: 'two' });
		expect([status, data]).toEqual([400, { errors: { storageID: [expect.any(String)] } }]);
	});
});
