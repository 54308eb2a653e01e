import type { N8nClient } from '../../../host/n8nClient.ts';
import { loggedIn } from '../../e2e/support/host.ts';
import { batching, flood } from '../support/flood.ts';
import { killAndStart } from '../support/stand.ts';

describe('events in queue mode', () => {
	let n8n: N8nClient;

	beforeAll(async () => {
		n8n = await loggedIn();
	});

	it.each([
		['one by one', { responseMode: 'lastNode' }, 600],
		['in batches', { responseMode: 'lastNode', ...batching }, 3000],
	])('loses nothing acknowledged while processes are killed: %s', async (name, trigger, count) => {
		const result = await flood(n8n, {
			name: `killed-${name.replaceAll(' ', '-')}`,
			trigger,
			count,
			incidents: [
				{ at: 0.2, happen: async () => await killAndStart('worker1') },
				{ at: 0.4, happen: async () => await killAndStart('webhook') },
				{ at: 0.7, happen: async () => await killAndStart('worker2') },
			],
		});
		expect(result).toMatchObject({ acknowledged: count, lost: 0, stored: 0, executed: count });
	});
});
