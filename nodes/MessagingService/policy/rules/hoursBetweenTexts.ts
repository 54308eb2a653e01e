import { isNothing, readInteger } from '../../parameters/values';
import { refusedWithoutZone } from '../refused';
import type { Rule } from './rule';

/** The most that the credential can ask for. */
export const MAX_HOURS = 168;

const LABEL = 'Hours Between Texts';
const NEED = `${LABEL} needs it to read the times of the service, which have no zone.`;

/** Leaves out who has another text within some hours, whoever sends it: see `textScreen`. */
export const hoursBetweenTexts: Rule = {
	fields: [
		{
			displayName: LABEL,
			name: 'hoursBetweenTexts',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: MAX_HOURS },
			default: 0,
			hint: '0: no limit. For once a day, use 20.',
			description:
				'Hours that must lie between two texts to one person, no matter which workflow, person or program sends them. Not seen: calls, campaigns that have not started, and what another n8n process has just sent.',
		},
	],
	read({ hoursBetweenTexts: value }) {
		const hours = isNothing(value) ? 0 : readInteger(value, LABEL, { min: 0, max: MAX_HOURS });
		if (hours === 0) return {};
		return {
			hoursBetween: hours,
			ofRequest: ({ reaches: { kind } }, zone) =>
				(kind === 'messages' || kind === 'campaign') && zone === undefined
					? refusedWithoutZone('hoursBetweenTexts', NEED)
					: undefined,
		};
	},
};
