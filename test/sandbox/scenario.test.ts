import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startSandbox } from '../support/sandbox';
import { contacts, voiceBody } from './setup';

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'scenario-'));
});
afterAll(() => rm(folder, { recursive: true }));

const written = async (scenario: unknown): Promise<string> => {
	const file = path.join(folder, 'scenario.json');
	await writeFile(file, JSON.stringify(scenario));
	return file;
};

const scenario = {
	settings: {
		conventions: { clientIdPlace: 'path', basePath: '/v1' },
		voice: { callsPerSecond: 3 },
	},
	storedPhoneNumbers: [{ storageID: 'one', number: '+447700900123', parameter1: 'blue' }],
	webhooks: [{ url: 'http://127.0.0.1:9/events', clientId: 1002 }],
	smsMessages: [{ message: 'Hello', phoneNumber: '+447700900123' }],
	smsCampaigns: [{ message: 'Hello', contacts: contacts(3) }],
	voiceCampaigns: [voiceBody()],
	faults: [{ times: 2, fault: { kind: 'status', status: 503 } }],
};

test('a scenario is loaded at the start, and once', async () => {
	const file = await written(scenario);
	const database = path.join(folder, 'sandbox.sqlite');
	for (let run = 0; run < 2; run += 1) {
		const sandbox = await startSandbox({ database, scenario: file });
		expect(await sandbox.summary()).toMatchObject({
			smsCampaigns: 1,
			smsCampaignContacts: 3,
			smsMessages: 1,
			voiceCampaigns: 1,
			storedPhoneNumbers: 1,
			requests: 5,
		});
		expect((await sandbox.webhook()).clients).toEqual({ 1002: 'http://127.0.0.1:9/events' });
		await sandbox.stop();
	}
});

test('its settings and faults hold', async () => {
	const sandbox = await startSandbox({ scenario: await written(scenario) });
	const { data } = await sandbox.control.get<object>('/settings');
	expect(data).toMatchObject(scenario.settings);
	const status = async () => (await sandbox.api.get('/v1/api/Campaigns')).status;
	expect([await status(), await status(), await status()]).toEqual([503, 503, 200]);
	await sandbox.stop();
});

test.each([
	[{ setting: {} }, "unknown member 'setting'"],
	[{ settings: { strickt: true } }, 'strickt'],
	[{ smsCampaigns: [{ message: 'Hello' }] }, 'smsCampaigns[0]: 400'],
	[{ faults: [{ fault: { kind: 'fire' } }] }, 'fault.kind must be one of'],
])('%j is refused by name', async (wrong, expected) => {
	const started = promisify(execFile)(process.execPath, [
		'sandbox/service/main.ts',
		...['--port', '0', '--scenario', await written(wrong)],
	]);
	await expect(started).rejects.toMatchObject({
		code: 1,
		stderr: expect.stringContaining(expected),
	});
});
