import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { FilePass, leftOutFields, type LeftOut } from '../recipients/file/blocks';
import type { Problems } from '../recipients/file/problems';
import type { RecipientKind } from '../recipients/kind';
import type { OperationCall } from '../resources/operation';
import type { CostlyCharacters } from '../resources/shared/messageText';
import { checkFile } from './fileCheck';
import { describeFile } from './fileDryRun';
import { nobodyLeft } from './fileObstacles';
import {
	campaignsOf,
	planFile,
	recordedCampaign,
	type FilePlan,
	type PlannedCampaign,
} from './filePlan';
import { collectProblems, type CollectedProblems } from './fileProblems';
import { FileProgress, type FileCampaign } from './fileProgress';
import { rowFailureOf } from './errorItems';
import { isOver, isResult, makePart, nameOf, type PartResult } from './parts';
import type { Run } from './runState';

/** What the file of one input item came to. */
export interface FileOutcome {
	/** The output of each campaign that was created, or of a dry run. */
	records: IDataObject[];
	progress: FileProgress;
	problems: Problems;
	/** The first row to send. */
	firstRow: number;
	/** Rows that were read. */
	rows: number;
	leftOut: LeftOut | undefined;
	/** What makes the message of its campaigns longer than it need be. */
	costly: CostlyCharacters | undefined;
	columns: { used: string[]; notUsed: string[] };
	/** The file of all problems, in one or more parts. */
	binary: IBinaryKeyData;
	milliseconds: number;
	/** Whether the whole file was read, and nothing failed. */
	isComplete: boolean;
	failure: { cause: unknown; isEarlier: boolean } | undefined;
	/** Whether it is certain that no try has sent any of it. */
	isUnsent: boolean;
}

/** How many campaigns a file becomes is known when it has been read. */
const NOT_KNOWN = Number.MAX_SAFE_INTEGER;

/**
 * Sends the file of one input item in campaigns, as it is read. Failures are part of the outcome.
 * @throws InputError for fields that are wrong; what reading the stored numbers throws
 */
export async function makeFileCall(
	run: Run,
	call: OperationCall,
	kind: RecipientKind<unknown>,
	isDryRun: boolean,
): Promise<FileOutcome> {
	const started = Date.now();
	const file = new FileCall(await planFile(run, call, kind));
	const [made] = await Promise.allSettled([isDryRun ? file.describe() : file.send()]);
	const outcome = file.outcome();
	if (made.status === 'rejected') {
		const cause: unknown = made.reason;
		outcome.failure ??= { cause, isEarlier: false };
	}
	run.isStopped ||= outcome.failure?.isEarlier === false && !isResult(run);
	const { failure, progress } = outcome;
	const isUnsent =
		progress.isUntouched &&
		(failure === undefined ||
			isDryRun ||
			(await run.sent.isCallUnclaimed(nameOf(call.itemIndexes), true)));
	return { ...outcome, isUnsent, milliseconds: Date.now() - started };
}

/** One file, and what became of it. */
class FileCall {
	private readonly plan: FilePlan;
	private readonly progress: FileProgress;
	/** Output items of campaigns by their numbers: they end in any order. */
	private readonly created = new Map<number, IDataObject[]>();
	private pass: FilePass | undefined;
	private collected: CollectedProblems;
	private requests = NOT_KNOWN;
	private failure: FileOutcome['failure'];
	private costly: FileOutcome['costly'];
	private isComplete = false;

	constructor(plan: FilePlan) {
		this.plan = plan;
		const { run, call, recipients } = plan;
		const isRetry = run.sent.claims !== undefined;
		this.progress = new FileProgress(recipients.source, { isRetry });
		this.collected = collectProblems(recipients.source, call.context);
		for (const entry of run.sent.earlierEntries(nameOf(call.itemIndexes))) {
			const { part, fileRows: [firstRow, lastRow, campaigns] = [0, 0, 1], possiblySent } = entry;
			const state = possiblySent === true ? 'possiblySent' : 'sent';
			this.progress.note({ part, firstRow, lastRow, campaigns, state });
		}
	}

	outcome(): Omit<FileOutcome, 'isUnsent'> {
		const { progress, collected, pass, failure, costly } = this;
		const records = [...this.created].sort(([a], [b]) => a - b).flatMap(([, each]) => each);
		return {
			...{ ...collected, records, progress, failure, costly },
			firstRow: this.plan.recipients.source.startAtRow,
			rows: pass?.rows ?? 0,
			leftOut: pass?.leftOutInAll,
			columns: pass?.columns.found ?? { used: [], notUsed: [] },
			milliseconds: 0,
			isComplete: this.isComplete,
		};
	}

