import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import axios from 'axios';

let folder: string;

const npm = async (cwd: string, ...args: string[]): Promise<void> => {
	const { npm_execpath: file } = process.env;
	const command = file === undefined ? ['npm'] : [process.execPath, file];
	const [program = '', ...before] = command;
	await promisify(execFile)(program, [...before, ...args, '--no-audit', '--no-fund'], {
		cwd,
		// npm test inherits the project's ignore-scripts, which would leave out the build before packing.
		env: { ...process.env, npm_config_ignore_scripts: 'false' },
	});
};

beforeAll(async () => {
	await rm(path.resolve('sandbox/dist'), { recursive: true, force: true });
	folder = await mkdtemp(path.join(tmpdir(), 'sandbox-package-'));
	await npm('sandbox', 'pack', '--pack-destination', folder);
	const [tarball = ''] = await readdir(folder);
	const use = path.join(folder, 'use');
	await mkdir(use);
	await writeFile(path.join(use, 'package.json'), '{ "private": true }');
	await npm(use, 'install', '--prefer-offline', path.join(folder, tarball));
}, 300_000);

afterAll(() => rm(folder, { recursive: true }));

test('the packed sandbox runs in an empty folder', async () => {
	const command = path.join(folder, 'use/node_modules/.bin/messaging-service-sandbox');
	const child = spawn(command, ['--port', '0', '--json', '--exit-with-stdin'], {
		env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH ?? ''}` },
	});
	let errors = '';
	child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
	const lines = createInterface({ input: child.stdout });
	const line = await new Promise<string>((resolve) => lines.once('line', resolve));
	const { url, apiKey } = JSON.parse(line) as { url: string; apiKey: string };
	const api = axios.create({ baseURL: url, headers: { 'X-Api-Key': apiKey }, proxy: false });
	const { data: id } = await api.post<string>('/api/SMSMessages', {
		message: 'Hello',
		phoneNumber: '+447700900123',
	});
	expect((await api.get(`/api/SMSMessages${id}`)).data).toMatchObject({ message: 'Hello' });
	for (const page of ['/', '/docs', '/openapi.yaml', '/openapi.json']) {
		expect((await api.get(page)).status).toBe(200);
	}
	const ended = new Promise((resolve) => child.once('close', resolve));
	child.stdin.end();
	expect([await ended, errors]).toEqual([0, '']);
});
