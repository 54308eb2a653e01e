import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { Failure } from '../../failure';
import type { NumberOptions } from '../../numbers/readNumber';
import { isNothing, readOption } from '../../parameters/values';
import type { ReadClient } from '../../transport/request';
import {
	PARAMETER_NAMES,
	readStoredNumbers,
	screenAgainst,
	type StoredMatch,
	type StoredNumbers,
} from '../storedNumbers';
import type { Blocked, Rule } from './rule';

const PARAMETER = 'Do Not Contact: Parameter';
const VALUE = 'Do Not Contact: Value';
const ADVICE = 'Every workflow with this credential leaves it out while it is stored like this.';

/** Leaves out stored numbers with a certain value, in every workflow. */
export const doNotContact: Rule = {
	fields: [
		{
			displayName: PARAMETER,
			name: 'doNotContactParameter',
			type: 'options',
			options: [
				{ name: 'None', value: '' },
				...PARAMETER_NAMES.map((value, index) => ({ name: `Parameter ${index + 1}`, value })),
			],
			default: '',
			description:
				'Parameter of the stored numbers that says who must not be contacted. No workflow with this credential sends to them.',
		},
		{
			displayName: VALUE,
			name: 'doNotContactValue',
			type: 'string',
			default: '',
			placeholder: 'e.g. Opt out',
			displayOptions: { hide: { doNotContactParameter: [''] } },
			description:
				'Stored numbers whose parameter equals this value are left out (case-insensitive). A change holds after five minutes at the latest.',
		},
	],
	read(credential) {
		if (isNothing(credential.doNotContactParameter)) return {};
		const match = readMatch(credential);
		return {
			readBlocked: async (client, noteUnreadable) => {
				const country = client.settings.defaultCountry.toUpperCase();
				const options: NumberOptions = {
					format: 'international',
					defaultCountry: country === '' ? undefined : country,
				};
				const { readAt, stored } = await sharedReading(client, match, options);
				const { numbers, unreadable } = await stored;
				noteUnreadable(unreadable);
				const lists = [[numbers, 'on the do-not-contact list of the credential']] as const;
				const screen = screenAgainst(lists, options, ADVICE);
				return { readAt, screen, refusal: () => tooOld(readAt) };
			},
		};
	},
};

function readMatch(credential: ICredentialDataDecryptedObject): StoredMatch {
	const parameter = readOption(credential.doNotContactParameter, PARAMETER, PARAMETER_NAMES);
	if (!isNothing(credential.doNotContactValue)) {
		return { parameter, value: String(credential.doNotContactValue) };
	}
	throw Failure.ofField(
		VALUE,
		'is empty',
		'Enter the value that stored numbers have which must not be contacted, for example Opt out.',
	);
}

/** How old a reading may be when a request goes out. */
const MAX_AGE_MS = 5 * 60_000;

/** Also before a clock that was set back. */
const isOld = (readAt: number) => Math.abs(Date.now() - readAt) >= MAX_AGE_MS;

/** Why a reading decides nothing any more: the request reads the list again, and waits again. */
function tooOld(readAt: Blocked['readAt']): Failure | undefined {
	if (!isOld(readAt)) return undefined;
	return new Failure(
		'The do-not-contact list was read more than five minutes ago',
		'The request waited too long for its turn after each reading of the list, so it was not sent. If the service allows more, raise Requests per Second in the credential.',
		{ retry: { afterMs: 0 } },
	);
}

interface Reading {
	readAt: number;
	stored: Promise<StoredNumbers>;
}

/** The readings of this process, by account and match. */
const readings = new Map<string, Reading>();

/** Reads the stored numbers once for all workflows, and again after five minutes or a failure. */
async function sharedReading(
	client: ReadClient,
	match: StoredMatch,
	options: NumberOptions,
): Promise<Reading> {
	for (const [key, { readAt }] of readings) if (isOld(readAt)) readings.delete(key);
	const key = JSON.stringify([client.account, match, options]);
	const known = readings.get(key);
	// It fails as well where the execution that reads is cancelled.
	await known?.stored.catch(() => undefined);
	const valid = readings.get(key);
	if (valid !== undefined) return valid;
	const reading = { readAt: Date.now(), stored: readStoredNumbers(client, [match], options) };
	readings.set(key, reading);
	reading.stored.catch(() => {
		if (readings.get(key) === reading) readings.delete(key);
	});
	return reading;
}
