import { InputError } from '../parameters/inputError';
import { clauseOf, type Complaint, type Reason } from '../reason';
import { onProblemLabels } from './fields';
import type { RecipientKind } from './kind';

/** Nothing may be sent to any recipient of a call. */
export class RecipientsRefused extends InputError {
	/** The recipients because of which nothing is sent. */
	readonly complaints: readonly Complaint[];
	/** Whether they were all left out on purpose. */
	readonly areSkipped: boolean;

	constructor(
		label: string,
		problem: string,
		description: string,
		complaints: readonly Complaint[],
		areSkipped = false,
	) {
		super(label, problem, description);
		this.complaints = complaints;
		this.areSkipped = areSkipped;
	}
}

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
): RecipientsRefused {
	const [complaint] = complaints;
	const texts = [
		complaint === undefined ? '' : `${first}, ${clauseOf(complaint)}.`,
		complaint?.advice ?? '',
		`Fix or remove these rows and run again, or choose under ${onProblemLabels(kind)} in Options what to do with them.`,
		all,
	];
	const description = texts.filter((text) => text !== '').join(' ');
	return new RecipientsRefused(kind.label, `include ${found}`, description, complaints);
}

/** All recipients are left out on purpose. @param first why the first of them is */
export function nobodyLeft(
	{ label }: RecipientKind,
	count: number,
	first: Reason | undefined,
	complaints: readonly Complaint[] = [],
): RecipientsRefused {
	const why = first === undefined ? '' : ` For the first of them, ${clauseOf(first)}.`;
	const description = `None of ${count} is left to send to.${why}`;
	return new RecipientsRefused(label, 'are all left out', description, complaints, true);
}
