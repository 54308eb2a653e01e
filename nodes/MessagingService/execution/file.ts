import isEmpty from 'lodash/isEmpty';
import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { isComplaint } from '../reason';
import { shown } from '../parameters/inputError';
import { rangesInWords, type Range } from '../parameters/ranges';
import { readRecipientOptions } from '../recipients/fields';
import {
	FilePass,
	leftOutFields,
	type Block,
	type FileRecipients,
} from '../recipients/file/blocks';
import { Problems } from '../recipients/file/problems';
import { readFileSource } from '../recipients/file/source';
import type { RecipientKind } from '../recipients/kind';
import { columnChoices } from '../recipients/sources';
import type { ReadCall } from '../resources/operation';
import { dryRunField } from '../resources/shared/fields';
import { toNodeApiError } from '../transport/errors';
import { failCall, isOpen } from './call';
import { Preview } from './dryRun';
import { failed } from './failures';
import { screenOf } from './leaveOut';
import type { Planned } from './planned';
import { CHECK } from './report';
import { markRun } from './retryOnce';
import type { Result, Sent } from './rows';
import { sendRequest } from './send';
import { describeFirst, ofOneRow } from './settle';
import { callFor, isOver, sentBefore, type SendingRun } from './start';

/** One campaign of a file, before it is sent. */
interface Campaign {
	planned: Planned;
	/** Its rows of the file, and those left out between them or before the first. */
	block: Block;
}

/** Which rows of a file were sent, in words such as "1 to 30". */
interface FileRows {
	sentRows?: string | undefined;
	possiblySentRows?: string | undefined;
	/** No row from here on was sent. */
	continueAtRow?: number | undefined;
}

/**
 * Sends the file of one input item: one campaign after the other, as it is read. Where something in
 * it may forbid to send any of it, it is read twice. A failure ends it.
 */
export async function sendFile(
	run: SendingRun,
	kind: RecipientKind,
	itemIndex: number,
): Promise<void> {
	const itemIndexes = [itemIndex];
	try {
		const call = callFor(run, itemIndexes);
		const file = new FileCall(run, call, {
			kind,
			source: readFileSource(call),
			options: readRecipientOptions(kind, call),
			choices: columnChoices(kind, call),
			screen: await screenOf(run, call),
		});
		run.rows.set(itemIndexes, await file.make(call.parameters.read(dryRunField)));
	} catch (cause) {
		failCall(run, itemIndexes, cause);
	}
}

/** One file, and what became of it. */
class FileCall {
	private readonly run: SendingRun;
	private readonly call: ReadCall;
	private readonly recipients: FileRecipients;
	private readonly warnings: string[] = [];
	/** The campaigns that this and earlier tries have sent, or possibly sent. */
	private readonly progress: (Range & { sent: Sent })[] = [];
	/** Of each campaign, and of what ended the file. */
	private readonly results: Result[] = [];
	/** Whether the file was read to its end. */
	private isComplete = false;
	private readonly binary: IBinaryKeyData = {};
	private problems: Problems;
	private pass: FilePass;

	constructor(run: SendingRun, call: ReadCall, recipients: FileRecipients) {
		this.run = run;
		const warn = (text: string) => {
			this.warnings.push(text);
			run.notes.warnings.add(text);
		};
		this.call = { ...call, warn };
		this.recipients = recipients;
		this.problems = this.newProblems();
		this.pass = new FilePass(recipients, this.problems);
	}

	async make(isDryRun: boolean): Promise<Result> {
		const { run, call, results, warnings, binary } = this;
		let about: IDataObject = {};
		try {
			if (isDryRun) await this.describe();
			else {
				await this.checkFirst();
				await this.send();
				about = this.wholeFile();
			}
		} catch (cause) {
			results.push(failed(run, cause, sentBefore(run, call.itemIndexes)));
		}
		await this.storeProblems();
		this.warnOfGuess();
		const rows = this.rows();
		const text = describeRows(rows);
		const problems = this.problemFields();
		const fields = { ...rows, ...problems };
		const { records, ...result } = ofOneRow(results, { description: text, fields });
		describeFirst(records, { warnings, columns: this.pass.columns });
		if (records?.[0] !== undefined) Object.assign(records[0], about, problems);
		return {
			...result,
			...(records === undefined ? {} : { records }),
			...(isEmpty(binary) ? {} : { binary }),
			...(rows && { progress: { text, isOpen: rows.continueAtRow !== undefined } }),
		};
	}

	/** Dry run: reads the file and says what would be sent. */
	private async describe(): Promise<void> {
		const { pass, problems } = this;
		const preview = new Preview(this.run, this.call);
		const obstacle = await this.check((planned) => preview.add(planned));
		const record = preview.record(obstacle, {
			...{ rows: pass.rows, encoding: pass.found?.encoding },
			...leftOutFields(pass.leftOutInAll),
			reasons: [...problems.reasons].map(([code, reason]) => ({ code, ...reason })),
		});
		this.results.push({ sent: 'no', records: [record] });
	}

	/** @throws what forbids to send any of the file: its rows, or the sending policy */
	private async checkFirst(): Promise<void> {
		const { invalid, duplicate } = this.recipients.options;
		if (![invalid, duplicate].includes('stop') && !this.run.policy.isOn) return;
		const obstacle = await this.check();
		if (obstacle !== undefined) throw obstacle;
		// The next pass finds the problems anew.
		this.problems = this.newProblems();
		this.pass = new FilePass(this.recipients, this.problems);
	}

