import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { readRecipientOptions } from '../recipients/fields';
import {
	FilePass,
	leftOutFields,
	type FileRecipients,
	type LeftOut,
} from '../recipients/file/blocks';
import { readFileSource } from '../recipients/file/source';
import { Problems } from '../recipients/file/problems';
import type { RecipientKind } from '../recipients/kind';
import { columnChoices } from '../recipients/sources';
import type { OperationCall } from '../resources/operation';
import { toNodeApiError } from '../transport/errors';
import { begin } from './call';
import { callFor, isOver, type SendingRun } from './runState';
import { readDryRun } from './dryRun';
import { failed, type FailedResult } from './failures';
import { FileDescription } from './fileDryRun';
import { nobodyLeft, refusedRows } from './fileObstacles';
import { FileProgress } from './fileProgress';
import { screenOf } from './leaveOut';
import type { Result } from './rows';
import type { Planned } from './planned';
import { send } from './send';

/** One campaign of a file, before it is sent. */
interface Campaign {
	planned: Planned;
	/** Rows of the file, from 1. */
	firstRow: number;
	lastRow: number;
	/** Line of each recipient. */
	lines: readonly number[];
	/** Rows between its own, or before the first of them. */
	leftOut: LeftOut;
}

/**
 * Sends the file of one input item: one campaign after the other, as it is read. Where something in
 * it may forbid to send any of it, it is read twice. A failure ends it.
 */
export async function sendFile(
	run: SendingRun,
	kind: RecipientKind<unknown>,
	itemIndex: number,
): Promise<void> {
	const { memory, rows } = run;
	const isKnown = () => memory.knowsCall(String(itemIndex));
	if (run.refused !== undefined) {
		rows.set([itemIndex], failed(run.refused, 'possibly'));
		return;
	}
	if (isOver(run)) {
		if (isKnown()) rows.set([itemIndex], { sent: 'possibly' });
		return;
	}
	let result: Result;
	try {
		const file = await FileCall.read(run, kind, itemIndex);
		result = await file.make();
	} catch (cause) {
		result = failed(cause, isKnown() ? 'possibly' : 'no');
	}
	run.isStopped ||=
		result.failure !== undefined && !result.failure.isEarlier && !run.failuresAreItems;
	rows.set([itemIndex], result);
}

/** One file, and what became of it. */
class FileCall {
	private readonly run: SendingRun;
	private readonly call: OperationCall;
	private readonly recipients: FileRecipients;
	private readonly isDryRun: boolean;
	private readonly warnings: string[] = [];
	private readonly progress = new FileProgress();
	private readonly records: IDataObject[] = [];
	private problems = new Problems(undefined);
	private binary: IBinaryKeyData = {};
	private pass: FilePass;

	/** @throws InputError for fields that are wrong; what reading the stored numbers throws */
	static async read(
		run: SendingRun,
		kind: RecipientKind<unknown>,
		itemIndex: number,
	): Promise<FileCall> {
		const call = callFor(run, [itemIndex]);
		return new FileCall(run, call, readDryRun(call.parameters), {
			kind,
			source: readFileSource(call),
			options: readRecipientOptions(kind, call),
			choices: columnChoices(kind, call),
			screen: await screenOf(run, call),
		});
	}

	private constructor(
		run: SendingRun,
		call: OperationCall,
		isDryRun: boolean,
		recipients: FileRecipients,
	) {
		this.run = run;
		this.call = { ...call, warn: (text) => void this.warnings.push(text) };
		this.isDryRun = isDryRun;
		this.recipients = recipients;
		this.pass = this.startPass();
	}

	async make(): Promise<Result> {
		let failure: FailedResult | undefined;
		try {
			if (this.isDryRun) return await this.describe();
			if (this.needsCheck()) {
				const obstacle = await this.check();
				if (obstacle !== undefined) throw obstacle;
				this.pass = this.startPass();
			}
			failure = await this.send();
		} catch (cause) {
			failure = failed(cause, 'no');
		}
		await this.storeProblems();
		if (failure !== undefined) return this.failure(failure);
		if (isOver(this.run) && !this.progress.isComplete) return this.unfinished();
		for (const [kind, count] of Object.entries(this.pass.leftOutInAll)) {
			this.run.notes.countLeftOut(kind as keyof LeftOut, count as number);
		}
		return this.success(this.progress.sent);
	}

	/** Dry run: reads the file and says what would be sent. */
	private async describe(): Promise<Result> {
		const description = new FileDescription(this.recipients);
		const obstacle = await this.check(description.add);
		const { settings } = this.run.client;
		this.records.push(description.record(this.pass, this.problems, obstacle, settings));
		await this.storeProblems();
		return this.success('no');
	}

	/** Without the problems file, the rows are accounted for all the same. */
	private async storeProblems(): Promise<void> {
		try {
			await this.problems.storeFile();
		} catch (error) {
			this.run.context.logger.warn('Could not store the problems file', { error });
		}
	}

	/** Whether something in the file may forbid to send any of it. */
	private needsCheck(): boolean {
		const { invalid, duplicate } = this.recipients.options;
		return [invalid, duplicate].includes('stop') || this.run.policy.isOn;
	}

