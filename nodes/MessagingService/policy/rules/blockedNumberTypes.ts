import { NUMBER_TYPE_OPTIONS, NUMBER_TYPES, TYPE_LABELS } from '../../numbers/numberTypes';
import { typeAmong } from '../../numbers/plans';
import { readChoices } from '../readRule';
import type { Checks, Recipient, Rule } from './rule';

const LABEL = 'Blocked Number Types';

/** Satellite phones have calling codes of no country, and any type. */
const SATELLITE_CODES = /^\+(870|88[123])/;
const LABELS = { ...TYPE_LABELS, satellite: 'Satellite' };
type BlockedType = keyof typeof LABELS;
const TYPES: readonly BlockedType[] = [...NUMBER_TYPES, 'satellite'];

/** A call or a text to one of them costs many times what others do, and somebody may earn it. */
const COSTLY: readonly BlockedType[] = ['premiumRate', 'personalNumber', 'satellite'];

/** Refuses numbers of some types, and those that are not known in international form. */
export const blockedNumberTypes: Rule = {
	fields: [
		{
			displayName: LABEL,
			name: 'blockedNumberTypes',
			type: 'multiOptions',
			options: [...NUMBER_TYPE_OPTIONS, { name: LABELS.satellite, value: 'satellite' }].sort(
				(a, b) => a.name.localeCompare(b.name),
			),
			default: [],
			description: 'Types of numbers that must not be reached',
			hint: 'Empty: premium-rate, personal and satellite numbers',
		},
	],
	read({ blockedNumberTypes: value }) {
		return blocking(readChoices(value, COSTLY, LABEL, TYPES), { isUnknownBlocked: true });
	},
};

const HOW_TO_ALLOW =
	' To allow them, switch on Sending Policy in the credential and select other types there.';

/** What holds for a credential without a policy, too. A number of an unknown type may be reached. */
export const WITHOUT_POLICY: readonly Checks[] = [
	blocking(new Set(COSTLY), { isUnknownBlocked: false, howToAllow: HOW_TO_ALLOW }),
];

function blocking(
	types: ReadonlySet<BlockedType>,
	{ isUnknownBlocked, howToAllow = '' }: { isUnknownBlocked: boolean; howToAllow?: string },
): Checks {
	const typeOf = typeAmong(NUMBER_TYPES.filter((type) => types.has(type)));
	/** The type because of which a number is blocked; null where its type is not known. */
	const blockedTypeOf = ({ e164 }: Recipient): BlockedType | null | undefined => {
		if (e164 === undefined) return null;
		if (types.has('satellite') && SATELLITE_CODES.test(e164)) return 'satellite';
		return typeOf(e164);
	};
	const blocked = `${LABEL}: ${[...types].map((type) => LABELS[type]).join(', ')}.${howToAllow}`;
	return {
		ofRecipients: () => (recipient) => {
			const type = blockedTypeOf(recipient);
			if (type === undefined || (type === null && !isUnknownBlocked)) return undefined;
			return {
				code: 'blockedNumberTypes',
				text: `is of ${type === null ? 'an unknown type' : `a blocked type (${LABELS[type]})`}`,
				advice: blocked + recipient.advice,
			};
		},
	};
}
