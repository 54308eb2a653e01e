import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import axios from 'axios';
import { startSandbox } from '../../host/sandbox.ts';
import { contacts, startReceiver } from './setup';

interface Ended {
	code: number | null;
	signal: NodeJS.Signals | null;
	stdout: string;
	stderr: string;
}

const run = (...options: string[]) => {
	const child: ChildProcess = spawn(
		process.execPath,
		['--disable-warning=ExperimentalWarning', 'sandbox/service/main.ts', ...options],
		{ stdio: 'pipe' },
	);
	let stdout = '';
	let stderr = '';
	let seen = (): void => undefined;
	const started = new Promise<void>((resolve) => {
		seen = resolve;
	});
	child.stdout?.on('data', (data: Buffer) => {
		stdout += data.toString();
		if (stdout.includes(' on http://')) seen();
	});
	child.stderr?.on('data', (data: Buffer) => {
		stderr += data.toString();
	});
	const ended = new Promise<Ended>((resolve) =>
		child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr })),
	);
	return { child, started, ended, output: () => stdout };
};

test('prints one line for people, and before it one for programs', async () => {
	const sandbox = run('--port', '0', '--json');
	await sandbox.started;
	const [json = '', line = '', ...more] = sandbox.output().split('\n');
	const { url, apiKey } = JSON.parse(json) as { url: string; apiKey: string };
	expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	expect(line).toContain(url);
	expect(more).toEqual(['']);
	const { status } = await axios.get(`${url}/api/Campaigns`, {
		headers: { 'X-Api-Key': apiKey },
	});
	expect(status).toBe(200);
	sandbox.child.kill('SIGTERM');
	expect(await sandbox.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
});

test('a database file of another version is emptied', async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-'));
	const file = path.join(folder, 'old.sqlite');
	const database = new DatabaseSync(file);
	database.exec("CREATE TABLE smsCampaigns (id TEXT); INSERT INTO smsCampaigns VALUES ('old')");
	database.close();
	const sandbox = await startSandbox({ database: file });
	expect(await sandbox.summary()).toMatchObject({ smsCampaigns: 0 });
	await sandbox.api.post('/api/Campaigns', { message: 'Hello', contacts: contacts(3) });
	expect(await sandbox.summary()).toMatchObject({ smsCampaigns: 1 });
	await sandbox.stop();
	await rm(folder, { recursive: true });
});

test('a database file keeps everything, and undelivered events are delivered after a restart', async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-'));
	const database = path.join(folder, 'sandbox.sqlite');
	const receiver = await startReceiver();
	const first = await startSandbox({ database });
	await first.registerWebhook(receiver.url);
	await first.settings({ deliveries: { paused: true } });
	await first.api.post('/api/Campaigns', { message: 'Hello', contacts: contacts(3) });
	await expect(first.idle(0.2)).rejects.toThrow('not idle');
	await first.control.post('/time', { to: '2999-01-10T03:30:00Z' });
	await first.stop();
	expect(receiver.received).toHaveLength(0);

	const second = await startSandbox({ database });
	const { now } = (await second.control.get<{ now: string }>('/time')).data;
	expect(now).toMatch(/^2999-01-10T03:3/);
	await second.settings({ deliveries: { paused: false } });
	expect((await second.idle()).deliveries).toMatchObject({ total: 3, acknowledged: 3 });
	expect(receiver.received).toHaveLength(3);
	expect(await second.summary()).toMatchObject({ smsCampaigns: 1, smsCampaignContacts: 3 });
	await second.stop();
	await receiver.close();
	await rm(folder, { recursive: true });
});

test.each([
	['--prt', '1'],
	['--port', 'x'],
	['--port', '99999'],
])('%s %s at start is refused in one line', async (...options) => {
	const { code, stderr } = await run(...options).ended;
	expect(code).toBe(1);
	expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(options[0]) as string]);
});

test('two sandboxes do not share a file', async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-'));
	const database = path.join(folder, 'sandbox.sqlite');
	const first = await startSandbox({ database });
	const logFile = path.join(folder, 'second.log');
	const second = startSandbox({ database, logFile });
	await expect(second).rejects.toThrow('is in use by another sandbox');
	await first.stop();
	const next = await startSandbox({ database });
	await next.stop();
	await rm(folder, { recursive: true });
});
