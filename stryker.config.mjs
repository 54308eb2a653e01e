/** Whether only a sample of the mutants is run. What a sample leaves out would count as found out. */
const isSample = process.env.MUTATION_SAMPLE !== undefined;

/**
 * Mutation testing: `npm run mutation`, for parts of the code
 * `npm run mutation -- --mutate 'nodes/MessagingService/trigger/*.ts'`. See CONTRIBUTING.md.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
	// The tables of the numbers plans are generated.
	mutate: ['nodes/**/*.ts', '!nodes/MessagingService/numbers/data/**', 'credentials/**/*.ts'],
	plugins: ['./test/mutation/plugin.mts'],
	testRunner: 'circus',
	ignorers: ['displayTexts'],
	// Nothing here checks types, and the generated tables have a test that compares their text.
	disableTypeChecks: false,
	coverageAnalysis: 'perTest',
	concurrency: 2,
	// What was found out earlier about code and tests that are still the same is not run again.
	incremental: !isSample,
	checkers: isSample ? ['sample'] : [],
	incrementalFile: '.local/mutation/incremental.json',
	tempDirName: '.local/mutation/work',
	ignorePatterns: ['/.local', '/host/n8n', '/test/e2e', '/test/bench'],
	reporters: ['clear-text', 'progress-append-only', 'folders', 'html', 'json'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: '.local/mutation/report.html' },
	jsonReporter: { fileName: '.local/mutation/report.json' },
	thresholds: { high: 95, low: 90, break: 90 },
	// The tests of a mutant take 30 seconds at most, and those that wait in vain end before this.
	timeoutMS: 180_000,
	timeoutFactor: 0,
	dryRunTimeoutMinutes: 20,
};
