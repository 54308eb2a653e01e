import { messageResults } from '../../nodes/MessagingService/results/resultLists';
import type { ServiceClient } from '../../nodes/MessagingService/transport/request';

describe('the statuses of SMS messages', () => {
	it('are reported by a later poll where one has no room, also one that is not known yet', () => {
		const { read } = messageResults(
			{ filters: {}, createdSince: '2030-01-01T00:00:00', campaignIds: undefined },
			{
				client: {} as ServiceClient,
				pageSize: 10,
				origin: { clientId: '1001', zone: 'UTC' },
				startFrom: undefined,
			},
		);
		const message = { id: 1, status: null, dateCreated: '2030-05-17T09:00:00' };
		const full = read(message, undefined, 0, false);
		expect(full).toMatchObject({ events: [], isComplete: false });
		const next = read(message, full?.state, 1, false);
		expect(next?.events).toHaveLength(1);
		expect(read(message, next?.state, 1, false)).toMatchObject({ events: [], isComplete: true });
	});
});
