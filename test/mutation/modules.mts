/** Loads our own files without Jest's module system, but with those parts of it that our tests use. */
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Config } from '@jest/types';
import * as swc from '@swc/core';
import type fc from 'fast-check';
import type * as N8nCore from 'n8n-core';
import { ModuleMocker } from 'jest-mock';
import type * as SandboxSupport from '../support/sandbox.ts';

type Sandbox = SandboxSupport.Sandbox;
type StartSandbox = typeof SandboxSupport.startSandbox;

/**
 * Property tests try fewer values than in `npm test`, the same ones on every mutant, and none after
 * two seconds.
 */
const PROPERTY_RUNS = { most: 1000, seed: 1, milliseconds: 2000 };

/** The time, also while a test has another one. */
const timeNow = Date.now;

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
	| 'advanceTimersByTimeAsync'
	| 'clearAllTimers'
	| 'doMock'
	| 'dontMock'
	| 'fn'
	| 'isolateModules'
	| 'mock'
	| 'requireActual'
	| 'resetModules'
	| 'restoreAllMocks'
	| 'runAllTimersAsync'
	| 'setSystemTime'
	| 'spyOn'
	| 'useFakeTimers'
	| 'useRealTimers'
>;

const loaders = (Module as unknown as { _extensions: Record<string, Loader | undefined> })
	._extensions;

/** As Jest has it: calls of `jest.mock` are moved before the imports. */
const withMocksFirst = (options: swc.Options | undefined): swc.Options => ({
	...options,
	jsc: { ...options?.jsc, transform: { hidden: { jest: true } } as swc.TransformConfig },
});

/**
 * A property that holds for all further values after some time. fast-check's own limit would leave the
 * last run of an asynchronous property behind, which then moves the clock of the next tests.
 */
function endingAfter(property: fc.IRawProperty<unknown>, limit: number): fc.IRawProperty<unknown> {
	const end = timeNow() + limit;
	const isAsync = property.isAsync();
	return {
		isAsync: () => isAsync,
		generate: (...random) => property.generate(...random),
		shrink: (value) => property.shrink(value),
		runBeforeEach: () => property.runBeforeEach(),
		runAfterEach: () => property.runAfterEach(),
		run: (value) => {
			if (timeNow() < end) return property.run(value);
			return isAsync ? Promise.resolve(null) : null;
		},
	};
}

/** Loads our own files, from the copy of the repository that Stryker makes. */
export class OwnModules {
	private readonly require: NodeJS.Require;
	private readonly root: string;
	private sandbox: Promise<Sandbox> | undefined;
	private sandboxUrl: string | undefined;
	/** What makes the modules that stand in for others, by the file of these. */
	private readonly mocks = new Map<string, () => unknown>();
	/** Those of them that were asked for. */
	private mocked = new Map<string, unknown>();
	private readonly mocker = new ModuleMocker(globalThis);
	private readonly timers = new ModernFakeTimers({
		global: globalThis,
		config: { fakeTimers: {} } as Config.ProjectConfig,
	});

	constructor(root: string) {
		this.root = root;
		this.require = createRequire(path.join(root, 'package.json'));
		this.compileTypeScript();
	}

	/** Loads a file; all our modules are forgotten before, and with them what they remember. */
	load(file: string): void {
		this.mocks.clear();
		this.forget();
		this.forgetDeduplication();
		this.require(path.join(this.root, file));
	}

	/** Undoes what a file's tests did to the process: one that fails may not come to it. */
	undo(): void {
		this.timers.useRealTimers();
		this.mocker.restoreAllMocks();
	}

	/** Makes property tests shorter, with the same values in every run. */
	shortenPropertyTests(): void {
		const original = this.require('fast-check') as { default: typeof fc };
		const module = this.require.cache[this.require.resolve('fast-check')];
		if (module === undefined) throw new Error('fast-check is not where it was loaded from');
		const { most, seed, milliseconds } = PROPERTY_RUNS;
		const assert = (property: fc.IRawProperty<unknown>, parameters?: fc.Parameters<unknown>) =>
			original.default.assert(endingAfter(property, milliseconds), {
				...parameters,
				numRuns: Math.min(parameters?.numRuns ?? Infinity, most),
				seed,
			});
		// Its own object is read-only.
		module.exports = { __esModule: true, default: { ...original.default, assert } };
	}

	/** Ends what is kept between runs. */
	async dispose(): Promise<void> {
		await (await this.sandbox)?.stop();
	}

