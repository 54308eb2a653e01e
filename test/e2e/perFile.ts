import { sandbox, startOwnSandbox, stopOwnSandbox } from './support/host.ts';

/**
 * A sandbox of its own for each test file, so that files run side by side: another URL is another
 * service to the nodes, with its own webhook URL, requests, faults and clock.
 */
beforeAll(startOwnSandbox);

afterAll(async () => {
	const { contractViolations } = await sandbox().summary();
	await stopOwnSandbox();
	// Nothing that the sandbox answered or sent may be outside openapi.yaml.
	expect(contractViolations).toBe(0);
});
