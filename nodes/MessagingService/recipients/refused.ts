import { Failure } from '../failure';
import { clauseOf, type Complaint, type Reason } from '../reason';
import { onProblemLabels } from './fields';
import type { RecipientKind } from './kind';

/**
 * Some recipients are wrong, and the user wants nothing to be sent because of them.
 * @param found how many of how many, and which
 * @param first where the first of them is
 * @param all where to find all of them
 */
export function refusedFor(
	kind: RecipientKind,
	complaints: readonly Complaint[],
	found: string,
	first: string,
	all: string,
): Failure {
	const [complaint] = complaints;
	const texts = [
		complaint === undefined ? '' : `${first}, ${clauseOf(complaint)}.`,
		complaint?.advice ?? '',
		`Fix or remove these rows and run again, or choose under ${onProblemLabels(kind)} in Options what to do with them.`,
		all,
	];
	const description = texts.filter((text) => text !== '').join(' ');
	return Failure.ofField(kind.label, `include ${found}`, description, { reasons: complaints });
}

/** All recipients are left out on purpose. @param first why the first of them is */
export function nobodyLeft(
	{ label }: RecipientKind,
	count: number,
	first: Reason | undefined,
	complaints: readonly Complaint[] = [],
): Failure {
	const why = first === undefined ? '' : ` For the first of them, ${clauseOf(first)}.`;
	const description = `None of ${count} is left to send to.${why}`;
	return Failure.ofField(label, 'are all left out', description, {
		reasons: complaints,
		isLeftOut: true,
	});
}
