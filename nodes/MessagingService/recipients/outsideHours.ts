import type { INodeProperties } from 'n8n-workflow';
import type { OperationCall } from '../resources/operation';
import { readOption } from '../resources/shared/values';
import type { RecipientKind } from './kind';

/** What to do with recipients outside of the sending hours of the credential's policy. */
export type OutsideHours = 'stop' | 'skip' | 'schedule';

const LABEL = 'Outside Sending Hours';
const NAME = 'outsideSendingHours';

const choicesOf = ({ canSchedule }: RecipientKind<unknown>): OutsideHours[] =>
	canSchedule === true ? ['stop', 'skip', 'schedule'] : ['stop', 'skip'];

/** A member of the collection `options` of the create operations. */
export function outsideHoursOption(kind: RecipientKind<unknown>): INodeProperties {
	const lowerLabel = kind.label.toLowerCase();
	const choices = [
		{
			name: 'Schedule',
			value: 'schedule',
			description:
				'Start later for them: one campaign for each time at which their sending hours start',
		},
		{ name: 'Skip', value: 'skip', description: 'Send to the others only' },
		{ name: 'Stop', value: 'stop', description: 'Send nothing and list them' },
	];
	const allowed: readonly string[] = choicesOf(kind);
	return {
		displayName: LABEL,
		name: NAME,
		type: 'options',
		options: choices.filter(({ value }) => allowed.includes(value)),
		default: 'stop',
		description: `What to do with ${lowerLabel} that the sending hours of the credential do not allow now. The default is Stop.`,
	};
}

/** @throws InputError for a value that is none of the allowed ones */
export function readOutsideHours(
	kind: RecipientKind<unknown>,
	{ parameters }: OperationCall,
): OutsideHours {
	const options = parameters.collection('options', 'Options');
	return Object.hasOwn(options, NAME) ? readOption(options[NAME], LABEL, choicesOf(kind)) : 'stop';
}
