import type { Batch } from '../recipients/batch';
import { readRecipientOptions } from '../recipients/fields';
import type { FilePass, FileRecipients, LeftOut } from '../recipients/file/blocks';
import { readFileSource } from '../recipients/file/fields';
import type { RecipientKind } from '../recipients/kind';
import { columnChoices } from '../recipients/sources';
import type { OperationCall } from '../resources/operation';
import { nameOf } from './parts';
import type { Run } from './runState';
import { screenOf } from './screening';
import { digestOfNumbers, keyOfPart, type RecordedCall } from './sentRecord';

/** The file of one input item, as checking and sending it need it. */
export interface FilePlan {
	run: Run;
	call: OperationCall;
	recipients: FileRecipients;
}

/** A campaign of a file, before it is sent. */
export interface PlannedCampaign {
	batch: Batch;
	/** Rows of the file. */
	firstRow: number;
	lastRow: number;
	/** How many campaigns have recipients from these rows: one for each start time. */
	campaigns: number;
	/** Lines of the recipients. */
	lines: readonly number[];
	/** Rows between its own, or before the first of them. */
	leftOut: LeftOut | undefined;
}

/** The log says how far a file is after so many rows. */
const LOGGED_ROWS = 100_000;

/** @throws InputError for fields that are wrong; what reading the stored numbers throws */
export async function planFile(
	run: Run,
	call: OperationCall,
	kind: RecipientKind<unknown>,
): Promise<FilePlan> {
	const recipients = {
		kind,
		source: readFileSource(call),
		options: readRecipientOptions(kind, call),
		choices: columnChoices(kind, call),
		screen: await screenOf(run, kind, call),
	};
	return { run, call, recipients };
}

/**
 * The campaigns of a file, in its order, as they are read.
 * @param activity what the log says is done: "sent"
 */
export async function* campaignsOf(
	{ call: { context, itemIndexes } }: FilePlan,
	pass: FilePass,
	activity: string,
): AsyncGenerator<PlannedCampaign> {
	let part = 0;
	let logged = 0;
	for await (const { firstRow, lastRow, groups, leftOut } of pass.blocks()) {
		for (const [index, { recipients, places: lines, startDateTime }] of groups.entries()) {
			part++;
			const start = startDateTime === undefined ? {} : { startDateTime };
			const batch: Batch = { recipients, itemIndexes, part, ...start };
			const rows = { firstRow, lastRow, campaigns: groups.length };
			yield { batch, ...rows, lines, leftOut: index === 0 ? leftOut : undefined };
		}
		if (lastRow - logged < LOGGED_ROWS) continue;
		logged = lastRow;
		context.logger.info(
			`Messaging Service: ${lastRow} rows of the file of item ${itemIndexes[0]} ${activity} (${part} campaigns)`,
		);
	}
}

/** What the record must know of a campaign. */
export function recordedCampaign(
	{ call: { itemIndexes }, recipients: { kind } }: FilePlan,
	{ batch, firstRow, lastRow, campaigns }: PlannedCampaign,
	requests: number,
): RecordedCall {
	return {
		key: keyOfPart(nameOf(itemIndexes), batch.part),
		rows: itemIndexes,
		requests,
		recipients: digestOfNumbers(batch.recipients, kind.numberName),
		fileRows: [firstRow, lastRow, campaigns],
	};
}
