import { provideProcessedData, resetProcessedData } from './deduplication';
import { modelService, type ModelService } from './modelService';

/** A model of the service, and a credential for it. */
export interface ModelSuite {
	service: ModelService;
	credential: { baseUrl: string; clientId: string };
}

/**
 * Runs a model for the tests of a file. It and what n8n remembers are cleared before each test.
 * @param limits of its credential
 */
export function modelSuite(limits: { concurrentRequests?: number } = {}): ModelSuite {
	const service = modelService();
	beforeAll(async () => {
		await provideProcessedData();
		await service.start();
	});
	beforeEach(() => {
		service.reset();
		resetProcessedData();
	});
	afterAll(async () => {
		await service.stop();
	});
	const credential = {
		get baseUrl() {
			return service.url;
		},
		clientId: '1001',
		...limits,
	};
	return { service, credential };
}
