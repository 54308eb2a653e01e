/**
 * Runs the unit and engine tests for Stryker, with Jest's own test framework (jest-circus, `expect`)
 * but without Jest's module system.
 *
 * Stryker's runner for Jest loads n8n anew for every test file of every mutant: half a minute each.
 * Here a process loads n8n once, and for every mutant only our own files, so that no state passes
 * from one mutant to the next. A sandbox is kept as well and cleared instead of started again.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InstrumenterContext, MutantCoverage } from '@stryker-mutator/api/core';
import {
	determineHitLimitReached,
	DryRunStatus,
	TestStatus,
	toMutantRunResult,
	type CompleteDryRunResult,
	type DryRunOptions,
	type DryRunResult,
	type MutantRunOptions,
	type MutantRunResult,
	type TestResult,
	type TestRunner,
	type TestRunnerCapabilities,
} from '@stryker-mutator/api/test-runner';
import { jestExpect } from '@jest/expect';
import type { Circus } from '@jest/types';
import * as circus from 'jest-circus';
import omit from 'lodash/omit.js';
import { OwnModules } from './modules.mts';

type DescribeBlock = Circus.DescribeBlock;

/**
 * How many of the tests that reach a mutant are run on it. Code that every request passes is reached
 * by all of them, which take a minute; a mutant that survives so many counts as survived.
 */
const MOST_TESTS = 150;

/** The same for what runs when a module is loaded, which all tests reach: those about it run first. */
const MOST_TESTS_OF_LOADING = 60;

/**
 * Suites that take more than a minute each: two try on every field what others show on one, and
 * `bulkRetries` waits for the store of retries in each of hundreds of runs.
 */
const TOO_LONG = /attacks(Injection|Secrets)|bulkRetries/;

/** Suites that wait, or handle many thousands of records. */
const SLOW = /engine\/(attacks|bulk|lists|retry)/;

/** What a test file imports that loads the package's code: tests of pages can kill no mutant. */
const LOADS_CODE =
	/from '[^']*\/(nodes|credentials|support\/(actionSuite|trigger|engine|call|simulatedN8n|pollHost))\b/;

/** How a set of tests is run. */
interface RunSettings {
	/** The files, in the order in which they run. */
	files: readonly string[];
	/** Tests after which no further file is begun; none by default. */
	most?: number;
	/** Tests to run, by ID; all by default. */
	only?: ReadonlySet<string>;
	/** Ends at the first failure. */
	bail: boolean;
	/** Told before a test begins, and with nothing when it is over. */
	onTest?: (id: string | undefined) => void;
	/** Called when a file's modules are loaded and its tests are about to run. */
	onLoaded?: () => void;
}

/** Stryker's switchboard: the instrumented code looks here for the mutant that is on. */
const namespace: InstrumenterContext = {};

const nameOf = (entry: Circus.TestEntry | DescribeBlock): string =>
	entry.parent === undefined ? '' : `${nameOf(entry.parent)} ${entry.name}`.trim();

/** Skips the tests that are not wanted, and the hooks of groups without any that is. */
function select(block: DescribeBlock, isWanted: (test: Circus.TestEntry) => boolean): boolean {
	let hasAny = false;
	for (const child of block.children) {
		const isKept = child.type === 'describeBlock' ? select(child, isWanted) : isWanted(child);
		if (!isKept) child.mode = 'skip';
		hasAny ||= isKept;
	}
	return hasAny;
}

const idOf = (file: string, test: Circus.TestEntry) => `${file}: ${nameOf(test)}`;
const fileOf = (id: string) => id.split(': ')[0] ?? '';

/** A file that could not be run, or something that went wrong outside of its tests. */
function broken(file: string, failureMessage: string): TestResult {
	const id = `${file}: as a whole`;
	return { id, name: id, timeSpentMs: 0, status: TestStatus.Failed, failureMessage };
}

export class CircusRunner implements TestRunner {
	private readonly files: readonly string[];
	private readonly modules: OwnModules;
	/**
	 * For each file with mutants, which test files to run first: those about it, and those that have
	 * killed many of its mutants.
	 */
	private readonly points = new Map<string, Map<string, number>>();

	constructor() {
		const files = ['unit', 'engine']
			.flatMap((suite) => globSync(`test/${suite}/**/*.test.ts`).sort())
			.filter((file) => LOADS_CODE.test(readFileSync(file, 'utf8')) && !TOO_LONG.test(file));
		// In this order: a mutant that a unit test kills needs no engine, and seldom a slow test.
		this.files = [
			...files.filter((file) => !SLOW.test(file)),
			...files.filter((file) => SLOW.test(file)),
		];
		this.modules = new OwnModules(process.cwd());
	}

	capabilities(): TestRunnerCapabilities {
		return { reloadEnvironment: true };
	}

	async init(): Promise<void> {
		(globalThis as Record<string, unknown>).__stryker__ = namespace;
		Object.assign(globalThis, omit(circus, 'default'), { expect: jestExpect });
		this.modules.load('test/support/quietEngine.cjs');
		this.modules.shortenPropertyTests();
		// What a mutant left behind may fail later; that is no reason to end the process.
		for (const event of ['uncaughtException', 'unhandledRejection'])
			process.on(event, () => undefined);
		await Promise.resolve();
	}

