/**
 * Mutation testing: `npm run mutation`, for parts of the code
 * `npm run mutation -- --mutate 'nodes/MessagingService/trigger/*.ts'`. See docs/development/mutation.md.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	// The tables of the numbers plans are generated.
	mutate: ['nodes/**/*.ts', '!nodes/MessagingService/numbers/data/**', 'credentials/**/*.ts'],
	plugins: ['./test/mutation/plugin.mts'],
	testRunner: 'circus',
	ignorers: ['displayTexts'],
	coverageAnalysis: 'perTest',
	concurrency: 2,
	// What was found out earlier about code and tests that are still the same is not run again.
	incremental: true,
	incrementalFile: '.local/mutation/incremental.json',
	tempDirName: '.local/mutation/work',
	ignorePatterns: ['/.local', '/host/n8n', '/test/e2e', '/test/bench'],
	reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: '.local/mutation/report.html' },
	jsonReporter: { fileName: '.local/mutation/report.json' },
	thresholds: { high: 95, low: 85, break: 85 },
	timeoutMS: 10_000,
};