	/** Each pass finds them anew. */
	private get problems(): Problems {
		return this.collected.problems;
	}

	/** Dry run: reads the file and says what would be sent. */
	async describe(): Promise<void> {
		this.startPass();
		const { pass, record } = await describeFile(this.plan, this.problems);
		this.pass = pass;
		this.created.set(1, [record]);
	}

	/** Checks the file where that is needed, then sends it. */
	async send(): Promise<void> {
		const { run, call, recipients } = this.plan;
		if (this.needsCheck()) {
			this.startPass();
			const { pass, obstacle, parts } = await checkFile(this.plan, this.problems);
			this.pass = pass;
			if (isOver(run)) return;
			if (obstacle !== undefined) throw obstacle;
			await run.sent.assertDivision(nameOf(call.itemIndexes), parts);
			this.requests = parts.length;
			this.progress.endAt(parts.at(-1)?.fileRows?.[1] ?? 0);
		}
		this.startPass();
		this.pass = new FilePass(recipients, this.problems);
		run.progress.expect(call.itemIndexes, this.requests);
		for await (const campaign of this.campaigns(this.pass)) {
			if (!(await this.sendCampaign(campaign))) break;
		}
		await this.problems.storeFile();
		if (this.failure !== undefined || isOver(run)) return;
		if (this.created.size === 0) throw nobodyLeft(recipients, this.pass, this.problems);
		run.progress.expect(call.itemIndexes, this.created.size);
		this.isComplete = true;
	}

	/**
	 * Whether something in the file may forbid to send any of it: then it is read twice. What an
	 * earlier try has sent must be divided in the same way again.
	 */
	private needsCheck(): boolean {
		const { run, call, recipients } = this.plan;
		const { invalid, duplicate } = recipients.options;
		return (
			[invalid, duplicate].includes('stop') ||
			run.connection.hasPolicy ||
			run.sent.claims !== undefined ||
			run.sent.isKnown(nameOf(call.itemIndexes))
		);
	}

	/** The campaigns to send. Behind the last of them, the file has no row with a recipient. */
	private async *campaigns(pass: FilePass): AsyncGenerator<PlannedCampaign> {
		let end = 0;
		for await (const campaign of campaignsOf(this.plan, pass, 'sent')) {
			end = campaign.lastRow;
			yield campaign;
		}
		this.progress.endAt(end);
	}

	/** @returns whether the next ones may be sent */
	private async sendCampaign(campaign: PlannedCampaign): Promise<boolean> {
		const { run, call } = this.plan;
		const { batch, firstRow, lastRow, campaigns, leftOut } = campaign;
		const { part } = batch;
		const recorded = recordedCampaign(this.plan, campaign, this.requests);
		const recipients = batch.recipients.length;
		const made = await makePart(run, { ...call, batch }, recorded);
		const { records = [], failure } = made ?? {};
		this.costly ??= made?.costly;
		this.pass?.release(batch.recipients);
		if (failure === undefined && records.length === 0) return false;
		const state = failure === undefined ? stateOf(records) : stateAfter(failure);
		this.progress.note({ part, firstRow, lastRow, campaigns, state });
		if (failure !== undefined) {
			const { cause, isEarlier } = failure;
			// What an earlier try left open comes second: only the others are news.
			if (this.failure === undefined || (this.failure.isEarlier && !isEarlier)) {
				this.failure = { cause, isEarlier };
			}
			return isEarlier;
		}
		const about = {
			campaign: part,
			firstRow,
			lastRow,
			...(leftOut === undefined ? {} : leftOutFields(leftOut)),
		};
		this.created.set(
			part,
			records.map((json) => ({ ...json, recipients, ...about })),
		);
		return true;
	}

	private startPass(): void {
		const { recipients, call } = this.plan;
		this.collected = collectProblems(recipients.source, call.context);
	}
}

/** What the sending policy simulates is not sent. */
function stateOf(records: readonly IDataObject[]): FileCampaign['state'] {
	return records.some(({ simulated }) => simulated === true) ? 'notSent' : 'sent';
}

function stateAfter(failure: NonNullable<PartResult['failure']>): FileCampaign['state'] {
	const { sent } = rowFailureOf(failure.cause, failure.isCertain);
	return sent === 'no' ? 'notSent' : 'possiblySent';
}
