import upperFirst from 'lodash/upperFirst';
import { InputError } from '../resources/shared/inputError';

/** A try that has sent something already. */
type OtherTry = 'the first try' | 'another retry';

/** Another try has sent something with another operation. */
export class AnotherOperation extends InputError {
	constructor(other: OtherTry) {
		super(
			'Operation',
			`differs from that of ${other}`,
			`${upperFirst(other)} has sent some of these items already, with another operation or another source of recipients, so this one sent nothing. Restore the operation and its fields, or start a new execution with only the items that were not sent.`,
		);
	}
}

/** Another try has sent a part of a call, and the recipients were divided differently then. */
export class AnotherDivision extends InputError {
	constructor(other: OtherTry) {
		super(
			'The division into campaigns',
			`differs from that of ${other}`,
			`This try sent nothing more. Restore the options and the input of ${other}. If the Do Not Contact list has changed since, start a new execution with only the rows that were not sent.`,
		);
	}
}

/** Another retry has sent something to somebody else from this place in the input. */
export class AnotherRecipient extends InputError {
	constructor() {
		super(
			'The phone number',
			'is not the one that another retry has sent to from this item',
			'The items differ from those of the other retry, so this one was not sent. Start a new execution with only the items that were not sent.',
		);
	}
}

/** Another retry is about to send its first request, of all or of this call, or was interrupted before. */
export class OtherRetryRunning extends InputError {
	constructor() {
		super(
			'This retry',
			'did not send this item: another retry of the execution is running',
			'Run the retry again when the other one has ended. If none is running, n8n was interrupted during one: find out in the service what it sent, and start a new execution with only the rows that it did not send.',
		);
	}
}
