import { chunk } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Batch, OperationInput } from '../parameters/operationInput';
import { Failure } from '../failure';
import { listRanges } from '../parameters/ranges';
import { BLANK_ROW, type Complaint, type Screen } from '../reason';
import { leftOutAs, RecipientChecks } from './checks';
import { readCandidates, type Columns, type Candidates } from './sources';
import { readRecipientOptions, type OnProblem } from './fields';
import type { RecipientKind } from './kind';
import { nobodyLeft, refusedFor } from './refused';

/** All recipients of a job, checked, and divided into campaigns. */
export interface RecipientPlan {
	batches: Batch[];
	invalid: Complaint[];
	duplicates: Complaint[];
	/** Those of both that are left out, and those that must not be contacted, or not now. */
	skipped: Complaint[];
	/** Whether each recipient is an input item: then complaints name items, else list entries. */
	isItems: boolean;
	/** Where they are input items: the input fields they come from. */
	columns?: Columns;
	/** Why nothing may be sent. */
	obstacle?: Failure;
}

/**
 * Reads and checks all recipients of a job, wherever they come from, before any is sent to.
 * @param screen leaves some of those out that nothing is wrong with
 * @throws Failure for fields that are wrong, and where there is no recipient
 */
export function planRecipients(
	kind: RecipientKind,
	input: OperationInput,
	screen?: Screen,
): RecipientPlan {
	const candidates = readCandidates(kind, input);
	const options = readRecipientOptions(kind, input);
	const { count, isItems, columns } = candidates;
	if (count === 0) throw Failure.ofField(kind.label, 'are empty', 'Add at least one.');
	const nameOf = (place: number) => (isItems ? `item ${place}` : `entry ${place + 1}`);
	const found: [Complaint, OnProblem][] = [];
	const checks = new RecipientChecks(kind, {
		...options,
		screen,
		nameOf,
		complain: (...each) => void found.push(each),
	});
	const recipients: IDataObject[] = [];
	const places: number[] = [];
	for (let position = 0; position < count; position++) {
		const place = isItems ? (input.itemIndexes[position] ?? position) : position;
		if (candidates.isBlank(position)) {
			found.push([{ ...BLANK_ROW, place, phoneNumber: undefined }, 'skip']);
			continue;
		}
		const recipient = checks.check(candidates.at(position), place);
		if (recipient === undefined) continue;
		recipients.push(recipient);
		places.push(place);
	}
	const complaintsThat = (isMeant: (...each: [Complaint, OnProblem]) => boolean) =>
		found.filter((each) => isMeant(...each)).map(([complaint]) => complaint);
	const skipped = complaintsThat((_, onProblem) => onProblem === 'skip');
	const stopping = complaintsThat((_, onProblem) => onProblem === 'stop');
	const itemIndexes = isItems ? places : undefined;
	return {
		batches: toBatches(input, recipients, options.perCampaign, itemIndexes),
		invalid: complaintsThat((complaint) => leftOutAs(complaint) === 'invalid'),
		duplicates: complaintsThat(({ code }) => code === 'duplicate'),
		skipped,
		isItems,
		columns,
		obstacle:
			stopping.length > 0
				? refusal(kind, stopping, candidates)
				: recipients.length === 0
					? nobodyLeft(kind, skipped.length, skipped[0], skipped)
					: undefined,
	};
}

/**
 * Divides recipients into campaigns, in their order.
 * @param itemIndexes the input item of each; undefined where all are of the job's
 */
function toBatches(
	input: OperationInput,
	recipients: readonly IDataObject[],
	size = Infinity,
	itemIndexes?: readonly number[],
): Batch[] {
	const indexes = chunk(itemIndexes, size);
	// Without recipients there is one empty batch, which a dry run describes.
	const lists = recipients.length === 0 ? [[]] : chunk(recipients, size);
	return lists.map((list, index) => ({
		recipients: list,
		itemIndexes: itemIndexes === undefined ? input.itemIndexes : (indexes[index] ?? []),
		part: index + 1,
	}));
}

function refusal(
	kind: RecipientKind,
	complaints: readonly Complaint[],
	{ count, isItems }: Candidates,
): Failure {
	const [noun, plural] = isItems ? ['item', 'items'] : ['entry', 'entries'];
	// Entries of a list are counted from 1, as people do; items have their index.
	const places = complaints.map(({ place }) => (isItems ? place : place + 1));
	const all = places.length === 1 ? '' : `All of them: ${plural} ${listRanges(places)}.`;
	const found = `${places.length} invalid or duplicate ${places.length === 1 ? noun : plural} of ${count}`;
	return refusedFor(kind, complaints, found, `For ${noun} ${places[0]}`, all);
}