	/**
	 * Reads the whole file, and checks all that can be checked before anything is sent.
	 * @returns why nothing may be sent: its rows, or the sending policy
	 * @throws FileError where the file cannot be read on, InputError for a column that it does not have
	 */
	private async check(observe?: (planned: Planned) => void): Promise<Error | undefined> {
		const { run, problems, recipients, pass } = this;
		const review = run.policy.startReview();
		let refused: Error | undefined;
		let campaigns = 0;
		for await (const { planned, lines } of this.campaigns()) {
			if (isOver(run)) return undefined;
			campaigns++;
			observe?.(planned);
			const isKnown = run.memory.find(planned) !== undefined;
			const refusal = isKnown ? undefined : await review.refusalOf(planned.request);
			for (const each of refusal?.refusal?.recipients ?? []) {
				const { position, phoneNumber, reason, allowed: advice } = each;
				const itemIndex = lines[position] ?? 0;
				const complaint = { itemIndex, phoneNumber, advice, code: 'sendingPolicy' as const };
				problems.add({ ...complaint, reason: `the phone number ${reason}` }, undefined);
			}
			if (refusal !== undefined) refused ??= toNodeApiError(run.context.getNode(), refusal);
		}
		const obstacle = refusedRows(recipients, pass, problems) ?? refused;
		return obstacle ?? (campaigns === 0 ? nobodyLeft(recipients, pass, problems) : undefined);
	}

	/** @returns the failure that ends the file, or one of an earlier try */
	private async send(): Promise<FailedResult | undefined> {
		const { run, progress } = this;
		const recorded = run.memory.countOf(String(this.call.itemIndexes[0]));
		let matching = 0;
		let hasBegun = false;
		let earlier: FailedResult | undefined;
		for await (const campaign of this.campaigns()) {
			const { planned, firstRow, lastRow } = campaign;
			const known = run.memory.find(planned);
			if (known !== undefined && !('differs' in known)) matching++;
			progress.isWholeStory = matching === recorded;
			hasBegun ||= await begin(run, [{ requests: [planned] }]);
			if (run.refused !== undefined) return failed(run.refused, 'possibly');
			const result = await send(run, planned);
			if (result === undefined) return earlier;
			progress.add(firstRow, lastRow, result.sent);
			this.records.push(...this.recordsOf(campaign, result));
			const { failure } = result;
			if (failure?.isEarlier === false) return { ...result, failure };
			if (failure !== undefined) earlier ??= { ...result, failure };
		}
		if (this.records.length === 0 && earlier === undefined) {
			throw nobodyLeft(this.recipients, this.pass, this.problems);
		}
		progress.isComplete = true;
		return earlier;
	}

	private recordsOf(
		{ planned, firstRow, lastRow, leftOut }: Campaign,
		{ records = [] }: Result,
	): IDataObject[] {
		const { batch } = planned;
		return records.map((json) => ({
			...json,
			recipients: batch?.recipients.length,
			campaign: batch?.part,
			firstRow,
			lastRow,
			...leftOutFields(leftOut),
		}));
	}

	/** The campaigns of the file, in its order, as they are read. */
	private async *campaigns(): AsyncGenerator<Campaign> {
		const { call, run, pass } = this;
		const { itemIndexes } = call;
		let part = 0;
		for await (const { recipients, lines, ...block } of pass.blocks()) {
			if (recipients.length === 0) continue;
			part++;
			const batch = { recipients, itemIndexes, part };
			const place = String(itemIndexes[0]);
			const request = run.operation.request({ ...call, batch });
			const rows = { rows: itemIndexes, callIndexes: itemIndexes };
			yield { ...block, lines, planned: { place, part, ...rows, request, batch } };
		}
	}

	/** Each pass finds the problems anew. */
	private startPass(): FilePass {
		const { source } = this.recipients;
		const { helpers } = this.run.context;
		const binary: IBinaryKeyData = {};
		const store = async (content: Buffer, name: string) => {
			binary.problems = await helpers.prepareBinaryData(content, name);
		};
		this.binary = binary;
		this.problems = new Problems(source.wantsProblemsFile ? store : undefined);
		return new FilePass(this.recipients, this.problems);
	}

	private failure({ sent, failure }: FailedResult): Result {
		const { progress, records } = this;
		const report = progress.report();
		const isKnown = this.run.memory.knowsCall(String(this.call.itemIndexes[0]));
		return {
			...this.files(),
			sent: progress.isUntouched && !isKnown ? sent : 'possibly',
			failure: {
				...failure,
				description: [failure.description, report].filter(Boolean).join(' '),
				fields: {
					...failure.fields,
					...progress.fields(),
					...(records.length === 0 ? {} : { created: records }),
					...this.problemFields(),
				},
			},
			...(report === '' ? {} : { fileReport: report }),
		};
	}

	/** The run was stopped before the end of the file. */
	private unfinished(): Result {
		const { isUntouched } = this.progress;
		if (isUntouched) return { sent: 'no' };
		return {
			sent: 'possibly',
			fileReport: this.progress.report(),
		};
	}

	private success(sent: Result['sent']): Result {
		const [first] = this.records;
		const { rows, leftOutInAll } = this.pass;
		const columns = this.pass.columns.found ?? { used: [], notUsed: [] };
		const file = { rows, campaigns: this.records.length, ...leftOutFields(leftOutInAll) };
		if (first !== undefined) {
			this.records[0] = {
				...first,
				...(this.warnings.length === 0 ? {} : { warnings: [...new Set(this.warnings)] }),
				columnsUsed: columns.used,
				columnsNotUsed: columns.notUsed,
				...(this.isDryRun ? {} : { file }),
				...this.problemFields(),
			};
		}
		return { ...this.files(), sent, records: this.records };
	}

	private files(): Pick<Result, 'binary'> {
		return Object.keys(this.binary).length === 0 ? {} : { binary: this.binary };
	}

	private problemFields(): IDataObject {
		const { total, listed } = this.problems;
		return total === 0 ? {} : { problemsCount: total, problems: listed };
	}
}
