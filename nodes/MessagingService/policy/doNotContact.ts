import { readNumber, type NumberOptions } from '../numbers/readNumber';
import type { Reason, Screen } from '../reason';
import type { ReadClient } from '../transport/request';
import { sharedStoredNumbers, type StoredMatch } from './storedNumbers';

const because = (text: string): Reason => ({
	code: 'doNotContact',
	text,
	advice: 'Every workflow with this credential leaves it out while it is stored like this.',
});

/**
 * Says why a number is on the list of the credential, which no workflow sends to.
 * @param noteUnreadable is told of stored numbers that are no phone numbers, by their storage IDs
 * @throws what reading the stored numbers throws
 */
export async function doNotContactScreen(
	client: ReadClient,
	match: StoredMatch,
	noteUnreadable: (storageIds: readonly string[]) => void,
): Promise<Screen> {
	const country = client.settings.defaultCountry.trim().toUpperCase();
	const options: NumberOptions = {
		format: 'international',
		defaultCountry: country === '' ? undefined : country,
	};
	const { numbers, unreadable } = await sharedStoredNumbers(client, match, options, Date.now());
	noteUnreadable(unreadable);
	return (number) => {
		const read = readNumber(number, options);
		if (read.problem !== undefined) return because('cannot be compared with those not to contact');
		const found = numbers.covers(read);
		return found && because(`${found} on the do-not-contact list of the credential`);
	};
}
