import type { INodeProperties } from 'n8n-workflow';
import type { InputCall } from '../parameters/inputCall';
import { readOption } from '../parameters/values';
import type { RecipientKind } from './kind';

/** What to do with recipients outside of the sending hours of the credential's policy. */
export type OutsideHours = 'stop' | 'skip';

const CHOICES: readonly OutsideHours[] = ['stop', 'skip'];

const LABEL = 'Outside Sending Hours';
const NAME = 'outsideSendingHours';

/** A member of the collection `options` of the create operations. */
export function outsideHoursOption(kind: RecipientKind<unknown>): INodeProperties {
	const lowerLabel = kind.label.toLowerCase();
	return {
		displayName: LABEL,
		name: NAME,
		type: 'options',
		options: [
			{ name: 'Skip', value: 'skip', description: 'Send to the others only' },
			{ name: 'Stop', value: 'stop', description: 'Send nothing and list them' },
		],
		default: 'stop',
		description: `What to do with ${lowerLabel} that the sending hours of the credential do not allow now. The default is Stop.`,
	};
}

/** @throws InputError for a value that is none of the allowed ones */
export function readOutsideHours({ parameters }: InputCall): OutsideHours {
	const options = parameters.collection('options', 'Options');
	return Object.hasOwn(options, NAME) ? readOption(options[NAME], LABEL, CHOICES) : 'stop';
}
