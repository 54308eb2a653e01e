import type { SentRecord } from './sentRecord';
import { listRanges } from '../resources/shared/ranges';

/** The user stopped the execution, or it ran out of time: says what had been sent by then. */
export class ExecutionCancelled extends Error {
	readonly description: string;

	constructor(sent: SentRecord, total: number) {
		const { accepted, uncertain } = sent.outcomes();
		const done = accepted.length + uncertain.length;
		// n8n tells a cancelled execution from a failed one by this spelling of the word.
		super(
			done === 0
				? 'The execution was canceled before anything was sent'
				: `The execution was canceled when ${accepted.length} of ${total} had been sent`,
		);
		this.name = 'ExecutionCancelled';
		this.description = [
			accepted.length === 0 ? '' : `Accepted by the service: items ${listRanges(accepted)}.`,
			uncertain.length === 0
				? ''
				: `Under way just then, so perhaps accepted (check in the service): items ${listRanges(uncertain)}.`,
			done === 0 ? 'It can be run again as it is.' : 'Nothing was sent for the others.',
		]
			.filter(Boolean)
			.join(' ');
	}
}
