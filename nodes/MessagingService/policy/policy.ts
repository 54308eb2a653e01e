import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import { Failure, MAX_FIELD_TITLE_CHARACTERS } from '../failure';
import { shorten } from '../texts';
import { isOff } from './readRule';
import { allowedSenders } from './rules/allowedSenders';
import { allowWebhookChanges } from './rules/allowWebhookChanges';
import { allowedCountries } from './rules/allowedCountries';
import { blockedNumberTypes } from './rules/blockedNumberTypes';
import { doNotContact } from './rules/doNotContact';
import { hoursBetweenTexts } from './rules/hoursBetweenTexts';
import { maxMessageParts } from './rules/maxMessageParts';
import { maxRecipients } from './rules/maxRecipients';
import { onlyTheseNumbers } from './rules/onlyTheseNumbers';
import { pauseSending } from './rules/pauseSending';
import type { Checks, Rule } from './rules/rule';
import { sendingHours } from './rules/sendingHours';
import { simulate } from './rules/simulate';

/**
 * All rules, in the order of the form: as a person sets them, who may be reached, when, who has said
 * stop, then the switches. About each recipient they are asked in this order, about a request as a
 * whole from the end (`refusalOf`).
 */
const RULES: readonly Rule[] = [
	onlyTheseNumbers,
	allowedCountries,
	blockedNumberTypes,
	maxRecipients,
	maxMessageParts,
	allowedSenders,
	sendingHours,
	doNotContact,
	hoursBetweenTexts,
	allowWebhookChanges,
	pauseSending,
	simulate,
];

/** The sending policy of a credential: what each rule checks of all requests that reach people. */
export type SendingPolicy = readonly Checks[];

/** The credential's fields. */
export const policyFields: INodeProperties[] = [
	{
		displayName: 'Sending Policy',
		name: 'sendingPolicy',
		type: 'boolean',
		default: false,
		description:
			'Whether to limit whom this credential may reach, and when. The nodes enforce it for every operation.',
	},
	...RULES.flatMap(({ fields }) => fields).map((field): INodeProperties => ({
		...field,
		displayOptions: { ...field.displayOptions, show: { sendingPolicy: [true] } },
	})),
];

/**
 * Reads the policy. A policy that it cannot read refuses to send: a typing error must not open it.
 * @returns undefined where the policy is off; what is wrong with it where it cannot be read
 */
export function readPolicy(
	credential: ICredentialDataDecryptedObject,
): SendingPolicy | Failure | undefined {
	if (isOff(credential.sendingPolicy)) return undefined;
	try {
		// With any other value, n8n hides the rules and leaves them out of the credential.
		if (credential.sendingPolicy !== true) {
			throw Failure.ofField('The switch', 'is neither on nor off', 'Use the switch of the form.');
		}
		return RULES.map((rule) => rule.read(credential));
	} catch (cause) {
		const invalid =
			cause instanceof Failure
				? cause
				: Failure.ofField('A field', 'cannot be read', 'Save the credential again.');
		return new Failure(
			shorten(`Sending Policy: ${invalid.message}`, MAX_FIELD_TITLE_CHARACTERS),
			`Fix it in the credential. ${invalid.description} Until then, nothing is sent with this credential.`,
			{ field: invalid.facts.field },
		);
	}
}
