/** A cell that is a phone number, as far as its characters tell; a date has as many digits. */
const PHONE_NUMBER = /^[ "'+(]*\d(?:[ ()./-]*\d){6,}[ "']*$/;
const DATE = /^\s*\d{1,4}([-./])\d{1,2}\1\d{1,4}\s*$/;

const isPhoneNumber = (text: string) => PHONE_NUMBER.test(text) && !DATE.test(text);

/**
 * Finds a cell with other rows in it: its quote was closed by the stray quote of a later row. Lines
 * of a text may have delimiters and phone numbers; a row has as many cells as the others, and a phone
 * number that is a cell of its own.
 * @param columns how many cells a row has
 * @returns how many lines behind the start of the record the first of these rows is
 */
export function findSwallowedRow(
	cells: readonly string[],
	delimiter: string,
	columns: number,
): number | undefined {
	let breaks = 0;
	for (const [index, cell] of cells.entries()) {
		const [, ...lines] = cell.split('\n');
		for (const [offset, line] of lines.entries()) {
			const parts = line.split(delimiter);
			// The stray quote ends the last one: behind it are the other cells of its row.
			const expected = offset === lines.length - 1 ? index + 1 : columns;
			if (parts.length < 2 || parts.length !== expected) continue;
			if (parts.some(isPhoneNumber)) return breaks + offset + 1;
		}
		breaks += lines.length;
	}
	return undefined;
}
