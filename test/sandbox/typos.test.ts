import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSandbox } from '../support/sandbox';
import { pageOf } from './pageSupport';
import { useSandbox } from './setup';

const sandbox = useSandbox();
const page = pageOf(sandbox);

test('an event for a client that does not exist is refused', async () => {
	const { control } = sandbox();
	const body = { clientId: 5 };
	const { status, data } = await control.post<unknown>('/events', body, {
		validateStatus: () => true,
	});
	expect([status, data]).toEqual([400, { message: 'There is no client 5.' }]);
});

test.each([
	[{ conventions: { pageIndexName: 'pageSize' } }, 'must differ'],
	[{ conventions: { pageSizeName: 'sort' } }, 'must differ'],
	[{ conventions: { timeZone: 'Mars/Olympus' } }, 'is not an IANA time zone'],
])('the settings %j are refused, and nothing changes', async (change, message) => {
	const { control } = sandbox();
	const { data: before } = await control.get<unknown>('/settings');
	const response = await control.patch('/settings', change, { validateStatus: () => true });
	expect(response.status).toBe(400);
	expect(response.data).toEqual({ message: expect.stringContaining(message) as string });
	expect((await control.get<unknown>('/settings')).data).toEqual(before);
});

test.each([
	['--prt', '1'],
	['--port', 'x'],
	['--port', '99999'],
	['--time-zone', 'Mars'],
])('%s %s at start is refused in one line', async (...options) => {
	const stderr = await new Promise<string>((resolve) => {
		execFile(
			process.execPath,
			['--disable-warning=ExperimentalWarning', 'sandbox/service/main.ts', ...options],
			{ timeout: 30_000 },
			(error, _stdout, text) => resolve(error?.code === 1 ? text : 'It started.'),
		);
	});
	expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(options[0]) as string]);
});

test('two sandboxes do not share a file', async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-'));
	const database = path.join(folder, 'sandbox.sqlite');
	const first = await startSandbox({ database });
	await expect(startSandbox({ database })).rejects.toThrow('is in use by another sandbox');
	await first.stop();
	const next = await startSandbox({ database });
	await next.stop();
	await rm(folder, { recursive: true });
});

test('rows tell the date only where the day is not today', async () => {
	await sandbox().advanceTo('2999-01-10T06:00:00Z');
	await sandbox().event({ webHookType: 1 });
	expect(await page.section('deliveries')).toMatch(/Response 06:00:0\d/);
	await sandbox().advanceTo('2999-01-11T06:00:00Z');
	expect(await page.section('deliveries')).toMatch(/Response 2999-01-10 06:00:0\d/);
});

test("the page's icon is the nodes' icon", async () => {
	const icon = 'nodes/MessagingService/messagingService.svg';
	expect(await readFile('sandbox/service/page/icon.svg', 'utf8')).toBe(
		await readFile(icon, 'utf8'),
	);
	expect(await page.html()).toContain('data:image/svg+xml,');
});
