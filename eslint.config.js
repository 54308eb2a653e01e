/**
 * What `npm run lint` and `n8n-node lint` check: ESLint reads this file before `eslint.config.mjs`,
 * which holds n8n's default configuration, word for word, as `strict` in package.json demands.
 * All of its rules apply to what n8n reviews: the nodes, the credential and package.json. What only
 * runs here, tests and tools, may use the file system and the console.
 */
async function configuration() {
	const { default: n8n } = await import('./eslint.config.mjs');
	const { defineConfig, globalIgnores } = await import('eslint/config');
	const { default: tseslint } = await import('typescript-eslint');
	return defineConfig(
		globalIgnores(['dist/', 'coverage/', '.local/', 'docs/']),
		{
			files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json'],
			extends: [n8n],
		},
		{
			files: ['**/*.{ts,mts}'],
			extends: [tseslint.configs.strict, tseslint.configs.stylistic],
			rules: {
				'@typescript-eslint/consistent-type-imports': 'error',
				// It takes an index signature for a static property.
				'@typescript-eslint/no-extraneous-class': 'off',
				eqeqeq: ['error', 'smart'],
			},
		},
		{
			files: ['{nodes,credentials,sandbox,host}/**/*.ts'],
			rules: {
				'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
			},
		},
		{
			files: ['credentials/**/*.ts'],
			rules: { 'n8n-nodes-base/cred-class-field-type-options-password-missing': 'error' },
		},
	);
}

module.exports = configuration();
