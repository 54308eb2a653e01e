import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { tell } from '../support/commands.mts';

describe('a command for what the tests share', () => {
	let host: ChildProcess;
	let url: string;

	beforeEach(async () => {
		host = fork(path.join(__dirname, '..', 'support', 'commandHost.mts'), {
			execArgv: ['--disable-warning=ExperimentalWarning'],
		});
		[url] = (await once(host, 'message')) as [string];
	});

	afterEach(() => {
		host.kill('SIGKILL');
	});

	it('gives its result', async () => {
		expect(await tell(url, { give: { rows: [1, 2] } })).toEqual({ rows: [1, 2] });
	});

	it('fails with the reason', async () => {
		await expect(tell(url, { fail: 'The port is taken.' })).rejects.toThrow('The port is taken.');
	});

	it('fails when the process dies instead of responding', async () => {
		await expect(tell(url, { die: true })).rejects.toThrow('does not respond any more');
		await expect(tell(url, { give: 1 })).rejects.toThrow('does not respond any more');
	});
});
