import { sandbox, startOwnSandbox, stopOwnSandbox } from './support/host.ts';

// A limit that a busy machine does not reach: n8n alone takes a minute to start there.
jest.setTimeout(300_000);

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
