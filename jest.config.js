/** TypeScript is compiled by swc, without type checks: `npm run typecheck` does those. */
const transform = {
	'^.+\\.(ts|mts)$': [
		'@swc/jest',
		{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
	],
};

const project = (displayName) => ({
	displayName,
	rootDir: __dirname,
	testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
	testEnvironment: 'node',
	transform,
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/'],
});

module.exports = {
	projects: [
		...['unit', 'sandbox'].map(project),
		{ ...project('engine'), setupFiles: ['<rootDir>/test/support/quietEngine.cjs'] },
		{
			...project('e2e'),
			globalSetup: '<rootDir>/test/e2e/globalSetup.cjs',
			globalTeardown: '<rootDir>/test/e2e/globalTeardown.cjs',
		},
		...['queue', 'faults'].map((name) => ({
			...project(name),
			globalSetup: '<rootDir>/test/queue/globalSetup.cjs',
			globalTeardown: '<rootDir>/test/queue/globalTeardown.cjs',
			setupFiles: ['<rootDir>/test/queue/useStand.cjs'],
		})),
	],
	// Jest leaves one core to itself, and it needs little.
	maxWorkers: '100%',
	testTimeout: 60_000,
};
