import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { Failure } from '../../failure';
import { comparedIn } from '../../numbers/readNumber';
import type { OptOutMatches } from '../../parameters/operationInput';
import { isNothing, readOption } from '../../parameters/values';
import { MAX_AGE_MS } from '../refused';
import { entriesIn } from '../../texts';
import { SharedReadings } from '../../transport/sharedReadings';
import {
	PARAMETER_NAMES,
	PARAMETER_OPTIONS,
	readStoredNumbers,
	screenAgainst,
	type StoredNumbers,
} from '../storedNumbers';
import type { Rule } from './rule';

const PARAMETER = 'Do Not Contact: Parameter';
const VALUE = 'Do Not Contact: Value';
const ADVICE = 'Every workflow with this credential leaves it out while it is stored like this.';

/** They are read once for all workflows, and again after five minutes or a failure. */
const storedNumbers = new SharedReadings<StoredNumbers>(MAX_AGE_MS);

/** Leaves out stored numbers with a certain value, in every workflow. */
export const doNotContact: Rule = {
	fields: [
		{
			displayName: PARAMETER,
			name: 'doNotContactParameter',
			type: 'options',
			options: [{ name: 'None', value: '' }, ...PARAMETER_OPTIONS],
			default: '',
			description:
				'Parameter of the stored numbers that says who must not be contacted. No workflow with this credential sends to them.',
		},
		{
			displayName: VALUE,
			name: 'doNotContactValue',
			type: 'string',
			default: '',
			placeholder: 'e.g. Opt out, Undeliverable',
			displayOptions: { hide: { doNotContactParameter: [''] } },
			hint: 'Several values: with commas between them. Phone Number: Opt Out stores the first.',
			description:
				'Stored numbers whose parameter equals one of these values are left out (capitals, blanks and hyphens do not matter). A change holds after five minutes at the latest.',
		},
	],
	read(credential) {
		if (isNothing(credential.doNotContactParameter)) return {};
		const matches = readMatches(credential);
		return {
			matches,
			readBlocked: async (client, noteUnreadable) => {
				const options = comparedIn(client.settings.defaultCountry);
				const key = JSON.stringify([client.accountKey, matches, options]);
				const { readAt, value } = await storedNumbers.get(key, async () =>
					readStoredNumbers(client, matches, options),
				);
				const { numbers, unreadable } = value;
				noteUnreadable(unreadable);
				const lists = [[numbers, 'on the do-not-contact list of the credential']] as const;
				return { readAt, screen: screenAgainst(lists, options, ADVICE) };
			},
		};
	},
};

function readMatches(credential: ICredentialDataDecryptedObject): OptOutMatches {
	const parameter = readOption(credential.doNotContactParameter, PARAMETER, PARAMETER_NAMES);
	const { doNotContactValue: entered } = credential;
	const [first, ...others] = entriesIn(entered).map((value) => ({ parameter, value }));
	if (first !== undefined) return [first, ...others];
	throw Failure.ofField(
		VALUE,
		'is empty',
		'Enter the value that stored numbers have which must not be contacted, for example Opt out.',
	);
}

/** The credential has no such rule, so nobody could be put on its list. */
export function withoutList(): Failure {
	return new Failure(
		'The credential has no do-not-contact list',
		`Switch on Sending Policy in the credential, then set ${PARAMETER}, for example to Parameter 1, and ${VALUE}, for example to Opt out. Nothing was stored.`,
	);
}
