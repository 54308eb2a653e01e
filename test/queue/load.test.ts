import type { N8nClient } from '../../sandbox/host/n8nClient.ts';
import type { Part } from '../../sandbox/host/queue/stand.ts';
import { loggedIn } from '../e2e/support/host.ts';
import { batching, flood } from './support/flood.ts';
import { kill, start } from './support/stand.ts';

const restart = async (part: Part) => {
	await kill(part);
	await start(part);
};

describe('events in queue mode', () => {
	let n8n: N8nClient;

	beforeAll(async () => {
		n8n = await loggedIn();
	});

	it.each([
		['one by one', { responseMode: 'lastNode' }, 600],
		['in batches', { responseMode: 'lastNode', ...batching }, 3000],
	])(
		'loses nothing acknowledged while processes are killed: %s',
		async (name, parameters, count) => {
			const result = await flood(n8n, {
				name: `killed-${name.replaceAll(' ', '-')}`,
				parameters,
				count,
				incidents: [
					{ at: 0.2, happen: async () => await restart('worker1') },
					{ at: 0.4, happen: async () => await restart('webhook') },
					{ at: 0.7, happen: async () => await restart('worker2') },
				],
			});
			console.log(JSON.stringify(result));
			expect(result).toMatchObject({ acknowledged: count, lost: 0, stored: 0, executed: count });
		},
		300_000,
	);
});
