import { isEmpty } from 'lodash';
import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import type { OperationInput } from '../parameters/operationInput';
import { shown } from '../texts';
import type { Failure, Sent } from '../failure';
import { isComplaint } from '../reason';
import { rangesInWords, type Range } from '../parameters/ranges';
import { readRecipientOptions } from '../recipients/fields';
import { FilePass, leftOutFields, type Block, type FileRecipients } from '../recipients/file/pass';
import { readFileSource } from '../recipients/file/source';
import type { RecipientKind } from '../recipients/kind';
import { columnChoices } from '../recipients/sources';
import { dryRunField } from '../resources/shared/fields';
import { failJob, isOpen } from './jobs';
import { Preview } from './dryRun';
import { screenOf } from './leaveOut';
import type { Planned } from './job';
import { CHECK } from './report';
import { markRun } from './retryOnce';
import { failed, type Result } from './rows';
import { sendRequest } from './send';
import { describeFirst, ofOneRow } from './settle';
import { isOver, sentBefore, stopAfter, warnedInputFor, type SendingRun } from './start';

/** A file, as the fields of its input item describe it. */
interface FileJob {
	run: SendingRun;
	input: OperationInput;
	recipients: FileRecipients;
	/** What the user should know about its requests. */
	warnings: string[];
}

/** How far a file got, and what became of it. */
interface Passed {
	pass: FilePass;
	/** Of each campaign, and of what ended the file. */
	results: Result[];
	/** The campaigns that this and earlier tries have sent, or possibly sent. */
	progress: (Range & { sent: Sent })[];
	/** Whether all of it was sent. */
	isComplete: boolean;
	/** What the first output item says of the whole file. */
	about: IDataObject;
}

/** Which rows of a file were sent, in words such as "1 to 30". */
interface FileRows {
	sentRows?: string | undefined;
	possiblySentRows?: string | undefined;
	/** No row from here on was sent. */
	continueAtRow?: number | undefined;
}

/**
 * Sends the file of one input item: one campaign after the other, as it is read. It is read twice, for
 * something in it may forbid to send any of it. A failure ends it.
 */
export async function sendFile(
	run: SendingRun,
	kind: RecipientKind,
	itemIndex: number,
): Promise<void> {
	const itemIndexes = [itemIndex];
	try {
		const file = await readFileJob(run, kind, itemIndexes);
		const isDryRun = file.input.parameters.read(dryRunField);
		const passed = isDryRun ? await preview(file) : await checkAndSend(file);
		run.rows.set(itemIndexes, await resultOf(file, passed));
	} catch (cause) {
		failJob(run, itemIndexes, cause);
	}
}

async function readFileJob(
	run: SendingRun,
	kind: RecipientKind,
	itemIndexes: readonly number[],
): Promise<FileJob> {
	const { input, warnings } = warnedInputFor(run, itemIndexes);
	const recipients = {
		kind,
		source: readFileSource(input),
		options: readRecipientOptions(kind, input),
		choices: columnChoices(kind, input),
		screen: await screenOf(run, input),
	};
	return { run, input, recipients, warnings };
}

/** One pass through the file. What it throws is the last of its results. */
async function passThrough(
	{ run, input, recipients }: FileJob,
	use: (passed: Passed) => Promise<void>,
): Promise<Passed> {
	const pass = new FilePass(recipients);
	const passed: Passed = { pass, results: [], progress: [], isComplete: false, about: {} };
	try {
		await use(passed);
	} catch (cause) {
		passed.results.push(stopAfter(run, failed(cause, sentBefore(run, input.itemIndexes))));
	}
	return passed;
}

/** Dry run: reads the file and says what would be sent. */
async function preview(file: FileJob): Promise<Passed> {
	const { run, input } = file;
	return await passThrough(file, async ({ pass, results }) => {
		const seen = new Preview(run, input);
		const obstacle = await checkAll(file, pass, run.review, (planned) => seen.add(planned));
		const { rows, found, leftOut, problems } = pass;
		const record = seen.record(obstacle, {
			rows,
			encoding: found?.encoding,
			...leftOutFields(leftOut),
			reasons: [...problems.reasons].map(([code, reason]) => ({ code, ...reason })),
		});
		results.push({ sent: 'no', records: [record] });
	});
}

/** Sends the file, unless its rows or the sending policy forbid to send any of it. */
async function checkAndSend(file: FileJob): Promise<Passed> {
	return (
		(await forbiddenBy(file)) ??
		(await passThrough(file, async (passed) => sendCampaigns(file, passed)))
	);
}

/** The pass that found why nothing may be sent; undefined where nothing forbids it. */
async function forbiddenBy(file: FileJob): Promise<Passed | undefined> {
	const passed = await passThrough(file, async ({ pass }) => {
		const obstacle = await checkAll(file, pass, file.run.policy.startReview());
		if (obstacle !== undefined) throw obstacle;
	});
	return passed.results.length === 0 ? undefined : passed;
}

/**
 * Reads the whole file, and checks all that can be checked before anything is sent.
 * @returns why nothing may be sent: its rows, or the sending policy
 * @throws Failure where the file cannot be read on, or lacks a column
 */
async function checkAll(
	file: FileJob,
	pass: FilePass,
	review: SendingRun['review'],
	observe?: (planned: Planned) => void,
): Promise<Failure | undefined> {
	const { run } = file;
	let refused: Failure | undefined;
	let campaigns = 0;
	for await (const { planned, block } of campaignsOf(file, pass)) {
		if (isOver(run)) return undefined;
		campaigns++;
		observe?.(planned);
		if (run.memory?.find(planned) !== undefined) continue;
		const refusal = await review.refusalOf([planned.request]);
		for (const each of refusal?.facts.reasons?.filter(isComplaint) ?? []) {
			pass.refuse(each, block);
		}
		refused ??= refusal;
	}
	const obstacle = pass.refused() ?? refused;
	return obstacle ?? (campaigns === 0 ? pass.nobodyLeft() : undefined);
}

