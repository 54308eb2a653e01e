import { onProblemLabels } from '../recipients/fields';
import type { FilePass, FileRecipients } from '../recipients/file/blocks';
import type { Problems } from '../recipients/file/problems';
import { InputError } from '../parameters/inputError';

/** The error of a file because of whose rows nothing is sent; undefined where there are none. */
export function refusedRows(
	{ kind }: FileRecipients,
	{ rows }: FilePass,
	{ stopping, firstStopping }: Problems,
): InputError | undefined {
	if (firstStopping === undefined) return undefined;
	const { itemIndex: line, reason, advice } = firstStopping;
	return new InputError(
		kind.label,
		`include ${stopping} invalid or duplicate rows of ${rows} (first: line ${line})`,
		`In line ${line} of the file, ${reason}.${advice === undefined ? '' : ` ${advice}`} Fix or remove these rows and run again, or choose under ${onProblemLabels(kind)} in Options what to do with them. To see all of them, use Dry Run or set On Error to continue.`,
	);
}

/** The error of a file with nobody to send to. */
export function nobodyLeft(
	{ kind, source }: FileRecipients,
	{ rows }: FilePass,
	{ total, listed }: Problems,
): InputError {
	if (rows === 0) {
		return new InputError(
			kind.label,
			'are empty: the file has no rows',
			'The first row names the columns, the others are sent.',
		);
	}
	if (rows < source.startAtRow) {
		return new InputError(
			'Start at Row',
			`is after the last row of the file (${rows})`,
			'Use a smaller number.',
		);
	}
	return new InputError(
		kind.label,
		'include no valid one',
		`All ${total} rows were skipped. The first: ${String(listed[0]?.reason)}.`,
	);
}
