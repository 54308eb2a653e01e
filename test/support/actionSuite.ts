import type { IDataObject, INode } from 'n8n-workflow';
import type { CredentialValues, EngineResult } from './engine';
import { runAction } from './engine';
import type { Sandbox } from './sandbox';
import { startSandbox } from './sandbox';

/** The action node and a sandbox, as the engine tests use them. */
export interface ActionSuite {
	sandbox(): Sandbox;
	/** A credential that the sandbox accepts; `changes` makes it another one. */
	credential(changes?: CredentialValues): CredentialValues;
	/** Runs one resource/operation pair on the sandbox. */
	run(
		parameters: IDataObject & { resource: string; operation: string },
		options?: {
			items?: IDataObject[];
			onError?: INode['onError'];
			credential?: CredentialValues;
			timezone?: string;
		},
	): Promise<EngineResult>;
	/** Bodies of the requests of an operation of openapi.yaml that the sandbox received, in order. */
	bodies(operationId: string): Promise<unknown[]>;
}

/** Starts a sandbox for the tests of a file, clears it before each, and stops it after them. */
export function actionSuite(): ActionSuite {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(async () => {
		await sandbox.reset();
	});
	afterAll(async () => {
		await sandbox.stop();
	});
	const credential = (changes: CredentialValues = {}): CredentialValues => ({
		baseUrl: sandbox.url,
		clientId: '1001',
		authentication: 'header',
		headerName: 'X-Api-Key',
		headerSecret: sandbox.apiKey,
		...changes,
	});
	return {
		sandbox: () => sandbox,
		credential,
		run: async (parameters, options = {}) =>
			await runAction({ credential: credential(), parameters, ...options }),
		async bodies(operationId) {
			const { items } = await sandbox.requests({ limit: 1000 });
			return items
				.filter((request) => request.operationId === operationId)
				.map((request) => request.body);
		},
	};
}