	/**
	 * Reads the whole file, and checks all that can be checked before anything is sent.
	 * @returns why nothing may be sent: its rows, or the sending policy
	 * @throws FileError where the file cannot be read on, InputError for a column that it does not have
	 */
	private async check(observe?: (planned: Planned) => void): Promise<Error | undefined> {
		const { run, pass } = this;
		const review = run.policy.startReview();
		let refused: Error | undefined;
		let campaigns = 0;
		for await (const { planned, block } of this.campaigns()) {
			if (isOver(run)) return undefined;
			campaigns++;
			observe?.(planned);
			if (run.memory?.find(planned) !== undefined) continue;
			const refusal = await review.refusalOf([planned.request]);
			for (const each of refusal?.reasons?.filter(isComplaint) ?? []) {
				pass.refuse({ ...each, place: block.lines[each.place] ?? 0 });
			}
			if (refusal !== undefined) refused ??= toNodeApiError(run.context.getNode(), refusal);
		}
		const obstacle = pass.refused() ?? refused;
		return obstacle ?? (campaigns === 0 ? pass.nobodyLeft() : undefined);
	}

	/** Sends one campaign after the other, until one fails. */
	private async send(): Promise<void> {
		const { run, results } = this;
		let isMarked = false;
		for await (const { planned, block } of this.campaigns()) {
			if (!isMarked && !isOver(run) && isOpen(run, planned)) {
				await markRun(run.context, run.operation, [planned]);
				isMarked = true;
			}
			const result = await sendRequest(run, planned);
			results.push(withRows(result, planned, block));
			const known = run.memory?.find(planned);
			if (known !== undefined && !('differs' in known)) {
				this.progress.push({ from: block.firstRow, to: block.lastRow, sent: result.sent });
			}
			if (result.failure !== undefined && result.failure.isEarlier !== true) return;
			if (result.sent === 'no' && isOver(run)) return;
		}
		if (results.length === 0) throw this.pass.nobodyLeft();
		this.isComplete = true;
	}

	/** The campaigns of the file, in its order, as they are read. */
	private async *campaigns(): AsyncGenerator<Campaign> {
		const { call, run, pass } = this;
		const { itemIndexes } = call;
		let part = 0;
		for await (const block of pass.blocks()) {
			const { recipients } = block;
			if (recipients.length === 0) continue;
			part++;
			const batch = { recipients, itemIndexes, part };
			const request = run.operation.request({ ...call, batch });
			yield { block, planned: { itemIndexes, request, batch } };
		}
	}

	private newProblems(): Problems {
		const { helpers } = this.run.context;
		const store = async (content: Buffer, name: string) => {
			this.binary.problems = await helpers.prepareBinaryData(content, name);
		};
		return new Problems(this.recipients.source.wantsProblemsFile ? store : undefined);
	}

	/** Without the problems file, the rows are accounted for all the same. */
	private async storeProblems(): Promise<void> {
		try {
			await this.problems.storeFile();
		} catch (error) {
			this.run.context.logger.warn('Could not store the problems file', { error });
		}
	}

	private warnOfGuess(): void {
		const { encoding, guessedFrom } = this.pass.found ?? {};
		if (encoding === undefined || guessedFrom === undefined) return;
		this.call.warn?.(
			`The file is read as ${encoding}, which is a guess ("${shown(guessedFrom)}"). If this word is wrong, set Encoding in File Options.`,
		);
	}

	/** Rows and campaigns of the whole file. */
	private wholeFile(): IDataObject {
		const { rows, leftOutInAll, found } = this.pass;
		this.run.notes.addRows(rows, leftOutInAll);
		const campaigns = this.results.length;
		const encoding = found?.encoding;
		return { file: { rows, campaigns, encoding, ...leftOutFields(leftOutInAll) } };
	}

	/** Which rows of the file were sent; undefined where none was. */
	private rows(): FileRows | undefined {
		const { progress, isComplete } = this;
		const last = progress.at(-1);
		if (last === undefined) return undefined;
		const rowsThat = (sent: Sent) => {
			const ranges = progress.filter((campaign) => campaign.sent === sent);
			return ranges.length === 0 ? undefined : rangesInWords(ranges);
		};
		// Of a file that has changed, it is not known where the earlier try has ended.
		const count = this.run.record?.countOf(this.call.itemIndexes) ?? progress.length;
		return {
			sentRows: rowsThat('yes'),
			possiblySentRows: rowsThat('possibly'),
			continueAtRow: isComplete || count !== progress.length ? undefined : last.to + 1,
		};
	}

	private problemFields(): IDataObject {
		const { total, listed } = this.problems;
		return total === 0 ? {} : { problemsCount: total, problems: listed };
	}
}

/** The result of a campaign, whose output item says which rows of the file it stands for. */
function withRows(result: Result, { batch }: Planned, block: Block): Result {
	const { firstRow, lastRow, leftOut } = block;
	const campaign = { recipients: batch?.recipients.length, campaign: batch?.part };
	const about = { ...campaign, firstRow, lastRow, ...leftOutFields(leftOut) };
	return { ...result, records: result.records?.map((json) => ({ ...json, ...about })) };
}

/** The rows of a file in words, and how to continue; empty where nothing was sent. */
function describeRows({ sentRows, possiblySentRows, continueAtRow }: FileRows = {}): string {
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
