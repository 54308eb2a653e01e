import type { IDataObject } from 'n8n-workflow';
import type { CredentialValues, EngineResult } from './engine';
import { runAction } from './engine';
import type { Sandbox } from '../../host/sandbox.ts';
import type { RequestRecord } from '../../sandbox/service/requestLog.ts';
import { readEndpoints } from '../../scripts/endpoints.mts';
import { useSandbox } from './useSandbox';

export { byId, createCampaign, sendEach, sendMessage } from './actions';

/** A run of the action node, and what the sandbox received of it. */
export interface ActionResult extends EngineResult {
	/** The requests of this run, in the order in which they were answered. */
	requests: RequestRecord[];
}

/** A resource/operation pair with the values of its fields. */
export type ActionParameters = IDataObject & { resource: string; operation: string };

/** How an action is run, beside its fields. */
export type ActionOptions = Omit<Partial<Parameters<typeof runAction>[0]>, 'parameters'>;

/** The action node and a sandbox, as the engine tests use them. */
export interface ActionSuite {
	sandbox(): Sandbox;
	/** A credential that the sandbox accepts; `changes` makes it another one. */
	credential(changes?: CredentialValues): CredentialValues;
	/** Runs one resource/operation pair on the sandbox. */
	run(parameters: ActionParameters, options?: ActionOptions): Promise<ActionResult>;
	/** Bodies of the requests of an operation of openapi.yaml that the sandbox received, in order. */
	bodies(operationId: string): Promise<unknown[]>;
	/**
	 * The tests of one resource/operation pair, and one more: that its runs reached the endpoints
	 * that openapi.yaml lists for it, and no others.
	 */
	describeOperation(resource: string, operation: string, tests: () => void): void;
}

/**
 * Starts a sandbox for the tests of a file, clears it before each, and stops it after them.
 * @param defaults fields of the file's credential
 */
export function actionSuite(defaults: CredentialValues = {}): ActionSuite {
	const reached = new Map<string, Set<string>>();
	const sandbox = useSandbox();

	const credential = (changes: CredentialValues = {}): CredentialValues => ({
		baseUrl: sandbox().url,
		clientId: '1001',
		authentication: 'header',
		headerName: 'X-Api-Key',
		headerSecret: sandbox().apiKey,
		...defaults,
		...changes,
	});

	const run = async (
		parameters: ActionParameters,
		options: ActionOptions = {},
	): Promise<ActionResult> => {
		const before = (await sandbox().requests({ limit: 0 })).total;
		const result = await runAction({ credential: credential(), parameters, ...options });
		const { items } = await sandbox().requests({ limit: 100_000 });
		const requests = items.slice(before);
		const pair = `${parameters.resource} ${parameters.operation}`;
		const known = reached.get(pair) ?? new Set();
		for (const { operationId } of requests) if (operationId !== null) known.add(operationId);
		reached.set(pair, known);
		return { ...result, requests };
	};

	return {
		sandbox,
		credential,
		run,
		async bodies(operationId) {
			const { items } = await sandbox().requests({ limit: 100_000 });
			return items
				.filter((request) => request.operationId === operationId)
				.map((request) => request.body);
		},
		describeOperation(resource, operation, tests) {
			const pair = `${resource} ${operation}`;
			const expected = readEndpoints()
				.filter(({ usedBy }) => usedBy.includes(pair))
				.map(({ id }) => id);
			describe(pair, () => {
				tests();

				it(`reaches ${expected.join(', ')}`, () => {
					expect([...(reached.get(pair) ?? [])].sort()).toEqual([...expected].sort());
				});
			});
		},
	};
}

/** Runs with retries that follow without a wait (those waits are tested in retry.test.ts). */
export function retryingAtOnce(run: ActionSuite['run']): ActionSuite['run'] {
	return async (parameters, options) => {
		const random = jest.spyOn(Math, 'random').mockReturnValue(0);
		try {
			return await run(parameters, options);
		} finally {
			random.mockRestore();
		}
	};
}

/** What a request looked like on the wire: method, path with query, and body. */
export function onTheWire({ method, url, body }: RequestRecord) {
	return { line: `${method} ${url}`, body };
}
