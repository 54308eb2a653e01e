/** TypeScript is compiled by swc, without type checks: `npm run typecheck` does those. */
const transform = {
	'^.+\\.(ts|mts)$': [
		'@swc/jest',
		{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
	],
};

/** Projects whose tests share an n8n: host.mts of this folder starts it. */
const sharing = (folder) => ({
	globals: { hostFile: `${__dirname}/test/${folder}/host.mts` },
	globalSetup: '<rootDir>/test/support/hostSetup.cjs',
	globalTeardown: '<rootDir>/test/support/hostTeardown.cjs',
	setupFilesAfterEnv: ['<rootDir>/test/e2e/perFile.ts'],
});

const shared = {
	engine: {
		setupFiles: ['<rootDir>/test/support/engineEnvironment.cjs'],
		moduleNameMapper: { '^(@langchain/core/tools|ssh2)$': '<rootDir>/test/support/notLoaded.cjs' },
	},
	e2e: sharing('e2e'),
	queue: sharing('queue'),
	faults: sharing('queue'),
};

const project = (displayName, folder, settings) => ({
	displayName,
	rootDir: __dirname,
	testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
	testEnvironment: process.env.MUTATION ? '<rootDir>/scripts/mutationEnvironment.cjs' : 'node',
	transform,
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/'],
	...shared[displayName.replace('-more', '')],
	// Which functions each test file runs: scripts/mutation.mts.
	...(process.env.RECORD_COVERAGE && {
		setupFilesAfterEnv: ['<rootDir>/scripts/recordCoverage.cjs'],
	}),
	...settings,
});

module.exports = {
	projects: [
		// What `npm test` runs.
		...['unit', 'engine', 'sandbox', 'e2e', 'queue', 'faults'].map((name) =>
			project(name, name, { testPathIgnorePatterns: ['/node_modules/', `/test/${name}/more/`] }),
		),
		// What `npm run test:more` adds.
		...['engine', 'sandbox', 'e2e', 'queue'].map((name) => project(`${name}-more`, `${name}/more`)),
	],
	// Jest leaves one core to itself, and it needs little.
	maxWorkers: '100%',
	// Who hangs, hangs for good; beside other work, a test of ten seconds takes a minute.
	testTimeout: 180_000,
};
