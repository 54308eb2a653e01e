import type { IDataObject } from 'n8n-workflow';
import type { InputCall } from '../parameters/reader';
import { InputError } from '../parameters/inputError';
import { listItems, listRanges } from '../parameters/ranges';
import type { NumberOptions } from '../numbers/readNumber';
import { RecipientChecks, type Complaint, type Screen } from './checks';
import type { Columns } from './columns';
import { onProblemLabels, readRecipientOptions } from './fields';
import type { RecipientKind } from './kind';
import { readCandidates, type Candidates } from './sources';

/** The recipients of one request. */
export interface Batch {
	recipients: IDataObject[];
	/** The input items that they came from. */
	itemIndexes: readonly number[];
	/** Which campaign of how many it is, where a long list is split; of a file, how many is not known. */
	part: number;
	parts?: number;
}

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
	kind: RecipientKind,
	call: InputCall,
	screen?: Screen,
): RecipientPlan {
	const candidates = readCandidates(kind, call);
	const options = readRecipientOptions(kind, call);
	const { count, isItems, columns } = candidates;
	if (count === 0) throw new InputError(kind.label, 'are empty', 'Add at least one.');
	const plan = { invalid: [] as Complaint[], duplicates: [] as Complaint[] };
	const skipped: Complaint[] = [];
	const stopping: Complaint[] = [];
	const isChecked = ({ code }: Complaint) => code !== 'doNotContact' && code !== 'sendingHours';
	const nameOf = (place: number) => (isItems ? `item ${place}` : `entry ${place + 1}`);
	const checks = new RecipientChecks(
		kind,
		{ ...options, screen, nameOf, expected: count },
		(complaint, onProblem) => {
			if (complaint.code === 'duplicate') plan.duplicates.push(complaint);
			else if (isChecked(complaint)) plan.invalid.push(complaint);
			if (onProblem === 'skip') skipped.push(complaint);
			if (onProblem === 'stop') stopping.push(complaint);
		},
	);
	const recipients: IDataObject[] = [];
	const places: number[] = [];
	for (let position = 0; position < count; position++) {
		const place = isItems ? (call.itemIndexes[position] ?? position) : position;
		const recipient = checks.check(candidates.at(position), place);
		if (recipient === undefined) continue;
		recipients.push(recipient);
		places.push(place);
	}
	return {
		...plan,
		skipped,
		batches: toBatches(
			recipients,
			isItems ? places : call.itemIndexes,
			isItems,
			options.perCampaign,
		),
		isItems,
		numbers: options.numbers,
		columns,
		obstacle:
			stopping.length > 0
				? refusal(kind, stopping, candidates)
				: recipients.length === 0
					? nobodyLeft(kind, skipped)
					: undefined,
	};
}

/**
 * Divides recipients into campaigns, in their order. Without recipients there is one empty batch.
 * @param itemIndexes the input items that they came from: one for each, or the same for all
 */
function toBatches(
	recipients: readonly IDataObject[],
	itemIndexes: readonly number[],
	isItems: boolean,
	size = Math.max(1, recipients.length),
): Batch[] {
	const parts = Math.max(1, Math.ceil(recipients.length / size));
	return Array.from({ length: parts }, (_, index) => {
		const [from, to] = [index * size, (index + 1) * size];
		return {
			recipients: recipients.slice(from, to),
			itemIndexes: isItems ? itemIndexes.slice(from, to) : itemIndexes,
			part: index + 1,
			parts,
		};
	});
}

function nobodyLeft({ label }: RecipientKind, skipped: readonly Complaint[]): RecipientsRefused {
	const description = `None of ${skipped.length} is left to send to. For the first of them, ${skipped[0]?.reason ?? ''}.`;
	return new RecipientsRefused(label, 'are all left out', description, skipped, true);
}

function refusal(
	kind: RecipientKind,
	complaints: readonly Complaint[],
	{ count, isItems }: Candidates,
): RecipientsRefused {
	const [noun, plural] = isItems ? ['item', 'items'] : ['entry', 'entries'];
	// Entries of a list are counted from 1, as people do; items have their index.
	const places = complaints.map(({ itemIndex }) => (isItems ? itemIndex : itemIndex + 1));
	const [first] = complaints;
	const advice = [
		`For the first of them, ${first?.reason ?? ''}.`,
		first?.advice ?? '',
		`Fix or remove these rows and run again, or choose under ${onProblemLabels(kind)} in Options what to do with them.`,
		places.length === 1 ? '' : `All of them: ${plural} ${listRanges(places)}.`,
	];
	return new RecipientsRefused(
		kind.label,
		`include ${places.length} invalid or duplicate ${plural} of ${count} (${listItems(places, noun, plural)})`,
		advice.filter((text) => text !== '').join(' '),
		complaints,
	);
}
