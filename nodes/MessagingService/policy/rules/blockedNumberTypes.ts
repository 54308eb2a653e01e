import { NUMBER_TYPE_OPTIONS, NUMBER_TYPES, TYPE_LABELS } from '../../numbers/numberTypes';
import { readChoices } from '../readRule';
import type { Rule } from './rule';

const LABEL = 'Blocked Number Types';

/** Refuses numbers of some types, and those that are not known in international form. */
export const blockedNumberTypes: Rule = {
	fields: [
		{
			displayName: LABEL,
			name: 'blockedNumberTypes',
			type: 'multiOptions',
			options: NUMBER_TYPE_OPTIONS,
			default: [],
			description: 'Types of numbers that must not be reached',
			hint: 'Empty: premium-rate numbers',
		},
	],
	read({ blockedNumberTypes: value }) {
		const types = readChoices(value, ['premiumRate'], LABEL, NUMBER_TYPES);
		const blocked = `${LABEL}: ${[...types].map((type) => TYPE_LABELS[type]).join(', ')}.`;
		return {
			ofRecipients:
				() =>
				({ classification, advice }) => {
					const type = classification?.type;
					if (type !== undefined && !types.has(type)) return undefined;
					return {
						code: 'blockedNumberTypes',
						text: `is of ${type === undefined ? 'an unknown type' : `a blocked type (${TYPE_LABELS[type]})`}`,
						advice: blocked + advice,
					};
				},
		};
	},
};
