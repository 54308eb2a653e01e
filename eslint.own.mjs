/**
 * What `npm run lint` checks. n8n's own configuration, which `strict` in package.json wants unchanged
 * in `eslint.config.mjs`, applies to what n8n reviews: the nodes, the credential and package.json.
 * What only runs here, tests and tools, may use the file system and the console.
 */
import { defineConfig, globalIgnores } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';
import n8n from './eslint.config.mjs';

export default defineConfig(
	globalIgnores(['dist/', 'coverage/', '.local/', 'docs/', 'examples/']),
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
		// n8n's configuration switches this rule off.
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: { 'n8n-nodes-base/cred-class-field-type-options-password-missing': 'error' },
	},
);
