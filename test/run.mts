/**
 * The whole test run, its longer half, or the steps that are named:
 *
 *     npm test
 *     npm run test:more
 *     npm test -- unit engine
 *     npm test -- e2e --shard=1/2
 *     npm test -- --list
 *
 * What starts with a hyphen is handed to Jest. The last line says how much passed and failed: the
 * tests of every suite, and lint and type check as one check each. The exit code is 0 only if nothing
 * failed and every step ran something; the queue steps may be left out, and say so, on a machine that
 * has no Redis or PostgreSQL to offer.
 */
import { steps, type Step } from './steps.mts';
import { summaryOf, totalOf, type StepResult } from './summary.mts';
import { stopTools, type Outcome } from './tools.mts';

const options = process.argv.slice(2).filter((word) => word.startsWith('-') && word !== '--more');
const names = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const layer = process.argv.includes('--more') ? 'more' : 'test';

/** The steps to run, in order. Ends the program where one does not exist. */
function selectedSteps(): Step[] {
	const unknown = names.filter((name) => !steps.some((step) => step.name === name));
	if (unknown.length > 0) {
		const known = steps.map(({ name }) => name).join(', ');
		console.error(`No such step: ${unknown.join(', ')}. There are: ${known}.`);
		process.exit(2);
	}
	return steps.filter((step) =>
		names.length === 0 ? step.layer === layer : names.includes(step.name),
	);
}

/** What the other commands run. */
function leftOut(): string[] {
	return Object.entries({
		test: 'npm test',
		more: 'npm run test:more',
		named: 'npm test -- <name>',
	})
		.filter(([other]) => other !== layer)
		.map(([other, command]) => {
			const others = steps.filter((step) => step.layer === other).map(({ name }) => name);
			return `${others.join(', ')} (${command})`;
		});
}

async function runStep({ name, what, run }: Step): Promise<StepResult> {
	console.log(`\n=== ${name}: ${what}`);
	const started = Date.now();
	let outcome: Outcome;
	try {
		outcome = await run(options);
	} catch (error) {
		console.error(error instanceof Error ? error.message : String(error));
		outcome = { passed: 0, failed: 1 };
	}
	return { name, outcome, milliseconds: Date.now() - started };
}

async function runInOrder(some: readonly Step[]): Promise<StepResult[]> {
	const results: StepResult[] = [];
	for (const step of some) results.push(await runStep(step));
	return results;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => {
		console.error(`Stopped by ${signal}.`);
		void stopTools(signal).then(() => process.exit(1));
	});
}

if (process.argv.includes('--list')) {
	const lines = steps.map(
		({ name, layer, what }) => `${name.padEnd(13)} ${layer.padEnd(6)} ${what}`,
	);
	console.log(lines.join('\n'));
	process.exit();
}

const selected = selectedSteps();
const sideBySide = await Promise.all(
	(['with n8n', 'without'] as const).map(async (group) =>
		runInOrder(selected.filter((step) => step.group === group)),
	),
);
const alone = await runInOrder(selected.filter(({ group }) => group === undefined));
const results = [...sideBySide.flat(), ...alone];

console.log(`\n=== summary\n${summaryOf(results, names.length === 0 ? leftOut() : [])}`);
const { passed, failed } = totalOf(results);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
