/**
 * Runs the unit and engine tests for Stryker, with Jest's own test framework (jest-circus, `expect`)
 * but without Jest's module system.
 *
 * Stryker's runner for Jest loads n8n anew for every test file of every mutant: half a minute each.
 * Here a process loads n8n once, and for every mutant only our own files, so that no state passes
 * from one mutant to the next. A sandbox is kept as well and cleared instead of started again.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
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
import groupBy from 'lodash/groupBy.js';
import omit from 'lodash/omit.js';
import sortBy from 'lodash/sortBy.js';
import sumBy from 'lodash/sumBy.js';
import { OwnModules } from './modules.mts';

type DescribeBlock = Circus.DescribeBlock;

/**
 * How long the tests may take together that are run on a mutant, measured without one. Code that
 * every request passes is reached by thousands of tests, which take minutes; a mutant that survives
 * so many counts as survived. A sample has time for more of them.
 */
const MOST_MS = process.env.MUTATION_SAMPLE === undefined ? 5_000 : 30_000;

/** The same for what runs when a module is loaded, which all tests reach: those about it run first. */
const MOST_MS_OF_LOADING = MOST_MS / 2;

/** Suites that take more than a minute each: they try on every field what others show on one. */
const TOO_LONG = /attacks(Injection|Secrets)|fieldValues/;

/** Suites about the files of a folder, beside those that have the folder's name. */
const SUITES: Record<string, RegExp | undefined> = {
	execution: /engine\/(bulk|file[RS]|hints|policyDivided|retry)/,
	file: /engine\/(file[RS]|hostileFiles)|unit\/files/,
	methods: /engine\/(credentialTest|lists|locators)/,
	recipients: /engine\/(bulk|phoneNumbers)|unit\/(files|policy)/,
	returns: /engine\/returns/,
	summary: /resultSizes|summar/,
	smsCampaign: /engine\/returns/,
	voiceCampaign: /engine\/returns/,
};

/** How long each test took without a mutant: one process measures it for all. */
const TIMES_FILE = 'mutation-times.json';

/** Tests that are left out: they fail on a busy machine, where the store of retries is slower. */
const LEFT_OUT = /retriesOfExecutions.*in any order/;

/** What a test file imports that loads the package's code: tests of pages can kill no mutant. */
const LOADS_CODE =
	/from '[^']*\/(nodes|credentials|support\/(actionSuite|trigger|engine|call|simulatedN8n|pollHost))\b/;

/** How a set of tests is run. */
interface RunSettings {
	/** The files, in the order in which they run. */
	files: readonly string[];
	/** Tests to run, by ID; all by default. */
	only?: ReadonlySet<string>;
	/** How long a test may take, by ID. */
	timeoutOf?: (id: string) => number;
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

/** What a report shows of something thrown. */
const textOf = (thrown: unknown) =>
	(thrown instanceof Error ? thrown.stack : inspect(thrown)) ?? '';

export class CircusRunner implements TestRunner {
	private readonly files: readonly string[];
	private readonly modules: OwnModules;
	/**
	 * For each file with mutants, which test files to run first: those about it, and those that have
	 * killed many of its mutants.
	 */
	private readonly points = new Map<string, Map<string, number>>();
	/** How long each test takes without a mutant. */
	private times: ReadonlyMap<string, number> = new Map();

	constructor() {
		this.files = ['unit', 'engine']
			.flatMap((suite) => globSync(`test/${suite}/**/*.test.ts`).sort())
			.filter((file) => LOADS_CODE.test(readFileSync(file, 'utf8')) && !TOO_LONG.test(file));
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
		const times = tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]);
		writeFileSync(TIMES_FILE, JSON.stringify(times));
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
		const chosen = this.chooseTests(testFilter, pointsOf);
		const tests = await this.runAll({
			files: [...new Set(chosen.map(fileOf))],
			only: new Set(chosen),
			// A test that waits for what a mutant prevents fails soon.
			timeoutOf: (id) => 5_000 + 10 * (this.times.get(id) ?? 0),
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

	/**
	 * The tests that are run on a mutant, of those that reach it: first the files with many points, then
	 * those with fast tests, as many as the time allows.
	 */
	private chooseTests(
		reaching: string[] | undefined,
		pointsOf: (file: string) => number,
	): string[] {
		if (this.times.size === 0)
			this.times = new Map(JSON.parse(readFileSync(TIMES_FILE, 'utf8')) as [string, number][]);
		const timeOf = (id: string) => this.times.get(id) ?? 0;
		const byFile = Object.entries(groupBy(reaching ?? [...this.times.keys()], fileOf));
		const inOrder = sortBy(byFile, [
			([file]) => -pointsOf(file),
			([, ids]) => sumBy(ids, timeOf) / ids.length,
		]).flatMap(([, ids]) => sortBy(ids, timeOf));
		let rest = reaching === undefined ? MOST_MS_OF_LOADING : MOST_MS;
		return inOrder.filter((id, index) => {
			const fits = index === 0 || timeOf(id) <= rest;
			if (fits) rest -= timeOf(id);
			return fits;
		});
	}

	/** The test files about a file: of all descriptions, those that import it, of what is beside it. */
	private filesAbout(source: string): Map<string, number> {
		const ending = `/${path.basename(source, '.ts')}'`;
		const folder = path.basename(path.dirname(source));
		const importers = this.files.filter((file) => readFileSync(file, 'utf8').includes(ending));
		const namesakes = this.files.filter(
			(file) =>
				path.basename(file).startsWith(folder) ||
				file.includes(`/${folder}/`) ||
				SUITES[folder]?.test(file) === true,
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
		for (const file of settings.files) {
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
		const { only, timeoutOf, bail, onTest, onLoaded } = settings;
		const watch: Circus.EventHandler = (event, state) => {
			// What a test has left running belongs to it until the next one starts.
			if (event.name === 'test_started') onTest?.(idOf(file, event.test));
			if (event.name === 'hook_start' && event.hook.type === 'beforeAll') onTest?.(undefined);
			if (event.name !== 'test_done') return;
			const { test } = event;
			const [failure] = test.errors.flat().filter((error) => error !== undefined);
			const id = idOf(file, test);
			const base = { id, name: id, timeSpentMs: test.duration ?? 0, fileName: path.resolve(file) };
			if (test.errors.length === 0) {
				results.push({ ...base, status: TestStatus.Success });
				return;
			}
			const failureMessage = textOf(failure);
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
			const isWanted = (test: Circus.TestEntry) => {
				const id = idOf(file, test);
				test.timeout = timeoutOf?.(id) ?? test.timeout;
				return !LEFT_OUT.test(id) && only?.has(id) !== false;
			};
			if (!select(rootDescribeBlock, isWanted)) {
				return [];
			}
			onLoaded?.();
			const { unhandledErrors } = await circus.run();
			if (unhandledErrors.length > 0) {
				results.push(broken(file, unhandledErrors.join('\n')));
			}
		} catch (error) {
			results.push(broken(file, textOf(error)));
		} finally {
			onTest?.(undefined);
			circus.removeEventHandler(watch);
			this.modules.undo();
		}
		return results;
	}
}
