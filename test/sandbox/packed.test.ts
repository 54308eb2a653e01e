import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const tool = pathToFileURL(path.resolve(__dirname, '..', '..', 'host', 'packageTarball.ts')).href;

describe('the package that is built once', () => {
	let folder: string;

	/** By which sources a built package is found again. */
	const digest = () =>
		execFileSync(
			process.execPath,
			[
				...['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval'],
				`import { digestOf } from ${JSON.stringify(tool)}; console.log(digestOf(process.argv[1]));`,
				folder,
			],
			{ encoding: 'utf8' },
		);

	beforeEach(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'packed-'));
		mkdirSync(path.join(folder, 'nodes'));
		writeFileSync(path.join(folder, 'package.json'), '{}');
		writeFileSync(path.join(folder, 'nodes', 'a.ts'), 'one');
	});

	afterEach(() => {
		rmSync(folder, { recursive: true });
	});

	it('is built again when a source is changed, added, moved or removed', () => {
		const digests = [digest(), digest()];
		expect(new Set(digests).size).toBe(1);
		writeFileSync(path.join(folder, 'nodes', 'a.ts'), 'two');
		digests.push(digest());
		writeFileSync(path.join(folder, 'nodes', 'b.ts'), 'three');
		digests.push(digest());
		renameSync(path.join(folder, 'nodes', 'b.ts'), path.join(folder, 'nodes', 'c.ts'));
		digests.push(digest());
		rmSync(path.join(folder, 'package.json'));
		digests.push(digest());
		expect(new Set(digests).size).toBe(5);
	});
});
