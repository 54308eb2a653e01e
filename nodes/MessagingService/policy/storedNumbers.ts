import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { shown } from '../texts';
import { NumberList } from '../numbers/numberList';
import { readNumber, type NumberOptions } from '../numbers/readNumber';
import type { OptOutMatch } from '../parameters/operationInput';
import type { Reason, Screen } from '../reason';
import { storageList } from '../transport/listRequests';
import { readList } from '../transport/paginate';
import type { ReadClient } from '../transport/request';

/** The texts that are stored with a number (interface, "Stored phone number item"). */
export const PARAMETER_NAMES = Array.from({ length: 9 }, (_, index) => `parameter${index + 1}`);

/** The same for menus. */
export const PARAMETER_OPTIONS = PARAMETER_NAMES.map((value, index) => ({
	name: `Parameter ${index + 1}`,
	value,
}));

/** Interface, "Limits": fewer requests with large pages, but the service has to make each. */
const RECORDS_PER_PAGE = 5000;

/** The stored numbers that are not contacted. */
export interface StoredNumbers {
	numbers: NumberList;
	/** Storage IDs of those that are no phone numbers: they cover what has their last digits. */
	unreadable: string[];
}

/** A value as it is compared: "Opt-out" is "opt out". Letters and digits count, if there are any. */
function comparable(value: unknown): string {
	const text = String(value as string)
		.normalize('NFKC')
		.toLowerCase();
	return text.replace(/[^\p{L}\p{M}\p{N}]/gu, '') || text.trim();
}

/**
 * Leaves out whom lists cover, and numbers that cannot be compared with them.
 * @param lists each with where that is, after "is" or "may be"
 */
export function screenAgainst(
	lists: readonly (readonly [numbers: NumberList, where: string])[],
	options: NumberOptions,
	advice: string,
): Screen {
	const because = (text: string): Reason => ({ code: 'doNotContact', text, advice });
	return (number) => {
		const read = readNumber(number, options);
		if (read.problem !== undefined) return because('cannot be compared with those not to contact');
		for (const [numbers, where] of lists) {
			const found = numbers.covers(read);
			if (found !== undefined) return because(`${found} ${where}`);
		}
		return undefined;
	};
}

const NEEDED =
	'Do Not Contact in the credential and Skip Stored Numbers in this node read the list of stored numbers before anything is sent. This request was not sent.';

async function readItems(client: ReadClient): Promise<IDataObject[]> {
	try {
		return await readList(await storageList(client, RECORDS_PER_PAGE));
	} catch (cause) {
		const failure = Failure.of(cause);
		throw failure.with({ description: `${failure.description} ${NEEDED}` });
	}
}

/**
 * Reads the records with any of the matches.
 * @throws what reading the list throws, and a Failure for a record with neither number nor ID: its
 * fields have other names
 */
export async function readMatching(
	client: ReadClient,
	matches: readonly OptOutMatch[],
): Promise<IDataObject[]> {
	const items = await readItems(client);
	if (items.some(({ number, storageID }) => number === undefined && storageID === undefined)) {
		throw new Failure(
			'The list of stored numbers has a record without a number and without an ID',
			'Nobody can tell whom it stands for. Check the stored numbers in the service.',
		);
	}
	const isMatching = (item: IDataObject) =>
		matches.some(({ parameter, value }) => comparable(item[parameter] ?? '') === comparable(value));
	return items.filter(isMatching);
}

/** Reads the stored numbers with any of the matches. @throws as `readMatching` */
export async function readStoredNumbers(
	client: ReadClient,
	matches: readonly OptOutMatch[],
	options: NumberOptions,
): Promise<StoredNumbers> {
	const found: StoredNumbers = { numbers: new NumberList(), unreadable: [] };
	for (const { number, storageID } of await readMatching(client, matches)) {
		if (!addTo(found.numbers, number, options)) found.unreadable.push(shown(storageID));
	}
	return found;
}

/** @returns whether it is a phone number */
function addTo(numbers: NumberList, number: unknown, options: NumberOptions): boolean {
	const reading = readNumber(number, options);
	if (reading.problem === undefined) numbers.add(reading);
	else numbers.addUnreadable(String(number));
	return reading.problem === undefined;
}

/** The IDs of those records that are about a person, or may be. @param entered the person's number */
export function idsOf(
	records: readonly IDataObject[],
	entered: string,
	options: NumberOptions,
): string[] {
	const person = readNumber(entered, options);
	if (person.problem !== undefined) return [];
	const isAbout = ({ number }: IDataObject) => {
		const own = new NumberList();
		addTo(own, number, options);
		return own.covers(person) !== undefined;
	};
	return records.filter(isAbout).map(({ storageID }) => String(storageID as string));
}
