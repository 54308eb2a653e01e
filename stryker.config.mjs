import { globSync } from 'node:fs';

/** The files that are changed: the code of one folder, for each change takes some seconds. */
const part = process.env.MUTATE ?? 'nodes/MessagingService/policy/**/*.ts';

const jest = [
	...['node_modules/jest/bin/jest.js', '--selectProjects', 'unit', '--maxWorkers', '1'],
	...['--bail', '--findRelatedTests', ...globSync(part)],
];

/**
 * Mutation testing of a part of the code: `MUTATE='nodes/MessagingService/numbers/*.ts' npm run mutation`.
 * See CONTRIBUTING.md.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	mutate: [part],
	testRunner: 'command',
	commandRunner: { command: `"${process.execPath}" ${jest.join(' ')}` },
	// The tests are compiled without type checks.
	disableTypeChecks: false,
	concurrency: 2,
	tempDirName: '.local/mutation/work',
	ignorePatterns: ['/.local'],
	reporters: ['clear-text', 'progress-append-only', 'html'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: '.local/mutation/report.html' },
	// An endless loop; the related tests take a few seconds.
	timeoutMS: 30_000,
};
