import { createHash } from 'node:crypto';
import path from 'node:path';
import { CheckStatus, type Checker, type CheckResult } from '@stryker-mutator/api/check';
import type { Mutant } from '@stryker-mutator/api/core';

/** Which part of the mutants is run: `MUTATION_SAMPLE=2/24` is the second of 24 equal parts. */
function partOf(sample: string): { part: number; parts: number } {
	const [part, parts] = (/^(\d+)\/(\d+)$/.exec(sample) ?? []).slice(1).map(Number);
	if (part === undefined || parts === undefined || part < 1 || part > parts)
		throw new Error(`MUTATION_SAMPLE is "${sample}". Use e.g. 1/6 for the first of six parts.`);
	return { part, parts };
}

/** A number that is always the same for one mutant, and not related to what the mutant does. */
function numberOf({ fileName, location, mutatorName, replacement }: Mutant): number {
	const file = path.relative(process.cwd(), fileName).replaceAll(path.sep, '/');
	const { start, end } = location;
	const name = JSON.stringify([file, start.line, start.column, end, mutatorName, replacement]);
	return createHash('sha256').update(name).digest().readUInt32BE();
}

/**
 * Leaves out the mutants that are not in the sample. Stryker has no status for them: it shows them as
 * "compile error", which counts neither as killed nor as survived.
 */
export class SampleChecker implements Checker {
	private readonly sample = partOf(process.env.MUTATION_SAMPLE ?? '1/1');

	async init(): Promise<void> {
		await Promise.resolve();
	}

	async group(mutants: Mutant[]): Promise<string[][]> {
		return await Promise.resolve([mutants.map(({ id }) => id)]);
	}

	async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
		const { part, parts } = this.sample;
		const isInSample = (mutant: Mutant) => numberOf(mutant) % parts === part - 1;
		const resultOf = (mutant: Mutant): CheckResult =>
			isInSample(mutant)
				? { status: CheckStatus.Passed }
				: { status: CheckStatus.CompileError, reason: 'not in the sample' };
		return await Promise.resolve(
			Object.fromEntries(mutants.map((mutant) => [mutant.id, resultOf(mutant)])),
		);
	}
}
