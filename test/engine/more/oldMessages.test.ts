import { runAction } from '../../support/engine';
import { startServer } from '../../support/servers';

const OLD = 1_000_000;
const PAGE_SIZE = 1000;

/** A page of a list of 1,000,000 messages, one a minute: the newest is a month old. */
function pageOf(index: number): string {
	const newest = Date.now() - 30 * 86_400_000;
	const items = Array.from({ length: PAGE_SIZE }, (_, offset) => {
		const place = (index - 1) * PAGE_SIZE + offset;
		return {
			...{ id: place, phoneNumber: `+4477${String(place).padStart(8, '0')}`, status: 1 },
			dateCreated: new Date(newest - place * 60_000).toISOString().slice(0, 19),
		};
	});
	const totalPages = OLD / PAGE_SIZE;
	return JSON.stringify({ pageIndex: index, totalPages, totalRecords: OLD, items });
}

test('with 1,000,000 older messages, Hours Between Texts costs a run a few requests', async () => {
	const service = await startServer((request, response) => {
		response.setHeader('Content-Type', 'application/json');
		if (request.method === 'POST') return void response.end(JSON.stringify('c7'));
		const { searchParams } = new URL(request.url, 'http://service');
		response.end(pageOf(Number(searchParams.get('pageIndex') ?? 1)));
	});
	const { items, error } = await runAction({
		credential: {
			...{ baseUrl: service.url, authentication: 'none', clientId: '1' },
			...{ serviceConventions: true, serviceTimeZone: 'UTC' },
			...{ sendingPolicy: true, hoursBetweenTexts: 20 },
		},
		parameters: { resource: 'smsCampaign', operation: 'create', sender: 'Shop', message: 'Hi' },
		items: [{ phoneNumber: '+447700900123' }],
	});
	await service.close();
	expect(error).toBeUndefined();
	expect(items).toMatchObject([{ json: { sent: 'yes' } }]);
	expect(service.received.filter(({ method }) => method === 'GET').length).toBeLessThanOrEqual(4);
});
