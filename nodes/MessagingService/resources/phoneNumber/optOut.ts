import { startCase } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { Failure } from '../../failure';
import { comparedIn } from '../../numbers/readNumber';
import { idsOf, readMatching } from '../../policy/storedNumbers';
import { readingOnce } from '../../transport/sharedReadings';
import { invalidIn, readRecipientNumber, readNumberOptions } from '../../recipients/phoneNumber';
import type { OptOutMatch, OperationInput } from '../../parameters/operationInput';
import { defineOperation } from '../define';
import type { ChangingOperation } from '../operation';

const stoppedNumberField = {
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +447700900123',
	description:
		'Number of the person. Without country code, it needs a Default Country in the credential.',
} satisfies INodeProperties;

type Texts = Pick<ChangingOperation, 'value' | 'name' | 'action' | 'description'>;

interface Storing extends Pick<ChangingOperation, 'readOutput'> {
	/** What is stored in the parameter of the do-not-contact list. */
	valueOf(match: OptOutMatch): string;
	/** What is known before anything is read. */
	output: IDataObject;
}

/**
 * `POST /api/PhoneNumberStorageItem` (interface, "Phone number storage") with the value of the
 * credential's do-not-contact list, or without it. The record has an ID of its own, made from the
 * number, so that it replaces no other one.
 */
function storingOperation(texts: Texts, { valueOf, output, readOutput }: Storing) {
	return defineOperation({
		...texts,
		readOutput,
		fields: [stoppedNumberField],
		reaches: 'nobody',
		request(input) {
			const [match] = input.optOutMatches();
			const { number, storageID } = readStopped(input);
			return {
				method: 'POST',
				path: '/api/PhoneNumberStorageItem',
				reaches: { kind: 'nobody' },
				changes: storageID,
				body: { storageID, number, [match.parameter]: valueOf(match) },
				isRepeatable: true,
				output: { phoneNumber: number, ...output, storageID },
			};
		},
		result: (_response, output) => output,
	});
}

/** The number, and the ID of its opt-out: the same however the number is written. */
function readStopped(input: OperationInput): { number: string; storageID: string } {
	const entered = input.parameters.value(stoppedNumberField.name, stoppedNumberField.displayName);
	const { number, key = number, problem } = readRecipientNumber(entered, readNumberOptions(input));
	if (problem !== undefined) throw invalidIn(stoppedNumberField, problem);
	return { number, storageID: `opt-out-${key.replace(/\D/g, '')}` };
}

/** Once for all numbers of a run: it changes none of the records that are looked for. */
const listedRecords = readingOnce<IDataObject[]>();

/** Whether the list still has the number, under another ID: that of an import, or of an older spelling. */
async function readOthers(input: OperationInput): Promise<IDataObject> {
	const { client } = input;
	try {
		const { number, storageID } = readStopped(input);
		const matches = input.optOutMatches();
		const records = await listedRecords(client, matches, async () => readMatching(client, matches));
		const ids = idsOf(records, number, comparedIn(client.settings.defaultCountry));
		const others = ids.filter((id) => id !== storageID);
		if (others.length === 0) return { optedOut: false, reason: 'OK' };
		const parameter = startCase(matches[0].parameter);
		return {
			optedOut: true,
			reason: `Still on the list, under the ID ${others.join(', ')}. If its number is this person's, empty ${parameter} there with Phone Number Storage: Update.`,
		};
	} catch (cause) {
		const { message } = Failure.of(cause);
		return { reason: `Taken off, but another record may still have the number: ${message}.` };
	}
}

export const optOut = storingOperation(
	{
		value: 'optOut',
		name: 'Opt Out',
		action: 'Opt out phone number',
		description:
			'Unsubscribe somebody: put a number on the stop list (do-not-contact list) of the credential, so that no workflow texts or calls it',
	},
	{ valueOf: ({ value }) => value, output: { optedOut: true } },
);

export const undoOptOut = storingOperation(
	{
		value: 'undoOptOut',
		name: 'Undo Opt-Out',
		action: 'Undo opt-out of phone number',
		description:
			'Take a number off the stop list again if Opt Out has put it there, and name other records that keep it on the list',
	},
	{ valueOf: () => '', output: { optedOut: null, reason: null }, readOutput: readOthers },
);