	/** Forgets our modules, and gives them. */
	private forget(): Record<string, NodeJS.Module | undefined> {
		const known = Object.entries(this.require.cache).filter(([file]) => this.isOwn(file));
		for (const [file] of known) {
			// eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the cache is made so
			delete this.require.cache[file];
		}
		this.mocked = new Map();
		return Object.fromEntries(known);
	}

	/** n8n takes its store of processed data once per process. A test file gives its own. */
	private forgetDeduplication(): void {
		const { DataDeduplicationService } = this.require('n8n-core') as typeof N8nCore;
		Object.assign(DataDeduplicationService, { instance: undefined });
	}

	private isolate(run: () => void): void {
		const { mocked } = this;
		const known = this.forget();
		try {
			run();
		} finally {
			this.forget();
			Object.assign(this.require.cache, known);
			this.mocked = mocked;
		}
	}

	/** Jest's object for one file: names of modules are meant from there. */
	private jestOf(module: NodeJS.Module, fileOf: (name: string) => string): JestObject {
		const { mocker, timers } = this;
		const mock = (name: string, factory: () => unknown) => {
			this.mocks.set(fileOf(name), factory);
			this.mocked.delete(fileOf(name));
		};
		const object = {
			advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
			clearAllTimers: timers.clearAllTimers.bind(timers),
			doMock: mock,
			dontMock: (name: string) => this.mocks.delete(fileOf(name)),
			fn: mocker.fn.bind(mocker),
			isolateModules: this.isolate.bind(this),
			mock,
			requireActual: (name: string): unknown => module.require(name),
			resetModules: () => void this.forget(),
			restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
			runAllTimersAsync: timers.runAllTimersAsync.bind(timers),
			setSystemTime: timers.setSystemTime.bind(timers),
			spyOn: mocker.spyOn.bind(mocker),
			useFakeTimers: timers.useFakeTimers.bind(timers),
			useRealTimers: timers.useRealTimers.bind(timers),
		};
		return object as unknown as JestObject;
	}

	/** What stands in for a file, made when it is first asked for. */
	private mockOf(file: string, factory: () => unknown): unknown {
		if (!this.mocked.has(file)) this.mocked.set(file, factory());
		return this.mocked.get(file);
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
		const options = withMocksFirst(transform?.[1]);
		const sandboxSupport = path.join(this.root, 'test/support/sandbox.ts');
		const compiled = new Map<string, Script>();
		const load: Loader = (module, file) => {
			let script = compiled.get(file);
			if (script === undefined) {
				const { code } = swc.transformSync(readFileSync(file, 'utf8'), {
					...options,
					filename: file,
					swcrc: false,
				});
				const names = 'exports, require, module, __filename, __dirname, jest';
				script = new Script(`(function (${names}) {${code}\n})`, { filename: file });
				compiled.set(file, script);
			}
			this.run(script.runInThisContext() as ModuleFunction, module, file);
			if (file === sandboxSupport) {
				const exported = module.exports as typeof SandboxSupport;
				module.exports = {
					...exported,
					startSandbox: this.keeping(exported.startSandbox),
					// Started by a module that was forgotten since.
					isSandbox: (url: unknown) => exported.isSandbox(url) || url === this.sandboxUrl,
				};
			}
		};
		Object.assign(loaders, { '.ts': load, '.mts': load });
		// `X.node` is `X.node.ts`, as for Jest, and not `X.node.json`, which Node.js would try first.
		const { '.json': json } = loaders;
		delete loaders['.json'];
		loaders['.json'] = json;
	}

	/** Runs a file's code. */
	private run(code: ModuleFunction, module: NodeJS.Module, file: string) {
		const { resolve } = createRequire(file);
		const require = (id: string): unknown => {
			const mock = this.mocks.size > 0 ? this.mocks.get(resolve(id)) : undefined;
			return mock === undefined ? module.require(id) : this.mockOf(resolve(id), mock);
		};
		const jest = this.jestOf(module, resolve);
		code(module.exports, require, module, file, path.dirname(file), jest);
	}

	/** A `startSandbox` that gives out one and the same, cleared. */
	private keeping(start: StartSandbox): StartSandbox {
		return async (options) => {
			if (options !== undefined) return await start(options);
			this.sandbox ??= start();
			const sandbox = await this.sandbox;
			this.sandboxUrl = sandbox.url;
			await sandbox.reset();
			return { ...sandbox, stop: async () => undefined };
		};
	}
}
