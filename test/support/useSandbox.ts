import { startSandbox, type Sandbox } from '../../host/sandbox.ts';

/** One sandbox for all tests of a file, emptied before each of them. */
export const useSandbox = (): (() => Sandbox) => {
	let sandbox: Sandbox | undefined;
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(async () => {
		await sandbox?.reset();
	});
	afterEach(async () => {
		// Nothing that the sandbox answered or sent may be outside openapi.yaml.
		const violations = await sandbox?.control.get<{ items: string[] }>('/violations');
		expect(violations?.data.items).toEqual([]);
	});
	afterAll(async () => {
		await sandbox?.stop();
	});
	return () => {
		if (!sandbox) throw new Error('The sandbox has not been started');
		return sandbox;
	};
};
