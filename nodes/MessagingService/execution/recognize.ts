import { countBy, groupBy, isEmpty, omit } from 'lodash';
import type { Batch } from '../parameters/operationInput';
import { personOf } from '../recipients/phoneNumber';
import type { Earlier, Person, RecipientList } from '../recipients/plan';
import { digest, type Trace } from './job';
import { otherItems } from './ledger';
import type { Receipt, SeveralEntries } from './receipts';

/** What earlier tries have sent for input items. */
interface FoundRows {
	found: Map<number, Earlier>;
	/** Digests of those whose item reaches somebody else now: another item may be theirs. */
	moved: Set<string>;
}

/**
 * Looks up input items in what earlier tries have sent. An item is known by its index, if it reaches
 * whom it reached then.
 * @param rows their digests; undefined where nobody can tell whom an item reaches
 */
export function findRows(
	receipts: readonly Receipt[],
	rows: ReadonlyMap<number, string | undefined>,
): FoundRows {
	const found = new Map<number, Earlier>();
	const moved = new Set<string>();
	for (const { places, digests } of receipts) {
		places.forEach((row, index) => {
			if (!rows.has(row)) return;
			const then = digests[index] ?? '';
			const isKnown = rows.get(row) === then;
			found.set(row, isKnown ? 'known' : 'differs');
			if (!isKnown) moved.add(then);
		});
	}
	return { found, moved };
}

/** Of 100,000 people, no two have the same. */
const PERSON_CHARACTERS = 8;

const digestOf = (text: string) => digest([text]).slice(0, PERSON_CHARACTERS);
const personDigest = ({ number }: Person) => digestOf(personOf(number));
const entryDigest = ({ candidate }: Person, numberName: string) =>
	digestOf(JSON.stringify(omit(candidate, numberName)));
const allDigest = (entries: readonly string[]) => digestOf([...entries].sort().join());

/** The entries of a typed list, as a later try recognizes them. */
interface EntryIndex {
	/** Digests of the people, by the places of their entries. */
	people: ReadonlyMap<number, string>;
	/** The entries of people who have several, by place. */
	several: ReadonlyMap<number, Omit<SeveralEntries, 'sent'> & { own: string }>;
	country?: string;
}

/** Reads all entries of a list. */
export function indexOfEntries({ people, kind, options }: RecipientList): EntryIndex {
	const { numberName } = kind;
	const { defaultCountry: country } = options.numbers;
	const all = people();
	const digests = new Map(all.map((each) => [each.place, personDigest(each)] as const));
	const several = new Map<number, Omit<SeveralEntries, 'sent'> & { own: string }>();
	for (const own of Object.values(groupBy(all, ({ place }) => digests.get(place)))) {
		if (own.length < 2) continue;
		const entries = own.map((each) => entryDigest(each, numberName));
		own.forEach(({ place }, index) => {
			const facts = { count: own.length, all: allDigest(entries), own: entries[index] ?? '' };
			several.set(place, facts);
		});
	}
	const isOpen = all.some(({ isFull }) => !isFull);
	return { people: digests, several, ...(isOpen && country !== undefined ? { country } : {}) };
}

/**
 * What recognizes the recipients of a typed list in a later try.
 * @param account what tells it from others in each try
 */
export function traceOfEntries(
	{ places = [] }: Batch,
	{ people, several: all, country }: EntryIndex,
	account: string,
): Trace {
	const several: Record<string, SeveralEntries> = {};
	for (const place of places) {
		const { own, ...facts } = all.get(place) ?? {};
		if (own === undefined || !('count' in facts)) continue;
		const person = (several[people.get(place) ?? ''] ??= { ...facts, sent: [] } as SeveralEntries);
		person.sent.push(own);
	}
	return {
		places: [],
		digests: places.map((place) => people.get(place) ?? ''),
		account: digestOf(account),
		...(country === undefined ? {} : { country }),
		...(isEmpty(several) ? {} : { several }),
	};
}

/**
 * Looks up the entries of a typed list in what earlier tries have sent: by person and, where somebody
 * has several entries, by which of them it is.
 * @throws Failure where another account or country makes them other people
 */
export function findEntries(
	receipts: readonly Receipt[],
	{ kind: { numberName }, options }: RecipientList,
	people: readonly Person[],
	account: string,
): Map<number, Earlier> {
	const { defaultCountry: country } = options.numbers;
	const isOther = receipts.some(
		(each) =>
			each.account !== digestOf(account) ||
			(each.country !== undefined && each.country !== country),
	);
	if (isOther) throw otherItems({ sent: 'possibly' });
	const sentTimes = countBy(receipts.flatMap(({ digests }) => digests));
	const several = severalOf(receipts);
	const found = new Map<number, Earlier>();
	for (const [person, own] of Object.entries(groupBy(people, personDigest))) {
		const times = sentTimes[person] ?? 0;
		if (times === 0) continue;
		const { count = 1, all, sent = [] } = several[person] ?? {};
		const digests = own.map((each) => entryDigest(each, numberName));
		const isSame = all === allDigest(digests);
		const isAllSent = times >= count && own.length <= count;
		const left = [...sent];
		own.forEach(({ place }, index) => {
			const at = left.indexOf(digests[index] ?? '');
			if (at >= 0) left.splice(at, 1);
			if (at >= 0 || isAllSent || (count === 1 && index === 0)) found.set(place, 'known');
			else if (!isSame) found.set(place, 'differs');
		});
	}
	return found;
}

/** The entries of people with several, over all requests. */
function severalOf(receipts: readonly Receipt[]): Record<string, SeveralEntries> {
	const found: Record<string, SeveralEntries> = {};
	for (const { several = {} } of receipts) {
		for (const [person, entries] of Object.entries(several)) {
			const { sent = [] } = found[person] ?? {};
			found[person] = { ...entries, sent: [...sent, ...entries.sent] };
		}
	}
	return found;
}