	async dryRun(options: DryRunOptions): Promise<DryRunResult> {
		const coverage: MutantCoverage = { static: {}, perTest: {} };
		namespace.mutantCoverage = coverage;
		const tests = await this.runAll({
			files: this.files,
			bail: !options.disableBail,
			onTest: (id) => {
				namespace.currentTestId = id;
			},
		});
		return { status: DryRunStatus.Complete, tests, mutantCoverage: coverage };
	}

	async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
		const { activeMutant, mutantActivation, testFilter, hitLimit, disableBail } = options;
		const activate = () => {
			namespace.activeMutant = activeMutant.id;
		};
		namespace.hitLimit = hitLimit;
		namespace.hitCount = hitLimit === undefined ? undefined : 0;
		if (mutantActivation === 'static') activate();
		const points = this.points.get(activeMutant.fileName) ?? this.filesAbout(activeMutant.fileName);
		this.points.set(activeMutant.fileName, points);
		const pointsOf = (file: string) => points.get(file) ?? 0;
		const tests = await this.runAll({
			files: [...this.files].sort((a, b) => pointsOf(b) - pointsOf(a)),
			most: testFilter === undefined ? MOST_TESTS_OF_LOADING : MOST_TESTS,
			only: testFilter && new Set(testFilter),
			bail: !disableBail,
			onLoaded: activate,
		});
		namespace.activeMutant = undefined;
		const killer = tests.find(({ status }) => status === TestStatus.Failed);
		if (killer !== undefined) points.set(fileOf(killer.id), pointsOf(fileOf(killer.id)) + 1);
		const result: DryRunResult = determineHitLimitReached(namespace.hitCount, hitLimit) ?? {
			status: DryRunStatus.Complete,
			tests,
		};
		return toMutantRunResult(result, disableBail);
	}

	async dispose(): Promise<void> {
		await this.modules.dispose();
	}

	/** The test files about a file: of all descriptions, those that import it, of what is beside it. */
	private filesAbout(source: string): Map<string, number> {
		const ending = `/${path.basename(source, '.ts')}'`;
		const folder = path.basename(path.dirname(source));
		const importers = this.files.filter((file) => readFileSync(file, 'utf8').includes(ending));
		const namesakes = this.files.filter(
			(file) => path.basename(file).startsWith(folder) || file.includes(`/${folder}/`),
		);
		return new Map([
			...namesakes.map((file) => [file, 10] as const),
			...importers.map((file) => [file, 20] as const),
			// Few tests, which no other ever overtakes.
			['test/unit/savedWorkflows.test.ts', Infinity],
		]);
	}

	private async runAll(settings: RunSettings): Promise<CompleteDryRunResult['tests']> {
		const results: TestResult[] = [];
		const wanted = settings.only && new Set([...settings.only].map(fileOf));
		for (const file of settings.files) {
			if (wanted?.has(file) === false) continue;
			if (settings.most !== undefined && results.length >= settings.most) break;
			results.push(...(await this.runFile(file, settings)));
			const hasFailed = results.some(({ status }) => status === TestStatus.Failed);
			if (hasFailed && settings.bail) {
				// What was in progress when the test failed must not fail a test of the next mutant.
				await sleep(20);
				break;
			}
		}
		return results;
	}

	/** Runs the tests of one file. */
	private async runFile(file: string, settings: RunSettings): Promise<TestResult[]> {
		const results: TestResult[] = [];
		const { only, bail, onTest, onLoaded } = settings;
		const watch: Circus.EventHandler = (event, state) => {
			if (event.name === 'test_started') onTest?.(idOf(file, event.test));
			if (event.name !== 'test_done') return;
			onTest?.(undefined);
			const { test } = event;
			const [failure] = test.errors.flat().filter((error) => error !== undefined);
			const id = idOf(file, test);
			const base = { id, name: id, timeSpentMs: test.duration ?? 0, fileName: path.resolve(file) };
			if (test.errors.length === 0) {
				results.push({ ...base, status: TestStatus.Success });
				return;
			}
			const failureMessage =
				failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
			results.push({ ...base, status: TestStatus.Failed, failureMessage });
			if (bail) select(state.rootDescribeBlock, () => false);
		};

		circus.resetState();
		circus.getState().testTimeout = 60_000;
		circus.getState().parentProcess = process;
		circus.addEventHandler(watch);
		try {
			this.modules.load(file);
			const { rootDescribeBlock } = circus.getState();
			if (!select(rootDescribeBlock, (test) => only === undefined || only.has(idOf(file, test)))) {
				return [];
			}
			onLoaded?.();
			const { unhandledErrors } = await circus.run();
			if (unhandledErrors.length > 0) {
				results.push(broken(file, unhandledErrors.join('\n')));
			}
		} catch (error) {
			results.push(broken(file, error instanceof Error ? (error.stack ?? '') : String(error)));
		} finally {
			onTest?.(undefined);
			circus.removeEventHandler(watch);
			this.modules.undo();
		}
		return results;
	}
}
