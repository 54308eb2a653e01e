import type { INodeExecutionData } from 'n8n-workflow';
import { forbiddenWords } from './glossary.mts';

/** The longest title, and the longest where the service's own words may be in it. */
const MAX_TITLE = 80;
const MAX_QUOTING_TITLE = 300;

/** Errors of n8n itself. */
const FROM_N8N = /^Could not get parameter/;

/** An error as n8n stores it. */
interface ShownError {
	message: string;
	description?: string | null;
	httpCode?: string | null;
}

interface ErrorText {
	title: string;
	description: string | null | undefined;
	/** Where the service responded, the title may quote it. */
	status: unknown;
	/** Of an item. */
	sent?: unknown;
	/** Of an item that is about a person. */
	reason?: unknown;
}

/** How the reason of a row begins, by its `sent`. */
const REASONS: Readonly<Record<string, RegExp>> = {
	no: /^(Left out|Refused|Not sent)\b/,
	possibly: /^(Possibly sent|Sent in part): /,
};

/** Where the texts of an item say something else of what was sent than its `sent`. */
function contradictionsOf({ description, sent, reason }: ErrorText): string[] {
	const text = description ?? '';
	const isOpen = /may have been (?:sent|done|accepted)|[Pp]ossibly sent/.test(text);
	const isToBeChecked =
		/[Cc]heck in the service|Sent in part|of the earlier try|run the workflow again to be sure/.test(
			`${String(reason)} ${text}`,
		);
	return [
		...(sent === 'no' && isOpen ? ['a row with sent: no that may have been sent'] : []),
		...(sent === 'possibly' && !isToBeChecked ? ['no advice to check what was possibly sent'] : []),
		...(typeof reason === 'string' && REASONS[String(sent)]?.test(reason) !== true
			? [`the reason "${reason}" of a row with sent: ${String(sent)}`]
			: []),
	];
}

/** What is wrong with the texts of an error: its length, no remedy, or a word of the glossary. */
function problemsOf(error: ErrorText): string[] {
	const { title, description, status } = error;
	const isQuoting = status !== undefined && status !== null;
	const longest = isQuoting ? MAX_QUOTING_TITLE : MAX_TITLE;
	// n8n's guidelines: the title says what happened instead. Problems File is the name of a field.
	const [blame] =
		/\b(?:error|problem|failure|mistake)s?\b(?! File)/i.exec(isQuoting ? '' : title) ?? [];
	const words = isQuoting ? [] : forbiddenWords(`${title} ${description ?? ''}`);
	const saysNothing = (description ?? '').match(/Nothing was sent(?! to)/g) ?? [];
	const isContradicted =
		saysNothing.length > 0 && /(?:^|\. )(?:Sent|Possibly sent): /.test(description ?? '');
	return [
		...(title.length > longest ? [`title of ${String(title.length)} characters`] : []),
		...((description ?? '').trim() === '' ? ['no description'] : []),
		...(/^Nothing was sent to this recipient\.\s*$/.test(description ?? '') ? ['no advice'] : []),
		...(blame === undefined ? [] : [`"${blame}" in the title`]),
		...(isContradicted || saysNothing.length > 1
			? ['"Nothing was sent", twice or beside what was']
			: []),
		...words.map(({ word, instead }) => `"${word}" instead of ${instead}`),
		...contradictionsOf(error),
	];
}

function assertGood(text: ErrorText): void {
	const problems = problemsOf(text);
	if (problems.length > 0) {
		throw new Error(`Error text: ${problems.join(', ')}: ${JSON.stringify(text)}`);
	}
}

/** Fails if an error, or an error item, is not as the nodes promise: see `Failure`. */
export function expectReadable(
	error: ShownError | undefined,
	items: readonly INodeExecutionData[] = [],
): void {
	const texts: ErrorText[] = items
		.filter(({ json }) => typeof json.error === 'string' && typeof json.sent === 'string')
		.map(({ json }) => ({
			title: json.error as string,
			description: json.description as string | undefined,
			status: json.httpStatus,
			sent: json.sent,
			reason: json.reason,
		}));
	if (error !== undefined) {
		const { message, description, httpCode } = error;
		texts.push({ title: message, description, status: httpCode });
	}
	texts.filter(({ title }) => !FROM_N8N.test(title)).forEach(assertGood);
}

/** Calls a hook or a poll of a node. What it throws is checked by `expectReadable`. */
export async function withReadableErrors<Result>(call: () => Promise<Result>): Promise<Result> {
	try {
		return await call();
	} catch (error) {
		expectReadable(error as ShownError);
		throw error;
	}
}

/** Fails if the response to a refused delivery is not one short text: it has no description. */
export function expectReadableRefusal(body: unknown): void {
	const { error } = body as { error?: unknown };
	const title = typeof error === 'string' ? error : '';
	assertGood({ title, description: title, status: undefined });
}
