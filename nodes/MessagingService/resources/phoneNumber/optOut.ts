import type { INodeProperties } from 'n8n-workflow';
import { invalidIn, readRecipientNumber, readNumberOptions } from '../../recipients/phoneNumber';
import type { OptOutMark, OperationInput } from '../../parameters/operationInput';
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

/**
 * `POST /api/PhoneNumberStorageItem` (interface, "Phone number storage") with the mark of the
 * credential's do-not-contact list, or without it. The record has an ID of its own, made from the
 * number, so that it replaces no other one.
 * @param markOf what is stored in the parameter of the mark
 */
function markingOperation(
	texts: Pick<ChangingOperation, 'value' | 'name' | 'action' | 'description'>,
	markOf: (mark: OptOutMark) => string,
) {
	return defineOperation({
		...texts,
		fields: [stoppedNumberField],
		reaches: 'nobody',
		request(input) {
			const mark = input.optOutMark();
			const { number, storageID } = readStopped(input);
			return {
				method: 'POST',
				path: '/api/PhoneNumberStorageItem',
				reaches: { kind: 'nobody' },
				changes: storageID,
				body: { storageID, number, [mark.parameter]: markOf(mark) },
				isRepeatable: true,
				output: { phoneNumber: number, optedOut: markOf(mark) !== '', storageID },
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

export const optOut = markingOperation(
	{
		value: 'optOut',
		name: 'Opt Out',
		action: 'Opt out phone number',
		description:
			'Unsubscribe somebody: put a number on the stop list (do-not-contact list) of the credential, so that no workflow texts or calls it',
	},
	({ value }) => value,
);

export const undoOptOut = markingOperation(
	{
		value: 'undoOptOut',
		name: 'Undo Opt-Out',
		action: 'Undo opt-out of phone number',
		description: 'Take a number off the stop list again, if Opt Out has put it there',
	},
	() => '',
);
