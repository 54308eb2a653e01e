import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyClone } from '../../support/clone';

const repository = path.resolve(__dirname, '..', '..', '..');
const page = readFileSync(path.join(repository, 'docs', 'install.md'), 'utf8');

/** What a machine has that has only git and Node.js: no npm cache, and not the settings of CI. */
function freshEnvironment(cache: string): NodeJS.ProcessEnv {
	const kept = Object.entries(process.env).filter(
		([name]) => name !== 'CI' && !/^npm_(config_(?!cafile|registry)|lifecycle|package)/i.test(name),
	);
	return { ...Object.fromEntries(kept), npm_config_cache: cache };
}

describe('a fresh clone', () => {
	let folder: string;

	beforeAll(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'fresh-clone-'));
	});

	afterAll(() => {
		rmSync(folder, { recursive: true, force: true });
	});

	it('installs and packs with the command of docs/install.md, without a build before', () => {
		const command = /`(npm ci [^`]*npm pack)`/.exec(page)?.[1];
		expect(command).toBeDefined();
		const clone = path.join(folder, 'clone');
		const cache = path.join(folder, 'cache');
		mkdirSync(cache);
		copyClone(clone);

		const { status, stderr } = spawnSync(command ?? '', {
			cwd: clone,
			env: freshEnvironment(cache),
			encoding: 'utf8',
			shell: true,
		});
		expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });

		const [tarball = ''] = readdirSync(clone).filter((name) => name.endsWith('.tgz'));
		const packed = execFileSync('tar', ['tzf', path.join(clone, tarball)], { encoding: 'utf8' });
		expect(packed).toContain('package/dist/nodes/MessagingService/MessagingService.node.js');
		expect(statSync(path.join(clone, tarball)).size).toBeLessThan(240_000);
	}, 600_000);
});
