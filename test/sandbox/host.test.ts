import { execFile, spawn } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { obstacleTo } from '../../host/compiler.ts';
import { poll } from '../../host/poll.ts';
import { startServer } from '../../host/server.ts';

const repository = path.resolve(__dirname, '..', '..');
const bootstrap = path.join(repository, 'host', 'bootstrap.mjs');
const runtime = pathToFileURL(path.join(repository, 'host', 'runtime.mjs')).href;

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'host-test-'));
});

afterEach(() => {
	rmSync(folder, { recursive: true, force: true });
});

interface Ending {
	code: number | string | null | undefined;
	stdout: string;
	stderr: string;
}

/** Runs Node.js to its end. */
async function runNode(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ending> {
	return await new Promise((resolve) => {
		execFile(
			process.execPath,
			args,
			{ env: { ...process.env, ...env } },
			(error, stdout, stderr) => {
				resolve({ code: error === null ? 0 : error.code, stdout, stderr });
			},
		);
	});
}

describe('an install', () => {
	it('is not taken for complete when it is killed, and is cleared away by the next one', async () => {
		const target = path.join(folder, 'thing');
		const install = (body: string) =>
			runNode([
				...['--input-type=module', '--eval'],
				`import { installWhole } from ${JSON.stringify(runtime)};
				import { writeFileSync } from 'node:fs';
				await installWhole(${JSON.stringify(target)}, async (folder) => {
					writeFileSync(folder + '/part', 'x');
					${body}
				});`,
			]);
		await install("process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});");
		expect(existsSync(target)).toBe(false);
		expect(readdirSync(folder)).toEqual([expect.stringMatching(/^thing\.unfinished-\d+$/)]);
		await install('');
		expect(readdirSync(folder)).toEqual(['thing']);
	});
});

describe('n8n that must be compiled', () => {
	test.each([
		['a tool is missing', '/home/ada/.cache', ['make', 'c++'], 'Please install make, c++,'],
		['the path has a blank', '/home/ada lovelace/.cache', [], 'Please set XDG_CACHE_HOME'],
	])('says so before it starts, where %s', (_, folder, missing, advice) => {
		expect(obstacleTo(folder, missing)).toContain(advice);
	});

	test('is installed where nothing is missing', () => {
		expect(obstacleTo('/home/ada/.cache', [])).toBeUndefined();
	});
});

describe('the bootstrap', () => {
	const script = (code: string) => {
		const file = path.join(folder, 'script.mts');
		writeFileSync(file, code);
		return file;
	};

	it('runs TypeScript on Node.js 24, its folder first in PATH, and ends as the script ends', async () => {
		const file = script(`
			import path from 'node:path';
			const [first]: string[] = (process.env.PATH ?? '').split(path.delimiter);
			console.log(process.versions.node.split('.')[0], first === path.dirname(process.execPath), ...process.argv.slice(2));
			process.exitCode = 7;
		`);
		const { code, stdout } = await runNode([bootstrap, file, 'a', '--b']);
		expect(stdout.trim()).toBe('24 true a --b');
		expect(code).toBe(7);
	});

	it('passes a signal on to the script', async () => {
		const file = script(`
			process.on('SIGTERM', () => { console.log('got it'); process.exit(3); });
			setInterval(() => {}, 1000);
			console.log('ready');
		`);
		const child = spawn(process.execPath, [bootstrap, file], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		let output = '';
		child.stdout.on('data', (data: Buffer) => {
			output += data.toString();
			if (output === 'ready\n') child.kill('SIGTERM');
		});
		const code = await new Promise((resolve) => child.once('close', resolve));
		expect(output).toBe('ready\ngot it\n');
		expect(code).toBe(3);
	});

	it('says what a long command does and its options, and starts nothing', async () => {
		const { scripts } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as {
			scripts: Record<string, string>;
		};
		for (const name of [
			'soak',
			'bench',
			'bench:poll',
			'bench:scale',
			'bench:trigger',
			'mutation',
		]) {
			const [, file = ''] = /bootstrap\.mjs (\S+)/.exec(scripts[name] ?? '') ?? [];
			const { code, stdout } = await runNode([bootstrap, file, '--help']);
			expect(code ?? 0).toBe(0);
			expect(stdout).toContain(`npm run ${name}`);
			expect(stdout).not.toContain(' * ');
		}
	});
});

describe('the lock of a clone', () => {
	/** A process that takes the lock, says so, and keeps it until it is killed. */
	function contender() {
		const code = `
			import { takeLock } from ${JSON.stringify(pathToFileURL(path.join(repository, 'host', 'lock.ts')).href)};
			try {
				takeLock(${JSON.stringify(path.join(folder, 'start.lock'))});
				console.log('taken');
				setInterval(() => {}, 1000);
			} catch (error) {
				console.log(error.message);
			}`;
		const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		const said = new Promise<string>((resolve) => {
			child.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
		});
		const ended = new Promise((resolve) => child.once('exit', resolve));
		return { said, kill: () => child.kill('SIGKILL'), ended };
	}

	it('goes to one of several processes that start simultaneously, and is free when that one is killed', async () => {
		const contenders = Array.from({ length: 3 }, contender);
		const said = await Promise.all(contenders.map((one) => one.said));
		const refusal = 'This runs already in this clone. Stop that one first.';
		expect(said.sort()).toEqual([refusal, refusal, 'taken']);
		for (const one of contenders) one.kill();
		await Promise.all(contenders.map((one) => one.ended));
		const next = contender();
		expect(await next.said).toBe('taken');
		next.kill();
		await next.ended;
	});
});

describe('packages of the system', () => {
	const debianModule = pathToFileURL(path.join(repository, 'host', 'debian.ts')).href;

	it('are installed for root, who is told why and how to prevent it', async () => {
		const called = path.join(folder, 'called');
		const aptGet = `#!/bin/sh\n[ "$1" = --version ] || echo "$*" >> '${called}'\n`;
		writeFileSync(path.join(folder, 'apt-get'), aptGet, { mode: 0o755 });
		const code = `
			import { installDebianPackages } from ${JSON.stringify(debianModule)};
			process.getuid = () => 0;
			const wanted = { names: ['redis-server'], neededBy: 'Queue mode', usually: '30 s' };
			await installDebianPackages(wanted).catch((error) => console.log(error.message));`;
		const install = (env: NodeJS.ProcessEnv) =>
			runNode(['--input-type=module', '--eval', code], {
				...{ PATH: `${folder}:${process.env.PATH ?? ''}`, SKIP_SYSTEM_PACKAGES: '' },
				...env,
			});
		const { stdout: refusal } = await install({ SKIP_SYSTEM_PACKAGES: '1' });
		expect(refusal).toContain('sudo apt-get install redis-server');
		expect(existsSync(called)).toBe(false);
		const { stdout } = await install({});
		expect(stdout).toMatch(/Queue mode needs redis-server\.[^]*SKIP_SYSTEM_PACKAGES=1/);
		expect(readFileSync(called, 'utf8')).toBe(
			'update\ninstall -y --no-install-recommends redis-server\n',
		);
	});
});

describe('a server', () => {
	const isAlive = (pid: number) => {
		try {
			process.kill(pid, 0);
			return true;
		} catch {
			return false;
		}
	};

	it('is stopped with everything that it has started, also what does not want to', async () => {
		const file = path.join(folder, 'pid');
		const child = "setInterval(() => {}, 1000); process.on('SIGTERM', () => {});";
		const parent = `
			const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}]);
			require('node:fs').writeFileSync(${JSON.stringify(file)}, String(child.pid));
			setInterval(() => {}, 1000);
		`;
		const server = startServer({
			name: 'stubborn',
			args: ['-e', parent],
			cwd: folder,
			env: process.env,
			logFile: path.join(folder, 'server.log'),
		});
		const grandchild = await poll(
			() => {
				const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
				return text === '' ? undefined : Number(text);
			},
			{ what: 'the server to start its child', timeout: 30_000 },
		);
		expect(isAlive(grandchild)).toBe(true);
		await server.stop();
		expect(await server.ended).toBe('signal SIGTERM');
		await poll(() => (isAlive(grandchild) ? undefined : true), {
			what: 'the end of the child',
			timeout: 10_000,
		});
	});
});

describe('npm start', () => {
	const start = path.join(repository, 'host', 'start.ts');

	it('says its options and ports when it is asked, or told something that it does not know', async () => {
		const asked = await runNode([start, '--help']);
		expect(asked).toMatchObject({ code: 0, stderr: '' });
		expect(asked.stdout).toContain('--port <number>           port of n8n (default 5678');
		for (const [option, complaint] of [
			['--prot', "Unknown option '--prot'"],
			['--port=n8n', "--port must be a whole number from 1 to 65535, not 'n8n'."],
		] as const) {
			const { code, stderr } = await runNode([start, option]);
			expect({ option, code }).toEqual({ option, code: 2 });
			expect(stderr).toContain(complaint);
			expect(stderr).not.toContain(' at ');
		}
	});

	it('has a password that nobody can know beforehand', async () => {
		const clones = [path.join(folder, 'a'), path.join(folder, 'b')];
		const programs = clones.map((clone) => {
			cpSync(path.join(repository, 'host'), path.join(clone, 'host'), {
				recursive: true,
				filter: (name) => !name.includes('node_modules'),
			});
			const owner = pathToFileURL(path.join(clone, 'host', 'localOwner.ts')).href;
			return `import { localOwner } from ${JSON.stringify(owner)};
				console.log(localOwner().password, localOwner().password);`;
		});
		const printed = await Promise.all(
			programs.map(async (code) => (await runNode(['--input-type=module', '--eval', code])).stdout),
		);
		for (const [index, line] of printed.entries()) {
			const [first = '', second] = line.trim().split(' ');
			expect(first).toBe(second);
			expect(first).toMatch(/^N8n-[\w-]{16}$/);
			const file = path.join(clones[index] ?? '', '.local', 'owner-password');
			expect(statSync(file).mode & 0o077).toBe(0);
		}
		expect(printed[0]).not.toBe(printed[1]);
	});
});
