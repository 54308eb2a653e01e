import { useSandbox, voiceBody } from './setup';

const sandbox = useSandbox();

interface Page {
	pageIndex: number;
	totalPages: number;
	totalRecords: number;
	items: Record<string, unknown>[];
}

const get = async (path: string, params: Record<string, unknown> = {}): Promise<Page> => {
	const { status, data } = await sandbox().api.get<Page>(path, { params });
	expect([status, data]).toEqual([200, expect.anything()]);
	return data;
};

const refused = async (path: string, params: Record<string, unknown>): Promise<unknown> => {
	const { status, data } = await sandbox().api.get<{ errors: object }>(path, { params });
	expect(status).toBe(400);
	return Object.keys(data.errors);
};

/** Fills each list with five records, in the order of their names or numbers. */
const fill = async (): Promise<string> => {
	const { api } = sandbox();
	const phoneNumbers = [1, 2, 3, 4, 5].map((digit) => `+44770090012${String(digit)}`);
	let id = '';
	for (const [index, phoneNumber] of phoneNumbers.entries()) {
		const contacts = phoneNumbers.slice(0, index + 1).map((each) => ({ phoneNumber: each }));
		id = (await api.post<string>('/api/Campaigns', { message: `m${String(index)}`, contacts }))
			.data;
		await api.post('/api/SMSMessages', { message: `m${String(index)}`, phoneNumber });
		await api.post('/api/campaigns/voice', voiceBody({ name: `m${String(index)}` }));
	}
	await sandbox().idle();
	return id;
};

const lists = (id: string): [string, string, number][] => [
	['/api/Campaigns', 'message', 5],
	[`/api/Campaigns/${id}/Contacts`, 'phoneNumber', 5],
	['/api/SMSMessages', 'id', 20],
	['/api/campaigns/voice/p', 'name', 5],
];

test('lists are newest last, newest first or in no order, over all pages', async () => {
	await fill();
	const listed = async (listOrder: string) => {
		await sandbox().settings({ conventions: { listOrder } });
		const pages = [1, 2, 3].map(async (pageIndex) =>
			get('/api/SMSMessages', { pageIndex, pageSize: 7 }),
		);
		return (await Promise.all(pages)).flatMap(({ items }) => items.map(({ id }) => Number(id)));
	};
	const newestLast = await listed('newestLast');
	expect(newestLast).toEqual([...newestLast].sort((a, b) => a - b));
	expect(await listed('newestFirst')).toEqual([...newestLast].reverse());
	const inNoOrder = await listed('none');
	expect([newestLast, [...newestLast].reverse()]).not.toContainEqual(inNoOrder);
	expect(inNoOrder.sort((a, b) => a - b)).toEqual(newestLast);
});

test('pages, sorting and filtering work for each list', async () => {
	const id = await fill();
	for (const [path, field, total] of lists(id)) {
		const all = (await get(path, { pageSize: 100 })).items;
		expect([path, all.length]).toEqual([path, total]);
		const totals = { totalPages: Math.ceil(total / 2), totalRecords: total };
		expect(await get(path, { pageSize: 2 })).toEqual({
			pageIndex: 1,
			...totals,
			items: all.slice(0, 2),
		});
		expect(await get(path, { pageIndex: 2, pageSize: 2 })).toEqual({
			pageIndex: 2,
			...totals,
			items: all.slice(2, 4),
		});
		expect(await get(path, { pageIndex: 99, pageSize: 2 })).toEqual({
			pageIndex: 99,
			...totals,
			items: [],
		});
		const values = all.map((item) => item[field]);
		const sorted = (await get(path, { pageSize: 100, sort: field })).items;
		expect(sorted.map((item) => item[field])).toEqual([...values].sort());
		const reversed = (await get(path, { pageSize: 100, sort: `-${field}` })).items;
		expect(reversed.map((item) => item[field])).toEqual([...values].sort().reverse());
		const third = all[2];
		expect((await get(path, { [field]: third?.[field] })).items).toEqual([third]);
		expect(await get(path, { [field]: 77 })).toEqual({
			pageIndex: 1,
			totalPages: 0,
			totalRecords: 0,
			items: [],
		});
	}
});

test('unknown, wrong and unsuitable parameters are refused', async () => {
	expect(await refused('/api/Campaigns', { page: 1 })).toEqual(['page']);
	expect(await refused('/api/Campaigns', { pageIndex: 'x' })).toEqual(['pageIndex']);
	expect(await refused('/api/Campaigns', { pageIndex: 0 })).toEqual(['pageIndex']);
	expect(await refused('/api/Campaigns', { pageSize: 0 })).toEqual(['pageSize']);
	expect(await refused('/api/Campaigns', { sort: 'nothing' })).toEqual(['sort']);
	expect(await refused('/api/Campaigns', { recipientCount: 'many' })).toEqual(['recipientCount']);
	expect(await refused('/api/campaigns/voice', { pageIndex: 1 })).toEqual(['pageIndex']);
	await sandbox().settings({ strict: false });
	await get('/api/Campaigns', { page: 1 });
});
