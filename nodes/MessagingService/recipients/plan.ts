import { countBy, range } from 'lodash';
import type { Block, CampaignBlock, OperationInput } from '../parameters/operationInput';
import { Failure } from '../failure';
import { listRanges } from '../parameters/ranges';
import type { Complaint, StartScreen } from '../reason';
import { readCandidates, type Columns, type Candidates } from './sources';
import { readRecipientOptions, type RecipientOptions } from './fields';
import type { RecipientKind } from './kind';
import { readRecipientNumber } from './phoneNumber';
import { leftOutAs, nobodyLeft, RecipientPass, refusedFor } from './pass';

/** What is wrong with recipients of a job. */
interface Complaints {
	invalid: Complaint[];
	duplicates: Complaint[];
	/** Those of both that are left out, and those that must not be contacted, or not now. */
	leftOut: Complaint[];
}

/** All recipients of a job, checked, and divided into campaigns. */
export interface RecipientPlan extends Complaints {
	blocks: CampaignBlock[];
	kind: RecipientKind;
	/** Whether each recipient is an input item: then complaints name items, else list entries. */
	isItems: boolean;
	/** Where they are input items: the input fields they come from. */
	columns?: Columns;
	/** Why nothing may be sent. */
	obstacle?: Failure;
}

/** One who may become a recipient. */
interface Person {
	/** The input item, or the position in the list. */
	place: number;
	/** The phone number as a request would have it. */
	number: string;
	/** Whether it is one. */
	isNumber: boolean;
}

/** All who may become recipients of a job, wherever they come from. */
export interface RecipientList extends Candidates {
	kind: RecipientKind;
	input: OperationInput;
	options: RecipientOptions;
	/** Reads all of them. */
	people(): Person[];
}

/** @throws Failure for fields that are wrong, and where there is nobody */
export function readRecipientList(kind: RecipientKind, input: OperationInput): RecipientList {
	const candidates = readCandidates(kind, input);
	const options = readRecipientOptions(kind, input);
	const { count } = candidates;
	if (count === 0) throw Failure.ofField(kind.label, 'are empty', 'Add at least one.');
	const personAt = (position: number): Person => {
		const { [kind.numberName]: value } = candidates.at(position);
		const { number, problem } = readRecipientNumber(value, options.numbers);
		return { place: candidates.placeAt(position), number, isNumber: problem === undefined };
	};
	return { ...candidates, kind, input, options, people: () => range(count).map(personAt) };
}

/** What decides about the recipients of a list, beside their own values. */
interface PlanOptions {
	/** Leaves some of those out that nothing is wrong with. */
	screen: StartScreen | undefined;
	/** The places of those to whom earlier tries have sent: nothing is sent to them now. */
	earlier: ReadonlySet<number>;
	/** Number of the first campaign. */
	firstPart: number;
}

/** Checks all recipients of a job before any is sent to, and divides them. */
export function planRecipients(
	list: RecipientList,
	{ screen, earlier, firstPart }: PlanOptions,
): RecipientPlan {
	const { kind, input, options, isItems, columns } = list;
	const found: Complaints = { invalid: [], duplicates: [], leftOut: [] };
	const stopping: Complaint[] = [];
	const pass = new RecipientPass(kind, {
		...options,
		screen,
		from: 0,
		nameOf: (place) => (isItems ? `item ${place}` : `entry ${place + 1}`),
		complain: (complaint, onProblem) => {
			if (leftOutAs(complaint) === 'invalid') found.invalid.push(complaint);
			if (complaint.code === 'duplicate') found.duplicates.push(complaint);
			if (onProblem === 'skip') found.leftOut.push(complaint);
			if (onProblem === 'stop') stopping.push(complaint);
		},
	});
	const blocks = readBlocks(list, pass, earlier);
	const warning = pass.warning();
	if (warning !== undefined) input.warn?.(warning);
	const campaigns = blocks.map(({ recipients, places }, index) => ({
		recipients,
		itemIndexes: isItems ? places : input.itemIndexes,
		places,
		part: firstPart + index,
	}));
	const plan = { ...found, blocks: campaigns, kind, isItems, columns };
	if (stopping.length > 0) return { ...plan, obstacle: refusal(list, stopping) };
	const isNobody = blocks.length === 0 && earlier.size === 0;
	return isNobody ? { ...plan, obstacle: nobodyOf(plan, found.leftOut) } : plan;
}

/** Those to send to, divided into campaigns. */
function readBlocks(
	list: RecipientList,
	pass: RecipientPass,
	earlier: ReadonlySet<number>,
): Block[] {
	const { kind, count } = list;
	// First: whoever has the number of somebody to whom an earlier try has sent is a duplicate.
	for (let position = 0; position < count; position++) {
		const place = list.placeAt(position);
		if (earlier.has(place)) pass.skipSent(list.at(position)[kind.numberName], place);
	}
	const blocks: Block[] = [];
	for (let position = 0; position < count; position++) {
		const place = list.placeAt(position);
		if (earlier.has(place)) continue;
		pass.take(list.isBlank(position) ? undefined : list.at(position), place);
		if (pass.isFull) blocks.push(...pass.endBlock());
	}
	return [...blocks, ...pass.endBlock()];
}

/** Nobody of a list is left to send to. */
export function nobodyOf(
	{ kind }: Pick<RecipientPlan, 'kind'>,
	leftOut: readonly Complaint[],
): Failure {
	return nobodyLeft(kind, countBy(leftOut, leftOutAs), leftOut[0], leftOut);
}

function refusal(
	{ kind, count, isItems }: RecipientList,
	complaints: readonly Complaint[],
): Failure {
	const [noun, plural] = isItems ? ['item', 'items'] : ['entry', 'entries'];
	// Entries of a list are counted from 1, as people do; items have their index.
	const places = complaints.map(({ place }) => (isItems ? place : place + 1));
	const all = places.length === 1 ? '' : `All of them: ${plural} ${listRanges(places)}.`;
	const found = `${places.length} invalid or duplicate ${places.length === 1 ? noun : plural} of ${count}`;
	return refusedFor(kind, complaints, found, `For ${noun} ${places[0]}`, all);
}
