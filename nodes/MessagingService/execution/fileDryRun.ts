import type { IDataObject } from 'n8n-workflow';
import { arrayOf } from '../jsonList';
import { leftOutFields, type FilePass, type FileRecipients } from '../recipients/file/blocks';
import type { Problems } from '../recipients/file/problems';
import { countNumbers, type NumberCounts } from '../recipients/numberCounts';
import { describeMessage, describeRequest } from './dryRun';
import type { ServiceSettings } from '../transport/settings';
import type { Planned } from './planned';

/** What the campaigns of a file would be, for a dry run. Nothing is kept of its rows. */
export class FileDescription {
	private readonly recipients: FileRecipients;
	private readonly counts: NumberCounts = { byCountry: {}, byType: {} };
	private people = 0;
	private campaigns = 0;
	private first: Planned['request'] | undefined;
	private shown: IDataObject | undefined;

	constructor(recipients: FileRecipients) {
		this.recipients = recipients;
	}

	/** Looks at a campaign. */
	readonly add = ({ request, batch }: Planned): void => {
		const { kind, options } = this.recipients;
		const list = (arrayOf(batch?.recipients) ?? []) as IDataObject[];
		this.campaigns++;
		this.people += list.length;
		const numbers = list.map((recipient) => recipient[kind.numberName]);
		const { byCountry, byType } = countNumbers(numbers, options.numbers);
		addTo(this.counts.byCountry, byCountry);
		addTo(this.counts.byType, byType);
		this.first ??= request;
		this.shown ??= describeRequest(request, kind);
	};

	/** @param obstacle why nothing would be sent */
	record(
		pass: FilePass,
		problems: Problems,
		obstacle: unknown,
		settings: ServiceSettings,
	): IDataObject {
		return {
			dryRun: true,
			wouldSend: obstacle === undefined,
			...(obstacle === undefined ? {} : { reason: textOf(obstacle) }),
			rows: pass.rows,
			campaigns: this.campaigns,
			recipients: this.people,
			...this.counts,
			...leftOutFields(pass.leftOutInAll),
			reasons: [...problems.reasons].map(([code, reason]) => ({ code, ...reason })),
			...describeMessage(this.first?.body ?? {}, this.people, settings),
			...(this.shown === undefined ? {} : { request: this.shown }),
		};
	}
}

function addTo(sum: Record<string, number>, counts: Readonly<Record<string, number>>): void {
	for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
}

function textOf(error: unknown): string {
	const { message, description } = error as Error & { description?: unknown };
	return typeof description === 'string' ? `${message}. ${description}` : message;
}
