import type { IDataObject } from 'n8n-workflow';
import { arrayOf } from '../jsonList';
import { leftOutFields, type FilePass } from '../recipients/file/blocks';
import type { Problems } from '../recipients/file/problems';
import { countNumbers, type NumberCounts } from '../recipients/numberCounts';
import { describeRequest } from './dryRun';
import { checkFile } from './fileCheck';
import type { FilePlan } from './filePlan';
import { MessageEstimate } from './messageEstimate';

/** The output of a dry run: what the campaigns of the file would be. Nothing is kept of its rows. */
export async function describeFile(
	plan: FilePlan,
	problems: Problems,
): Promise<{ pass: FilePass; record: IDataObject }> {
	const { kind, options } = plan.recipients;
	const counts: NumberCounts = { byCountry: {}, byType: {} };
	let recipients = 0;
	let campaigns = 0;
	let request: IDataObject | undefined;
	let estimate: MessageEstimate | undefined;
	const checked = await checkFile(plan, problems, ({ batch }, planned) => {
		const list = (arrayOf(batch.recipients) ?? []) as IDataObject[];
		campaigns++;
		recipients += list.length;
		const { byCountry, byType } = countNumbers(
			list.map((recipient) => recipient[kind.numberName]),
			options.numbers,
		);
		addTo(counts.byCountry, byCountry);
		addTo(counts.byType, byType);
		if (planned !== undefined) request ??= describeRequest(planned, kind);
		const body = planned?.body;
		if (typeof body?.message === 'string') estimate ??= new MessageEstimate(body, kind);
		estimate?.add(list);
	});
	const { pass, obstacle } = checked;
	const reasons = [...problems.reasons].map(([code, reason]) => ({ code, ...reason }));
	const record = {
		dryRun: true,
		wouldSend: obstacle === undefined,
		...(obstacle === undefined ? {} : { reason: textOf(obstacle) }),
		rows: pass.rows,
		campaigns,
		recipients,
		...counts,
		...leftOutFields(pass.leftOutInAll),
		reasons,
		...estimate?.describe(),
		...(request === undefined ? {} : { request }),
	};
	return { pass, record };
}

function addTo(sum: Record<string, number>, counts: Readonly<Record<string, number>>): void {
	for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
}

function textOf(error: Error & { description?: unknown }): string {
	const { message, description } = error;
	return typeof description === 'string' ? `${message}. ${description}` : message;
}
