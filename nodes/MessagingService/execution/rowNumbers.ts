import { readCandidates } from '../recipients/sources';
import { sendsMessages } from '../resources/operation';
import { inputFor, type Run } from './start';

/** The phone number of a row as it came, for people; undefined where it has none, or none to show. */
export type NumberOfRow = (row: number) => string | undefined;

/** Whom the rows of a run are about: error items say it, also where n8n adds nothing of the input. */
export function phoneNumbersOfRows(run: Run | undefined): NumberOfRow {
	if (run === undefined) return () => undefined;
	const { recipients } = run.operation;
	if (sendsMessages(run.operation)) {
		const read = (row: number) =>
			inputFor(run, [row]).parameters.value('phoneNumber', 'Phone Number');
		return (row) => attempt(() => numberText(read(row)));
	}
	if (recipients === undefined || run.kind !== 'allItems') return () => undefined;
	const candidates = attempt(() => readCandidates(recipients, inputFor(run, run.rows.all)));
	return (row) => attempt(() => numberText(candidates?.at(row)[recipients.numberName]));
}

const MOST_CHARACTERS = 30;

function numberText(value: unknown): string | undefined {
	const isShown = (typeof value === 'string' && value !== '') || typeof value === 'number';
	return isShown ? String(value).slice(0, MOST_CHARACTERS) : undefined;
}

/** What is wrong with the fields of the node is said elsewhere. */
function attempt<Value>(read: () => Value): Value | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}
