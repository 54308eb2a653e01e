/**
 * Runs the unit and engine tests for Stryker, with Jest's own test framework (jest-circus, `expect`)
 * but without Jest's module system.
 *
 * Stryker's runner for Jest loads n8n anew for every test file of every mutant: half a minute each.
 * Here a process loads n8n once, and for every mutant only our own files, so that no state passes
 * from one mutant to the next. A sandbox is kept as well and cleared instead of started again.
 */
import { globSync, readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Script } from 'node:vm';
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
import * as swc from '@swc/core';
import type fc from 'fast-check';
import * as circus from 'jest-circus';
import { fn, spyOn } from 'jest-mock';
import omit from 'lodash/omit.js';
import type { Sandbox, SandboxOptions } from '../support/sandbox.ts';

type DescribeBlock = Circus.DescribeBlock;
type StartSandbox = (options?: SandboxOptions) => Promise<Sandbox>;

/**
 * How many of the tests that reach a mutant are run on it. Code that every request passes is reached
 * by all of them, which take a minute; a mutant that survives so many counts as survived.
 */
const MOST_TESTS = 150;

/** The same for what runs when a module is loaded, which all tests reach: those about it run first. */
const MOST_TESTS_OF_LOADING = 60;

/** Suites that take a minute each and try on every field what others show on one. */
const TOO_LONG = /attacks(Injection|Secrets)/;

/** Suites that wait, or handle many thousands of records. */
const SLOW = /engine\/(attacks|bulk|lists|retry)/;

/** What a test file imports that loads the package's code: tests of pages can kill no mutant. */
const LOADS_CODE = /from '[^']*\/(nodes|credentials|support\/(actionSuite|trigger|engine|call))\b/;

/** Property tests try fewer values than in `npm test`, and the same ones on every mutant. */
const PROPERTY_RUNS = { most: 50, seed: 1 };

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

/** What Node.js calls to load a file with a given extension. */
type Loader = (module: NodeJS.Module, file: string) => void;

/** A file's code, as a function of what it finds around it. */
type ModuleFunction = (
	exports: unknown,
	require: (id: string) => unknown,
	module: NodeJS.Module,
	file: string,
	folder: string,
	jest: JestObject,
) => void;

/** What our tests use of Jest's object. */
type JestObject = Pick<
	typeof jest,
	'doMock' | 'dontMock' | 'fn' | 'requireActual' | 'resetModules' | 'spyOn'
>;

const loaders = (Module as unknown as { _extensions: Record<string, Loader | undefined> })
	._extensions;

/** Stryker's switchboard: the instrumented code looks here for the mutant that is on. */
const namespace: InstrumenterContext = {};

/** Loads our own files, from the copy of the repository that Stryker makes. */
class OwnModules {
	private readonly require: NodeJS.Require;
	private readonly root: string;
	private sandbox: Promise<Sandbox> | undefined;
	/** What stands in for modules, by the names that they are asked for with. */
	private readonly mocks = new Map<string, unknown>();

	constructor(root: string) {
		this.root = root;
		this.require = createRequire(path.join(root, 'package.json'));
		this.compileTypeScript();
	}

	/** Loads a file; all our modules are forgotten before, and with them what they remember. */
	load(file: string): void {
		this.mocks.clear();
		this.forget();
		this.require(path.join(this.root, file));
	}

	private forget() {
		for (const known of Object.keys(this.require.cache)) {
			// eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the cache is made so
			if (this.isOwn(known)) delete this.require.cache[known];
		}
	}

	/** Jest's object for one file: names of modules are meant from there. */
	private jestOf(module: NodeJS.Module): JestObject {
		const object = {
			doMock: (name: string, factory: () => unknown) => this.mocks.set(name, factory()),
			dontMock: (name: string) => this.mocks.delete(name),
			fn,
			requireActual: (name: string): unknown => module.require(name),
			resetModules: () => {
				this.forget();
			},
			spyOn,
		};
		return object as unknown as JestObject;
	}

	/** Makes property tests shorter, with the same values in every run. */
	shortenPropertyTests(): void {
		const original = this.require('fast-check') as { default: typeof fc };
		const module = this.require.cache[this.require.resolve('fast-check')];
		if (module === undefined) throw new Error('fast-check is not where it was loaded from');
		const assert = (property: fc.IProperty<unknown>, parameters?: fc.Parameters<unknown>) =>
			original.default.assert(property, {
				...parameters,
				numRuns: Math.min(parameters?.numRuns ?? Infinity, PROPERTY_RUNS.most),
				seed: PROPERTY_RUNS.seed,
			});
		// Its own object is read-only.
		module.exports = { __esModule: true, default: { ...original.default, assert } };
	}

	/** Ends what is kept between runs. */
	async dispose(): Promise<void> {
		await (await this.sandbox)?.stop();
	}

	private isOwn(file: string): boolean {
		return (
			file.startsWith(this.root + path.sep) && !file.includes(`${path.sep}node_modules${path.sep}`)
		);
	}

	/** Makes `require` compile TypeScript as Jest is told to, each file once. */
	private compileTypeScript() {
		const { projects } = this.require('./jest.config.js') as {
			projects: { transform: Record<string, [string, swc.Options]> }[];
		};
		const [transform] = Object.values(projects[0]?.transform ?? {});
		const sandboxSupport = path.join(this.root, 'test/support/sandbox.ts');
		const compiled = new Map<string, Script>();
		const load: Loader = (module, file) => {
			let script = compiled.get(file);
			if (script === undefined) {
				const options = { ...transform?.[1], filename: file, swcrc: false };
				const { code } = swc.transformSync(readFileSync(file, 'utf8'), options);
				const names = 'exports, require, module, __filename, __dirname, jest';
				script = new Script(`(function (${names}) {${code}\n})`, { filename: file });
				compiled.set(file, script);
			}
			const run = script.runInThisContext() as ModuleFunction;
			const require = (id: string): unknown =>
				this.mocks.has(id) ? this.mocks.get(id) : module.require(id);
			run(module.exports, require, module, file, path.dirname(file), this.jestOf(module));
			if (file === sandboxSupport) {
				const exported = module.exports as { startSandbox: StartSandbox };
				module.exports = { ...exported, startSandbox: this.keeping(exported.startSandbox) };
			}
		};
		Object.assign(loaders, { '.ts': load, '.mts': load });
		// `X.node` is `X.node.ts`, as for Jest, and not `X.node.json`, which Node.js would try first.
		const { '.json': json } = loaders;
		delete loaders['.json'];
		loaders['.json'] = json;
	}

	/** A `startSandbox` that gives out one and the same, cleared. */
	private keeping(start: StartSandbox): StartSandbox {
		return async (options) => {
			if (options !== undefined) return await start(options);
			this.sandbox ??= start();
			const sandbox = await this.sandbox;
			await sandbox.reset();
			return { ...sandbox, stop: async () => undefined };
		};
	}
}

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
			.flatMap((suite) => globSync(`test/${suite}/*.test.ts`).sort())
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
		const namesakes = this.files.filter((file) => path.basename(file).startsWith(folder));
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
				// What was under way when the test failed must not fail a test of the next mutant.
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
		}
		return results;
	}
}
