import { configs as communityNodes } from '@n8n/eslint-plugin-community-nodes';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

/** The classic `eslint-plugin-n8n-nodes-base` rule sets, in flat-config form. */
const nodesBaseRules = (set, files) => ({
	files,
	plugins: { 'n8n-nodes-base': nodesBase },
	rules: nodesBase.configs[set].rules,
});

/** Warnings count as errors: what n8n's reviewers would remark on does not land. */
const asErrors = (rules) =>
	Object.fromEntries(
		Object.entries(rules).map(([name, setting]) => [name, setting === 'warn' ? 'error' : setting]),
	);

const packageFiles = ['package.json', 'nodes/**/*.ts', 'credentials/**/*.ts'];

export default tseslint.config(
	{ ignores: ['dist/', 'coverage/', '.local/', 'host/n8n/', 'host/n8n-1/', 'docs/'] },
	{
		files: ['**/*.{ts,mts}'],
		extends: [...tseslint.configs.strict, ...tseslint.configs.stylistic],
		rules: {
			'@typescript-eslint/consistent-type-imports': 'error',
			eqeqeq: ['error', 'smart'],
			'no-console': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'sandbox/**/*.ts', 'host/**/*.ts'],
		rules: {
			'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
		},
	},
	{ files: ['package.json'], languageOptions: { parser: tseslint.parser } },
	{
		files: packageFiles,
		plugins: communityNodes.recommended.plugins,
		rules: asErrors(communityNodes.recommended.rules),
	},
	nodesBaseRules('community', ['package.json']),
	nodesBaseRules('credentials', ['credentials/**/*.ts']),
	{
		// For n8n's own repository only, says the plugin: there it is a page name, here a URL
		// (`cred-class-field-documentation-url-not-http-url`, in the same set, demands that).
		files: ['credentials/**/*.ts'],
		rules: { 'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off' },
	},
	nodesBaseRules('nodes', ['nodes/**/*.ts']),
);
