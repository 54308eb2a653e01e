import { modelService, type ModelService } from '../../support/modelService.ts';

/** Parameters of the node that send each of `rows` its text. */
export const sendRow = {
	resource: 'smsMessage',
	operation: 'send',
	phoneNumber: '={{ $json.phoneNumber }}',
	message: '={{ $json.text }}',
	sender: 'Shop',
};

/** Rows with the texts m0, m1, ... */
export const rows = (count: number) =>
	Array.from({ length: count }, (_, row) => ({
		phoneNumber: `+44770090${String(row).padStart(4, '0')}`,
		text: `m${String(row)}`,
	}));

/** A service that counts what it accepts, for the tests of a file. */
export function countedService(): ModelService {
	const service = modelService();
	beforeAll(async () => {
		await service.start();
	});
	beforeEach(() => {
		service.reset();
	});
	afterAll(async () => {
		await service.stop();
	});
	return service;
}
