import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startSandbox } from '../support/sandbox';
import { contacts } from './setup';

const contactCount = 300_000;

test('a long list of contacts does not hold up other requests, and its pages stay fast', async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-'));
	const file = path.join(folder, 'longest');
	const sandbox = await startSandbox({
		validateResponses: false,
		environment: {
			LONGEST_TURN_FILE: file,
			NODE_OPTIONS: `--import=${pathToFileURL('test/support/longestTurn.mjs').href}`,
		},
	});
	// The measurement starts two seconds after the process.
	await new Promise((resolve) => setTimeout(resolve, 2500));

	const body = { message: 'Hello', contacts: contacts(contactCount) };
	const { status, data: id } = await sandbox.api.post<string>('/api/Campaigns', body);
	expect(status).toBe(200);
	await sandbox.idle(240);
	for (const place of ['/api/SMSMessages', `/api/Campaigns/${id}/Contacts`]) {
		for (const pageIndex of [1, contactCount / 20]) {
			const { data } = await sandbox.api.get<{ totalRecords: number; items: unknown[] }>(place, {
				params: { pageIndex },
			});
			expect([data.totalRecords, data.items.length]).toEqual([contactCount, 20]);
		}
	}
	expect(Number(await readFile(file, 'utf8'))).toBeLessThan(200);
	await sandbox.stop();
	await rm(folder, { recursive: true });
}, 300_000);
