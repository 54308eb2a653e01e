import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { byId } from '../support/actionSuite';
import { runAction } from '../support/engine';
import { PolledWorkflow } from '../support/poll';

const NUMBERS = 100_000;
const PAGE_SIZE = 500;

/** A campaign that is running: most numbers have one call, some two, some none. */
function record(index: number) {
	const calls = (index * 7) % 3;
	return {
		id: 80_001 + index,
		number: `+4477${String(index).padStart(8, '0')}`,
		name: 'Ada',
		parameters: [{ parameter: 1, value: 'Monday' }],
		calls: Array.from({ length: calls }, (_, call) => ({
			startTime: `2030-05-17T0${call + 1}:30:00`,
			endTime: `2030-05-17T0${call + 1}:30:40`,
			stage: 0,
			outcome: 3,
			userInput: '',
			price: 0,
			isTransferCall: false,
			attemptNumber: call + 1,
			secondsDuration: 40,
		})),
		smss: [],
	};
}

describe('a running campaign of 100,000 numbers', () => {
	let server: Server;
	let baseUrl: string;
	/** Pages as JSON, made once: what is measured is the client. */
	const pages = new Map<string, string>();

	function pageOf(path: string): string {
		const [, size = 1, page = 1] = /phonenumbers\/(\d+)\/(\d+)$/.exec(path)?.map(Number) ?? [];
		const first = (page - 1) * size;
		const length = Math.max(0, Math.min(size, NUMBERS - first));
		return JSON.stringify(Array.from({ length }, (_, index) => record(first + index)));
	}

	function bodyOf(path: string): string {
		const campaign = {
			id: 2001,
			name: 'Large',
			startDate: '2999-05-17T00:00:00',
			finishtime: '18:00',
			campaignStatus: 1,
			attempts: [
				{ interval: 5, attemptNumber: 1 },
				{ interval: 5, attemptNumber: 2 },
			],
		};
		if (path.includes('/phonenumbers/')) {
			const page = pages.get(path) ?? pageOf(path);
			pages.set(path, page);
			return page;
		}
		return JSON.stringify(
			path.endsWith('/p')
				? { pageIndex: 1, totalPages: 1, totalRecords: 1, items: [campaign] }
				: campaign,
		);
	}

	beforeAll(async () => {
		server = createServer((request, response) => {
			const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(bodyOf(pathname));
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		for (let page = 1; page <= NUMBERS / PAGE_SIZE + 1; page++) {
			bodyOf(`/api/campaigns/voice/2001/phonenumbers/${PAGE_SIZE}/${page}`);
		}
	});

	afterAll(() => {
		server.close();
		server.closeAllConnections();
	});

	const credential = () => ({ baseUrl, clientId: '1001', authentication: 'none' });

	const run = async (operation: string, options: Record<string, number>) => {
		const started = performance.now();
		const result = await runAction({
			credential: credential(),
			parameters: {
				resource: 'voiceCampaign',
				operation,
				campaignId: byId(2001),
				returnAll: true,
				options,
			},
		});
		expect(result.error).toBeUndefined();
		return { items: result.items, milliseconds: performance.now() - started };
	};

	it('takes little static data, and a poll about as long as Get Phone Numbers', async () => {
		const workflow = new PolledWorkflow({
			credential: credential(),
			parameters: { events: ['callAttempted'], options: { pageSize: PAGE_SIZE } },
		});
		expect(await workflow.poll()).toBeNull();
		expect(JSON.stringify(workflow.staticData).length).toBeLessThan(200_000);

		const times: { list: number; poll: number }[] = [];
		for (let round = 0; round < 3; round++) {
			const { items, milliseconds } = await run('getPhoneNumbers', { pageSize: PAGE_SIZE });
			expect(items).toHaveLength(NUMBERS);
			const started = performance.now();
			expect(await workflow.poll()).toBeNull();
			times.push({ list: milliseconds, poll: performance.now() - started });
		}
		const best = (name: 'list' | 'poll') => Math.min(...times.map((time) => time[name]));
		expect(best('poll') / best('list')).toBeLessThan(1.3);
	}, 120_000);

	it('is summed up in one item', async () => {
		const [item] = (await run('getSummary', { pageSize: PAGE_SIZE })).items;
		expect(item?.json).toMatchObject({ recipients: NUMBERS, reached: 0, finished: false });
	}, 120_000);
});
