/** TypeScript is compiled by swc, without type checks: `npm run typecheck` does those. */
const transform = {
	'^.+\\.(ts|mts)$': [
		'@swc/jest',
		{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
	],
};

const e2eHost = {
	globalSetup: '<rootDir>/test/e2e/globalSetup.cjs',
	globalTeardown: '<rootDir>/test/e2e/globalTeardown.cjs',
	setupFilesAfterEnv: ['<rootDir>/test/e2e/perFile.ts'],
};

const queueHost = {
	globalSetup: '<rootDir>/test/queue/globalSetup.cjs',
	globalTeardown: '<rootDir>/test/queue/globalTeardown.cjs',
	setupFiles: ['<rootDir>/test/queue/useStand.cjs'],
	setupFilesAfterEnv: ['<rootDir>/test/e2e/perFile.ts'],
};

const shared = {
	engine: { setupFiles: ['<rootDir>/test/support/quietEngine.cjs'] },
	e2e: e2eHost,
	queue: queueHost,
	faults: queueHost,
};

const project = (displayName, folder, settings) => ({
	displayName,
	rootDir: __dirname,
	testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
	testEnvironment: 'node',
	transform,
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/'],
	...shared[displayName.replace('-more', '')],
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
	testTimeout: 60_000,
};