/** Sends one campaign after the other, until one fails. */
async function sendCampaigns(file: FileJob, passed: Passed): Promise<void> {
	const { run } = file;
	const { pass, results, progress } = passed;
	let isMarked = false;
	let isEnded = false;
	for await (const { planned, block } of campaignsOf(file, pass)) {
		if (!isMarked && !isOver(run) && isOpen(run, planned)) {
			await markRun(run.context, run.operation, [planned]);
			isMarked = true;
		}
		const result = await sendRequest(run, planned);
		results.push(withRows(result, planned, block));
		const known = run.memory?.find(planned);
		if (known !== undefined && !('differs' in known)) {
			progress.push({ from: block.firstRow, to: block.lastRow, sent: result.sent });
		}
		const { failure, sent, isEarlier } = result;
		isEnded = failure === undefined ? sent === 'no' && isOver(run) : isEarlier !== true;
		if (isEnded) break;
	}
	if (results.length === 0) throw pass.nobodyLeft();
	passed.isComplete = !isEnded;
	const { rows, found, leftOut } = pass;
	run.notes.addRows(rows, leftOut);
	const { encoding } = found ?? {};
	passed.about = { rows, campaigns: results.length, encoding, ...leftOutFields(leftOut) };
}

/**
 * The campaigns of the file, in its order, as they are read: each with its rows of the file, and those
 * left out between them or before the first.
 */
async function* campaignsOf({ input, run }: FileJob, pass: FilePass) {
	const { itemIndexes } = input;
	let part = 0;
	for await (const block of pass.blocks()) {
		const { recipients } = block;
		if (recipients.length === 0) continue;
		part++;
		const batch = { recipients, itemIndexes, part };
		const request = run.operation.request({ ...input, batch });
		const planned: Planned = { itemIndexes, request, batch };
		yield { block, planned };
	}
}

/** The one result of the file. */
async function resultOf(file: FileJob, passed: Passed): Promise<Result> {
	const { pass, results, about } = passed;
	warnOfGuess(file, pass);
	const binary = await problemsFileOf(file, pass);
	const rows = sentRowsOf(file, passed);
	const text = describeFileRows(rows);
	const problems = pass.problems.fields();
	const fields = { ...rows, ...problems };
	const { records, ...result } = ofOneRow(results, text, fields);
	const whole = isEmpty(about) ? {} : { file: about };
	const first = { warnings: file.warnings, columns: pass.columns };
	describeFirst(records, first, { ...whole, ...problems });
	return {
		...result,
		records,
		binary,
		progress: rows && { text, isOpen: rows.continueAtRow !== undefined },
	};
}

function warnOfGuess({ input }: FileJob, { found }: FilePass): void {
	if (found?.guessedFrom === undefined) return;
	input.warn?.(
		`The file is read as ${found.encoding}, which is a guess ("${shown(found.guessedFrom)}"). If this word is wrong, set Encoding in File Options.`,
	);
}

/** Without the problems file, the rows are accounted for all the same. */
async function problemsFileOf(
	{ run }: FileJob,
	{ problems }: FilePass,
): Promise<IBinaryKeyData | undefined> {
	const content = problems.file();
	if (content === undefined) return undefined;
	const { helpers, logger } = run.context;
	try {
		return { problems: await helpers.prepareBinaryData(content, 'problems.csv') };
	} catch (error) {
		logger.warn('Could not store the problems file', { error });
		return undefined;
	}
}

/** Which rows of the file were sent; undefined where none was. */
function sentRowsOf(
	{ run, input }: FileJob,
	{ progress, isComplete }: Passed,
): FileRows | undefined {
	const last = progress.at(-1);
	if (last === undefined) return undefined;
	const rowsThat = (sent: Sent) => {
		const ranges = progress.filter((campaign) => campaign.sent === sent);
		return ranges.length === 0 ? undefined : rangesInWords(ranges);
	};
	// Of a file that has changed, it is not known where the earlier try has ended.
	const count = run.record?.countOf(input.itemIndexes) ?? progress.length;
	return {
		sentRows: rowsThat('yes'),
		possiblySentRows: rowsThat('possibly'),
		continueAtRow: isComplete || count !== progress.length ? undefined : last.to + 1,
	};
}

/** The result of a campaign, whose output item says which rows of the file it stands for. */
function withRows(result: Result, { batch }: Planned, block: Block): Result {
	const { firstRow, lastRow, leftOut } = block;
	const about = {
		recipients: batch?.recipients.length,
		firstRow,
		lastRow,
		...leftOutFields(leftOut),
	};
	return { ...result, records: result.records?.map((json) => ({ ...json, ...about })) };
}

/** The rows of a file in words, and how to continue; empty where nothing was sent. */
function describeFileRows({ sentRows, possiblySentRows, continueAtRow }: FileRows = {}): string {
	const line = (label: string, text: string | undefined, advice = '') =>
		text === undefined
			? ''
			: `${label}: ${/\D/.test(text) ? 'rows' : 'row'} ${text} of the file.${advice}`;
	return [
		line('Sent', sentRows),
		line('Possibly sent', possiblySentRows, CHECK),
		continueAtRow === undefined
			? ''
			: `To continue in a new execution, set Start at Row in File Options to ${continueAtRow}, and send only this file.`,
	]
		.filter(Boolean)
		.join(' ');
}
