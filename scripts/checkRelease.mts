/**
 * Fails unless a tag is that of the version in package.json, and CHANGELOG.md tells about it:
 *
 *     node scripts/checkRelease.mts v1.2.3
 */
import { readFileSync } from 'node:fs';

const [tag = ''] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const headings = readFileSync('CHANGELOG.md', 'utf8')
	.split('\n')
	.filter((line) => line.startsWith('## '));

const problems = [
	...(tag === `v${version}` ? [] : [`The tag is "${tag}", package.json says ${version}.`]),
	...(headings.some((heading) => heading.startsWith(`## [${version}] - `))
		? []
		: [`CHANGELOG.md has no "## [${version}] - <date>".`]),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
