import { isEqual, range } from 'lodash';
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { Failure } from '../failure';
import { CREDENTIAL } from '../transport/service';
import { Breaks } from '../transport/concurrency';

/** What a credential says for some of the input items, or why it says nothing. */
interface ItemsCredential {
	/** In ascending order. */
	rows: readonly number[];
	data: ICredentialDataDecryptedObject | Failure;
}

/** Up to so many items, the credential of each is read before it counts as the same for all. */
const MAX_COMPARED = 100;

type Reader = (row: number) => Promise<ICredentialDataDecryptedObject>;

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
	const read: Reader = async (row) => await context.getCredentials(CREDENTIAL, row);
	const first = await read(0);
	if (rows.length < 2 || !(await differsByItem(read, first, rows.length))) {
		return [{ rows, data: first }];
	}
	const groups = new Map<string, ItemsCredential & { rows: number[] }>();
	const breaks = new Breaks();
	for (const row of rows) {
		const data = await read(row).catch((cause: unknown) => unreadableCredential(Failure.of(cause)));
		const key = JSON.stringify(data instanceof Failure ? data.message : data);
		const group = groups.get(key) ?? { rows: [], data };
		groups.set(key, group);
		group.rows.push(row);
		await breaks.take();
	}
	return [...groups.values()];
}

/**
 * Whether the credential differs between the items, by up to `MAX_COMPARED` of them and by one that does
 * not exist: there, `$json` throws, but for an expression with a default.
 * @param first that of the first item
 */
async function differsByItem(
	read: Reader,
	first: ICredentialDataDecryptedObject,
	length: number,
): Promise<boolean> {
	const isOther = async (row: number) => !isEqual(first, await read(row).catch(() => undefined));
	const compared = [length, 1, ...range(length - 1, 1, -Math.ceil(length / MAX_COMPARED))];
	const found = await Promise.all(compared.map(isOther));
	return found.includes(true) && !(await dependsOnTime(read, first, length));
}

/** @throws Failure where the credential depends on the time as well as on the items */
async function dependsOnTime(
	read: Reader,
	first: ICredentialDataDecryptedObject,
	length: number,
): Promise<boolean> {
	if (isEqual(first, await read(0))) return false;
	const isReadable = async (row: number) =>
		await read(row).then(
			() => true,
			() => false,
		);
	if ((await isReadable(1)) && (await isReadable(length))) return true;
	throw new Failure(
		'The credential depends on the input items and changes with the time',
		'In the expressions of the credential, use fields of the items without $now, $today or random values.',
	);
}

function unreadableCredential({ message }: Failure): Failure {
	return new Failure(
		'The credential cannot be read for this item',
		`Check the expressions in the credential, and the fields of the item that they name (${message}).`,
	);
}
