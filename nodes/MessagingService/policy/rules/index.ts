import { allowedCountries } from './allowedCountries';
import { blockedNumberTypes } from './blockedNumberTypes';
import { doNotContact } from './doNotContact';
import { maxMessageParts } from './maxMessageParts';
import { maxRecipients } from './maxRecipients';
import { onlyTheseNumbers } from './onlyTheseNumbers';
import { pauseSending } from './pauseSending';
import type { Rule } from './rule';
import { sendingHours } from './sendingHours';
import { simulate } from './simulate';

/** All rules, in the order of the credential's form. */
export const RULES: readonly Rule[] = [
	onlyTheseNumbers,
	allowedCountries,
	blockedNumberTypes,
	maxRecipients,
	maxMessageParts,
	doNotContact,
	sendingHours,
	pauseSending,
	simulate,
];
