import fc from 'fast-check';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { findOperation } from '../../nodes/MessagingService/resources';
import { reachesPeople } from '../../nodes/MessagingService/resources/operation';
import { credentialFor, pairs, respond, validParameters } from '../support/everyOperation';
import { runAction } from '../support/engine';
import { holds } from '../support/runs';
import { startServer, type LocalServer, type ReceivedRequest } from '../support/servers';

/** What happens to a request. */
type Fate = 'success' | 'refused' | 'failed' | 'cut';

const fate = fc.oneof(
	{ weight: 3, arbitrary: fc.constant<Fate>('success') },
	{ weight: 2, arbitrary: fc.constantFrom<Fate>('refused', 'failed', 'cut') },
);

let service: LocalServer;
let fates: Fate[] = [];

beforeAll(async () => {
	// Retries follow without a wait: retry.test.ts has those.
	jest.spyOn(Math, 'random').mockReturnValue(0);
	service = await startServer((request, response) => {
		const next = fates.shift() ?? 'success';
		if (next === 'cut') return void response.destroy();
		response.statusCode = { success: 200, refused: 400, failed: 500 }[next];
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify(next === 'success' ? bodyFor(request) : { message: 'No' }));
	});
});
afterAll(async () => {
	jest.restoreAllMocks();
	await service.close();
});

/** Each list has one record, so that each row has one item to give. */
function bodyFor(request: ReceivedRequest): unknown {
	const isFirstPage = /\/phonenumbers(\/\d+\/1)?$/.test(request.url);
	return isFirstPage ? [{ number: '+447700900123', calls: [], smss: [] }] : respond(request);
}

/** The rows that items stand for. */
const rowsOf = (items: readonly INodeExecutionData[]): number[] =>
	items.flatMap(({ pairedItem }) =>
		[pairedItem].flat().map((paired) => (typeof paired === 'object' ? paired.item : -1)),
	);

describe('every input row leaves once, by the success or the error output, with `sent`', () => {
	it.each(pairs.map((pair) => [`${pair.resource} ${pair.operation}`, pair] as const))(
		'%s',
		async (_, pair) => {
			await holds(
				fc.asyncProperty(
					fc.array(fate, { minLength: 1, maxLength: 4 }),
					fc.integer({ min: 1, max: 4 }),
					async (given, rowCount) => {
						fates = [...given];
						service.received.length = 0;
						const rows = Array.from({ length: rowCount }, (_row, row): IDataObject => ({ row }));
						const { items, errorItems, error } = await runAction({
							credential: {
								...{ baseUrl: service.url, authentication: 'none', clientId: '1001' },
								...credentialFor(pair),
							},
							parameters: { ...validParameters(pair) },
							items: rows,
							onError: 'continueErrorOutput',
						});
						expect(error).toBeUndefined();
						expect([...rowsOf(items), ...rowsOf(errorItems)].sort()).toEqual(
							rows.map((_row, row) => row),
						);
						for (const { json } of errorItems) expect(['no', 'possibly']).toContain(json.sent);
						const operation = findOperation(pair.resource, pair.operation);
						for (const { json } of items) {
							expect(json.sent).toBe(operation && reachesPeople(operation) ? 'yes' : undefined);
						}
					},
				),
				4,
			);
		},
	);
});

it.each(pairs.map((pair) => [`${pair.resource} ${pair.operation}`, pair] as const))(
	'no further request is made after the first failure, unless the node continues: %s',
	async (_, pair) => {
		const requestsFor = async (items: IDataObject[], onError: INode['onError']) => {
			fates = Array.from({ length: 9 }, () => 'refused');
			service.received.length = 0;
			await runAction({
				credential: {
					...{ baseUrl: service.url, authentication: 'none', clientId: '1001' },
					...{ concurrentRequests: 1, ...credentialFor(pair) },
				},
				parameters: validParameters(pair),
				items,
				onError,
			});
			return service.received.length;
		};
		const ofOne = await requestsFor([{}], 'stopWorkflow');
		expect(ofOne).toBeGreaterThan(0);
		expect(await requestsFor([{}, {}, {}], 'stopWorkflow')).toBe(ofOne);
		expect(await requestsFor([{}, {}, {}], 'continueRegularOutput')).toBe(3 * ofOne);
	},
);
