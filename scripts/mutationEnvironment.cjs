/**
 * The environment of the tests in scripts/mutation.mts. It either records which switches each test
 * reaches (MUTATION_RECORD), or runs the tests of a plan once for each change that the plan has for
 * them (MUTATION_PLAN, MUTATION_LOG), or switches one change on from the start (MUTATION_ON).
 */
const { appendFileSync, readFileSync } = require('node:fs');
const path = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

const { MUTATION_RECORD, MUTATION_PLAN, MUTATION_LOG, MUTATION_ON } = process.env;
/** A test that takes longer with a change than this, and than ten times its usual time, failed. */
const MIN_TIMEOUT = 10_000;

const MOST_SWITCHES = 100_000;

/** @param {Uint8Array} reached */
const numbersIn = (reached) => [...reached.keys()].filter((id) => reached[id] === 1);
/** @param {string} file @param {object} entry */
const append = (file, entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`);

class MutationEnvironment extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.file = path.relative(process.cwd(), context.testPath);
		this.active = MUTATION_ON === undefined ? undefined : Number(MUTATION_ON);
		this.isHit = false;
		/** What the running test has reached, or the file outside of its tests: 1 at the number of a switch. */
		this.reached = new Uint8Array(MOST_SWITCHES);
		this.numbers = new Map();
		const isOn = (id) => {
			if (id !== this.active) return false;
			this.isHit = true;
			return true;
		};
		// A condition is reached where a decision would be another one.
		this.global[Symbol.for('mutation')] = MUTATION_RECORD
			? {
					isChanged__: (id) => {
						this.reached[id] = 1;
						return false;
					},
					decided__: (whenTrue, whenFalse, value) => {
						this.reached[value ? whenFalse : whenTrue] = 1;
						return value;
					},
				}
			: {
					isChanged__: isOn,
					decided__: (whenTrue, whenFalse, value) => {
						if (value ? isOn(whenFalse) : isOn(whenTrue)) return !value;
						return value;
					},
				};
		if (MUTATION_RECORD) this.recorder = { tests: [] };
		if (MUTATION_PLAN) {
			this.plan = new Map(JSON.parse(readFileSync(MUTATION_PLAN, 'utf8')));
			this.killed = new Set();
			// Jest repeats a test that failed: each of ours fails until its changes are all tried.
			this.global[Symbol.for('RETRY_TIMES')] = 1e9;
			this.global[Symbol.for('RETRY_IMMEDIATELY')] = true;
		}
	}

	handleTestEvent(event, state) {
		if (event.name === 'run_start') this.start(state);
		else if (this.recorder) this.record(event);
		else if (this.plan) this.try(event, state);
	}

	/** Numbers the tests; only those of the plan run. */
	start(state) {
		const visit = (block) => {
			for (const child of block.children) {
				if (child.type === 'describeBlock') {
					visit(child);
					continue;
				}
				this.numbers.set(child, this.numbers.size);
				if (this.plan && !this.plan.has(this.numbers.get(child))) child.mode = 'skip';
			}
		};
		visit(state.rootDescribeBlock);
	}

	record(event) {
		if (event.name === 'test_started') {
			this.outside ??= numbersIn(this.reached);
			this.reached.fill(0);
			this.startedAt = performance.now();
		} else if (event.name === 'test_done') {
			const { test } = event;
			this.recorder.tests.push({
				test: this.numbers.get(test),
				milliseconds: Math.round(performance.now() - this.startedAt),
				isGreen: test.errors.length === 0,
				reached: numbersIn(this.reached),
			});
		}
	}

	/** Two runs without a change, then each change, and a run without one after each that is noticed. */
	try(event, state) {
		const { test } = event;
		if (event.name === 'test_started') this.prepare(test, state);
		else if (event.name === 'test_done') this.judge(test);
	}

	prepare(test, state) {
		if (this.current?.test !== test) {
			const ids = this.plan.get(this.numbers.get(test)).filter((id) => !this.killed.has(id));
			this.current = { test, number: this.numbers.get(test), ids, cleanRuns: 2, usual: 0 };
			this.defaultTimeout ??= state.testTimeout;
		}
		const { cleanRuns, ids, usual, number } = this.current;
		this.active = cleanRuns > 0 ? undefined : ids.shift();
		this.isHit = false;
		this.startedAt = performance.now();
		const timeout = Math.max(MIN_TIMEOUT, 10 * usual);
		state.testTimeout = cleanRuns > 0 ? this.defaultTimeout : timeout;
		test.timeout = state.testTimeout;
		if (this.active !== undefined) {
			append(MUTATION_LOG, { started: this.active, test: number, timeout });
		}
	}

	judge(test) {
		const { current, active } = this;
		this.active = undefined;
		const hasFailed = test.errors.length > 0 || test.unhandledRejectionErrorByPromise?.size > 0;
		if (active === undefined) {
			if (hasFailed) {
				// What an earlier change has left behind, or a test that cannot be repeated.
				append(MUTATION_LOG, { unclean: current.number, after: current.noticed });
				process.exit(3);
			}
			current.cleanRuns--;
			current.usual = Math.max(current.usual, performance.now() - this.startedAt);
		} else {
			const outcome = hasFailed ? 'killed' : this.isHit ? 'survived' : 'missed';
			append(MUTATION_LOG, { ended: active, test: current.number, outcome });
			if (hasFailed) {
				this.killed.add(active);
				current.noticed = active;
				current.cleanRuns = 1;
			}
		}
		test.errors.length = 0;
		if (current.cleanRuns > 0 || current.ids.length > 0) test.errors.push(new Error('again'));
	}

	async teardown() {
		if (this.recorder) {
			const outside = this.outside ?? numbersIn(this.reached);
			append(MUTATION_RECORD, { file: this.file, outside, tests: this.recorder.tests });
		}
		if (this.plan) append(MUTATION_LOG, { finished: true });
		await super.teardown();
	}
}

module.exports = MutationEnvironment;
