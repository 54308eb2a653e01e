import { partition, range, sortedUniq, sumBy, union } from 'lodash';
import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Failure } from '../failure';
import { numbersIn } from '../reach';
import { DAY_MS } from '../times';
import {
	addTexts,
	isRetry,
	MOST_ATTEMPTS,
	nodeMemory,
	refusedRetry,
	removeTexts,
	reserve,
	CONFIRM_MS,
	type NodeMemory,
} from './memory';
import { digest, whomOf, type PlannedRequest } from './planned';

/** From so many people on, a run that is killed must not be repeated by its retry. */
const MANY_PEOPLE = 10;

/** How many of its people mark a run: a list that has changed a little still has most of them. */
const MARKED_PEOPLE = 5;

/**
 * Whether a run reaches many people.
 * @param reached how many earlier tries have reached
 */
export function reachesMany(requests: readonly PlannedRequest[], reached: number): boolean {
	const people = sumBy(requests, ({ request }) => numbersIn(request.reaches)?.length ?? 0);
	return people + reached >= MANY_PEOPLE;
}

/**
 * Marks that a run reaches many people, until `unmarkRuns` or for three days. n8n keeps nothing of an
 * execution that is killed or cancelled, so its retry would send everything again. Each try and each
 * round of a loop has the marks of the first one as well, with which a retry begins.
 * @throws Failure in a retry, where an execution that it has no record of has left a mark
 */
export async function markRun(
	context: IExecuteFunctions,
	requests: readonly PlannedRequest[],
): Promise<void> {
	const own = peopleOf(requests);
	const node = nodeMemory(context);
	node.firstMarks ??= own;
	const known = (node.marks ??= {});
	const people = union(node.firstMarks, own).filter((each) => known[each] !== true);
	const marks = people.flatMap(marksOf);
	if (marks.length === 0) return;
	const before = isRetry(context)
		? await reserve(context, marks)
		: await addTexts(context, marks, 1).catch(() => undefined);
	// A first run whose marks cannot be stored sends all the same.
	if (before === undefined) return;
	const [found, added] = partition(people, (each) => before.has(markOf(each, 0)));
	if (isRetry(context) && found.some((each) => known[each] === undefined)) {
		await forget(context, added);
		throw interrupted();
	}
	for (const each of people) known[each] = added.includes(each);
	confirmMarks(context, node, added.flatMap(marksOf));
}

/** As many last digits of a number as each of its spellings has. */
const LAST_DIGITS = 8;

/** The digests of a few people, by what each try has, even with other fields: the end of their numbers. */
function peopleOf(requests: readonly PlannedRequest[]): string[] {
	let first: string[] = [];
	for (const { request } of requests) {
		for (const each of whomOf(request)) {
			const end = lastDigits(String(each));
			const largest = first[MARKED_PEOPLE - 1];
			if (largest !== undefined && end >= largest) continue;
			first = sortedUniq([...first, end].sort()).slice(0, MARKED_PEOPLE);
		}
	}
	return first.map((each) => digest([each]));
}

/** Most numbers end with digits alone: to replace nothing in 100,000 of them takes 10 ms. */
function lastDigits(text: string): string {
	const end = text.slice(-LAST_DIGITS);
	return /^\d+$/.test(end) ? end : text.replace(/\D/g, '').slice(-LAST_DIGITS);
}

/** How many days a mark counts after its own. */
const MARKED_DAYS = 3;

/** The mark of somebody on a day that is so many days ahead, in UTC. */
function markOf(person: string, days: number): string {
	return `running/${Math.floor(Date.now() / DAY_MS) + days}/${person}`;
}

/** A mark for each day on which a retry may look for it. */
const marksOf = (person: string) => range(MARKED_DAYS + 1).map((days) => markOf(person, days));

/** The confirmations in progress, by the node's context, until the run ends. */
const confirmations = new WeakMap<object, { isEnded: boolean; writing?: Promise<unknown> }>();

/**
 * Stores marks again, until they are found: a run that was marked or has ended at the same moment may
 * have overwritten them. Nobody waits for it: a run that ends sooner needs no marks.
 */
function confirmMarks(context: IExecuteFunctions, node: NodeMemory, marks: string[]): void {
	const confirmation = confirmations.get(node) ?? { isEnded: false };
	confirmations.set(node, confirmation);
	const confirm = async () => {
		for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
			await sleep(CONFIRM_MS * (1 + Math.random()));
			if (confirmation.isEnded) return;
			const writing = addTexts(context, marks).catch(() => undefined);
			confirmation.writing = writing;
			if ((await writing)?.size === marks.length) return;
		}
	};
	void confirm();
}

/** The run has ended in a way that n8n saves. */
export async function unmarkRuns(context: IExecuteFunctions): Promise<void> {
	const node = nodeMemory(context);
	const confirmation = confirmations.get(node);
	if (confirmation !== undefined) {
		confirmation.isEnded = true;
		confirmations.delete(node);
		await confirmation.writing;
	}
	const { marks = {} } = node;
	const own = Object.keys(marks).filter((each) => marks[each]);
	await forget(context, own);
	for (const each of own) marks[each] = false;
}

/** Takes people's marks out of the store. One that stays refuses retries at most, never a new execution. */
async function forget(context: IExecuteFunctions, people: string[]): Promise<void> {
	if (people.length === 0) return;
	try {
		await removeTexts(context, people.flatMap(marksOf));
	} catch (error) {
		context.logger.warn('Could not store that this run has ended', { error });
	}
}

function interrupted(): Failure {
	return refusedRetry(
		'An earlier execution with these rows was interrupted while it sent',
		'This node sent nothing now: n8n does not know how far the other one came. Check in the service what was sent, then start a new execution with only the items that were not sent.',
	);
}
