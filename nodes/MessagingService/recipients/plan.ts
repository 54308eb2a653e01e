import type { InputCall } from '../parameters/inputCall';
import { InputError } from '../parameters/inputError';
import { listItems, listRanges } from '../parameters/ranges';
import type { NumberOptions } from '../numbers/readNumber';
import { toBatches } from './batches';
import type { Batch } from './batch';
import { checkRecipients, type CheckedRecipients, type Complaint } from './checks';
import type { Columns } from './columns';
import { onProblemLabels, readRecipientOptions } from './fields';
import type { RecipientKind } from './kind';
import { screenRecipients, type Screen } from './screen';
import { readCandidates, type Candidates } from './sources';

/** All recipients of a call, checked, and divided into campaigns. */
export interface RecipientPlan {
	batches: Batch[];
	invalid: Complaint[];
	duplicates: Complaint[];
	/** Those of both that are left out, and those that must not be contacted, or not now. */
	skipped: Complaint[];
	/** Whether each recipient is an input item: then complaints name items, else list entries. */
	isItems: boolean;
	/** How their numbers were read. */
	numbers: NumberOptions;
	/** Where they are input items: the input fields they come from. */
	columns?: Columns;
	/** Why nothing may be sent. */
	obstacle?: RecipientsRefused;
}

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
 * Reads and checks all recipients of a call, wherever they come from, before any is sent to.
 * @param screen leaves some of those out that nothing is wrong with
 * @throws InputError for fields that are wrong, and where there is no recipient
 */
export function planRecipients(
	kind: RecipientKind<unknown>,
	call: InputCall,
	screen?: Screen,
): RecipientPlan {
	const candidates = readCandidates(kind, call);
	const options = readRecipientOptions(kind, call);
	if (candidates.count === 0) {
		throw new InputError(kind.label, 'are empty', 'Add at least one.');
	}
	const checked = checkRecipients(kind, candidates, call.itemIndexes, options);
	const { invalid, duplicates } = checked;
	const { isItems, columns } = candidates;
	const screened = screenRecipients(kind, checked, screen);
	const skipped = [...checked.skipped, ...screened.leftOut];
	return {
		batches: toBatches(screened, isItems ? undefined : call.itemIndexes, options.perCampaign),
		invalid,
		duplicates,
		skipped,
		isItems,
		numbers: options.numbers,
		columns,
		obstacle: obstacleOf(kind, candidates, {
			...checked,
			skipped,
			recipients: screened.recipients,
		}),
	};
}

function obstacleOf(
	kind: RecipientKind<unknown>,
	candidates: Candidates,
	{ recipients, stopping, skipped }: CheckedRecipients,
): RecipientsRefused | undefined {
	if (stopping.length > 0) return refusal(kind, stopping, candidates);
	if (recipients.length > 0) return undefined;
	return new RecipientsRefused(
		kind.label,
		'include none to send to',
		`All ${skipped.length} were skipped. The first: ${skipped[0]?.reason ?? ''}.`,
		skipped,
		true,
	);
}

function refusal(
	kind: RecipientKind<unknown>,
	unsorted: readonly Complaint[],
	{ count, noun }: Candidates,
): RecipientsRefused {
	const complaints = [...unsorted].sort((a, b) => a.itemIndex - b.itemIndex);
	// Entries of a list are counted from 1, as people do; items have their index.
	const offset = noun === 'item' ? 0 : 1;
	const places = complaints.map(({ itemIndex }) => itemIndex + offset);
	const plural = noun === 'item' ? 'items' : 'entries';
	return new RecipientsRefused(
		kind.label,
		`include ${places.length} invalid or duplicate ${plural} of ${count} (${listItems(places, noun, plural)})`,
		`For the first of them, ${complaints[0]?.reason ?? ''}.${complaints[0]?.advice === undefined ? '' : ` ${complaints[0].advice}`} Fix or remove these rows and run again, or choose under ${onProblemLabels(kind)} in Options what to do with them.${places.length === 1 ? '' : ` All of them: ${plural} ${listRanges(places)}.`}`,
		complaints,
	);
}
