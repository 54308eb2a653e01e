import type { IDataObject } from 'n8n-workflow';

/**
 * Makes empty objects for rows that have the same fields, which are set in the same order.
 *
 * V8 keeps one list of the fields that objects made as `{}` may have first, with room for 1,536 in
 * the whole process, and n8n fills it while it starts. From then on, V8 describes each such object
 * anew, in some hundred bytes that stay until the next full garbage collection, and reads it slowly:
 * a file of a million rows took 600 MB. A class has a list of its own
 * (test/engine/more/hostileFiles.test.ts).
 */
export function rowMaker(): () => IDataObject {
	class Row implements IDataObject {
		[field: string]: IDataObject[string];
	}
	return () => new Row();
}
