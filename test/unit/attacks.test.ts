import { existsSync, readdirSync, readFileSync } from 'node:fs';

const page = readFileSync('docs/development/security-tests.md', 'utf8');

/** The tests that the page names: file and title, as they are in its tables. */
const named = [...page.matchAll(/\| `(test\/[^`]+)`: `([^`]+)` \|$/gm)].map(
	([, file = '', title = '']) => ({ file, title }),
);

/** Rows of tables, without their heads. */
const rows = page.split('\n').filter((line) => /^\| (?!Attack)/.test(line));

describe('docs/development/security-tests.md', () => {
	test('names a test for every attack', () => {
		expect(rows.length).toBeGreaterThan(50);
		expect(named).toHaveLength(rows.length);
	});

	test.each(named)('$file has the test $title', ({ file, title }) => {
		expect(existsSync(file)).toBe(true);
		const source = readFileSync(file, 'utf8');
		const quoted = [`'${title.replaceAll("'", "\\'")}`, `"${title}`, `\`${title}`];
		expect(quoted.filter((text) => source.includes(text))).toHaveLength(1);
	});

	test('gives a command that runs each file of attacks', () => {
		const files = ['engine', 'e2e'].flatMap((project) =>
			readdirSync(`test/${project}`)
				.filter((name) => name.startsWith('attacks'))
				.map((name) => [project, name.replace('.test.ts', '')] as const),
		);
		expect(files.length).toBeGreaterThan(4);
		for (const [project, name] of files) {
			const pattern = project === 'e2e' ? `e2e/${name}` : name;
			expect(page).toContain(
				`npx jest --selectProjects ${project} --testPathPatterns ${pattern}\``,
			);
		}
	});
});
