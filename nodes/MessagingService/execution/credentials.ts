import { chunk, isEqual, range } from 'lodash';
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { Failure } from '../failure';
import { CREDENTIAL } from '../transport/service';
import { Turns } from '../transport/concurrency';

/** What a credential says for some of the input items, or why it says nothing. */
interface ItemsCredential {
	/** In ascending order. */
	rows: readonly number[];
	data: ICredentialDataDecryptedObject | Failure;
}

/** Up to so many items, the credential of each is read before it counts as the same for all. */
const MAX_COMPARED = 1000;

/** So many are read side by side: one after the other, n8n takes about 1 ms for each. */
const READ_AT_ONCE = 100;

/**
 * Reads the credential, whose fields may be expressions over the input items: the items with equal
 * fields, policy included, belong together. What it has of the time, it has for the whole run.
 * @param rows all input items
 * @throws what n8n throws for a credential that cannot be read
 */
export async function readCredentials(
	context: IExecuteFunctions,
	rows: readonly number[],
): Promise<ItemsCredential[]> {
	const { length } = rows;
	const read = async (row: number) => await context.getCredentials(CREDENTIAL, row);
	const first = await read(0);
	if (length < 2 || !(await dependsOnItem(read, first, length))) return [{ rows, data: first }];
	const groups = new Map<string, ItemsCredential & { rows: number[] }>();
	const turns = new Turns();
	for (const row of rows) {
		const data = await read(row).catch((cause: unknown) => unreadable(Failure.of(cause)));
		const key = JSON.stringify(data instanceof Failure ? data.message : data);
		const group = groups.get(key) ?? { rows: [], data };
		groups.set(key, group);
		group.rows.push(row);
		await turns.give();
	}
	return [...groups.values()];
}

/**
 * Whether the credential differs between the items, by those that exist and by one that does not: there,
 * `$json` throws.
 * @param first that of the first item
 */
async function dependsOnItem(
	read: (row: number) => Promise<ICredentialDataDecryptedObject>,
	first: ICredentialDataDecryptedObject,
	behindLast: number,
): Promise<boolean> {
	const second = await read(1).catch(() => undefined);
	const none = await read(behindLast).catch(() => undefined);
	const isDifferent =
		!isEqual(first, second) ||
		!isEqual(first, none) ||
		(await isOtherFurtherOn(read, first, behindLast));
	if (!isDifferent) return false;
	const isOfTime = !isEqual(first, await read(0));
	if (!isOfTime) return true;
	if (second !== undefined && none !== undefined) return false;
	throw new Failure(
		'The credential depends on the input items and changes with the time',
		'Nothing was sent. In the expressions of the credential, use fields of the items without $now, $today or random values.',
	);
}

/**
 * Whether an item behind the second one has another credential: an expression with a default does not
 * throw. Of more than `MAX_COMPARED` items, so many are looked at, the last one among them.
 */
async function isOtherFurtherOn(
	read: (row: number) => Promise<ICredentialDataDecryptedObject>,
	first: ICredentialDataDecryptedObject,
	length: number,
): Promise<boolean> {
	const step = Math.ceil(length / MAX_COMPARED);
	const others = range(length - 1, 1, -step);
	for (const together of chunk(others, READ_AT_ONCE)) {
		const found = await Promise.all(
			together.map(async (row) => await read(row).catch(() => undefined)),
		);
		if (!found.every((data) => isEqual(first, data))) return true;
	}
	return false;
}

function unreadable({ message }: Failure): Failure {
	return new Failure(
		'The credential cannot be read for this item',
		`Check the expressions in the credential, and the fields of the item that they name (${message}).`,
	);
}
