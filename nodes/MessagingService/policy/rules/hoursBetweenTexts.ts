import { Failure } from '../../failure';
import { isNothing, readInteger } from '../../parameters/values';
import { WHO_DECIDES } from '../refused';
import { MAX_HOURS } from '../sentTexts';
import type { Rule } from './rule';

const LABEL = 'Hours Between Texts';

/** Leaves out who has another text within some hours, whoever sends it. The guard looks for it. */
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
					? withoutZone()
					: undefined,
		};
	},
};

/** The times of the list have no zone. That of the workflow would not do: who edits it could move it. */
function withoutZone(): Failure {
	const allowed = 'Allowed: after Service Time Zone is set in the credential.';
	return new Failure(
		'Sending Policy: Service Time Zone is not set, or not known',
		`${LABEL} needs it to read the times of the service, as a name like Europe/London. Switch on Service Conventions in the credential and set Service Time Zone. Nothing was sent. ${WHO_DECIDES}`,
		{ reasons: [{ code: 'hoursBetweenTexts', text: 'cannot be checked', advice: allowed }] },
	);
}
