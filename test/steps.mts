/** The steps of a test run: what each runs, and in which layer. */
import path from 'node:path';
import { provideChromium, provideImg2webp } from '../host/debian.ts';
import { provideQueuePrograms } from './queue/stand/programs.ts';
import { localFolder } from '../host/runtime.mjs';
import { runOfficialChecks } from './official/checks.mts';
import { check, jest, type Outcome } from './tools.mts';

/** One step. A step that throws has failed. */
export interface Step {
	name: string;
	what: string;
	/** `test`: part of `npm test`. `more`: part of `npm run test:more`. `named`: runs only when it is named. */
	layer: 'test' | 'more' | 'named';
	/**
	 * Steps with n8n wait half of their time: the others run beside them. Those of a group run in
	 * order; a step without a group has the machine for itself.
	 */
	group?: 'with n8n' | 'without';
	/** @param options further options for Jest, e.g. `--shard=1/2` */
	run: (options: string[]) => Promise<Outcome>;
}

const tsc = 'typescript/bin/tsc';

/** Tests of the editor as n8n 2 shows it, and of what n8n 1 does not have. */
const onlyOnNewest = 'test/e2e/(walk|mcp|credential|jobForms|examplePeople)';

/** All files share one n8n, which more at a time would only slow down. */
const threeFiles = ['--maxWorkers', '3'];

/** The tests of the engine wait half of their time. */
const fourFiles = ['--maxWorkers', '4'];

/** In the order that leaves no long file to the end. */
const longFirst = ['--testSequencer', path.join(import.meta.dirname, 'support', 'longFirst.cjs')];

/** Ten times as many cases of each property. */
const thorough = { PROPERTY_RUNS: '10' };

/** Lists what no test reaches of the package's code, and fails below the floor, in percent. */
const coverage = [
	'--coverage',
	...['--collectCoverageFrom', '{nodes,credentials}/**/*.ts'],
	...['--coverageReporters', 'text', '--coverageReporters', 'html'],
	...['--coverageDirectory', path.join(localFolder, 'coverage')],
	...['--coverageThreshold', JSON.stringify({ global: { lines: 93, branches: 93 } })],
];

const more = (project: string) => async (options: string[]) =>
	await jest(`${project}-more`, options, thorough);

/** In the order in which they run; the two groups side by side. */
export const steps: Step[] = [
	{
		name: 'queue',
		what: 'events, a retry and a poll in queue mode: Redis, PostgreSQL, two workers',
		layer: 'test',
		group: 'with n8n',
		run: async (options) => await queue('queue', options),
	},
	{
		name: 'e2e',
		what: 'the packed package in a real n8n, and a real browser',
		layer: 'test',
		group: 'with n8n',
		run: async (options) => {
			await provideChromium();
			return await jest('e2e', [...threeFiles, ...longFirst, ...options], { E2E_N8N: 'newest' });
		},
	},
	{
		name: 'lint',
		what: 'ESLint, all rules',
		layer: 'test',
		group: 'without',
		run: async () =>
			await check(['eslint/bin/eslint.js', '-c', 'eslint.own.mjs', '.', '--max-warnings', '0']),
	},
	{
		name: 'typecheck',
		what: 'TypeScript, package and tools',
		layer: 'test',
		group: 'without',
		run: async () =>
			await check([tsc, '-p', 'tsconfig.json', '--noEmit'], [tsc, '-p', 'tsconfig.tools.json']),
	},
	{
		name: 'official',
		what: "n8n's scanner on the packed package, and n8n's lint on the sources",
		layer: 'test',
		group: 'without',
		run: runOfficialChecks,
	},
	{
		name: 'unit',
		what: 'unit tests',
		layer: 'test',
		group: 'without',
		run: async (options) => await jest('unit', options),
	},
	{
		name: 'engine',
		what: "the nodes in n8n's execution engine, against the sandbox",
		layer: 'test',
		group: 'without',
		run: async (options) => await jest('engine', [...fourFiles, ...options]),
	},
	{
		name: 'sandbox',
		what: 'the local sandbox of the service, and what starts n8n',
		layer: 'test',
		group: 'without',
		run: async (options) => await jest('sandbox', options),
	},
	{
		name: 'thorough',
		what: 'unit and engine tests with ten times as many random cases, and what they reach',
		layer: 'more',
		run: async (options) =>
			await jest('unit', ['--selectProjects', 'engine', ...coverage, ...options], thorough),
	},
	{
		name: 'engine-more',
		what: 'long tests of the nodes in the engine',
		layer: 'more',
		run: more('engine'),
	},
	{
		name: 'sandbox-more',
		what: 'a linter on openapi.yaml, and a fresh clone',
		layer: 'more',
		run: more('sandbox'),
	},
	{
		name: 'e2e-more',
		what: 'all forms, attacks, examples in the editor, pictures',
		layer: 'more',
		run: async (options) => {
			await provideChromium();
			await provideImg2webp();
			return await jest('e2e-more', [...threeFiles, ...options], { E2E_N8N: 'newest' });
		},
	},
	{
		name: 'queue-more',
		what: 'all of queue mode',
		layer: 'more',
		run: async (options) => await queue('queue-more', options),
	},
	{
		name: 'compat',
		what: 'end-to-end tests on the oldest n8n that is supported',
		layer: 'named',
		run: async (options) => {
			await provideChromium();
			console.log(`Left out, for they run on n8n 2 only: ${onlyOnNewest}`);
			const left = ['--testPathIgnorePatterns', 'test/e2e/more/', onlyOnNewest];
			return await jest('e2e', [...left, ...threeFiles, ...longFirst, ...options], {
				E2E_N8N: 'oldest',
			});
		},
	},
];

/** A machine that has no Redis or PostgreSQL to offer is no failure, but said. */
async function queue(project: string, options: string[]): Promise<Outcome> {
	try {
		await provideQueuePrograms();
	} catch (error) {
		return { passed: 0, failed: 0, notRun: error instanceof Error ? error.message : String(error) };
	}
	return await jest(project, ['--runInBand', ...options]);
}
