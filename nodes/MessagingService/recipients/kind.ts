import type { IDataObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { isPlainCell } from '../parameters/suspicions';
import { lookAtText } from '../parameters/textForPeople';
import { isNothing, readText } from '../parameters/values';

/**
 * What the recipients of a campaign are called and made of: the contacts of an SMS campaign or the
 * phone numbers of a voice campaign.
 */
export interface RecipientKind {
	/** Display name of the list, e.g. "Contacts". */
	label: string;
	/** Display name of one of them, e.g. "Contact". */
	singular: string;
	/** The request's field, e.g. `contacts`; the node's fields are named after it. */
	name: string;
	/** The request's field that holds the phone number, with a sample of the whole as JSON. */
	numberName: string;
	jsonSample: string;
	/** Fields beside the phone number, by the name they have in a candidate. */
	otherFields: Readonly<Record<string, string>>;
	/** Fields that an entry of a JSON list may have as well, e.g. `parameters`. */
	jsonFields?: readonly string[];
	/**
	 * Makes the request's entry from a candidate: its phone number, already read, and its values as
	 * they came. Problems are reported, not thrown, so that all invalid rows are listed.
	 */
	build(number: string, others: IDataObject, reporter: RowReporter): IDataObject;
}

/** Is told of what is wrong, or looks wrong, with the fields of a recipient. */
export interface RowReporter {
	/** Whether the first pass has found nothing wrong in any text: they need no other look. */
	areTextsPlain?: boolean | undefined;
	/**
	 * Something is wrong.
	 * @param text a whole clause: "Name is neither text nor a number"
	 * @param advice one sentence: how to fix it
	 */
	report(text: string, advice: string): void;
	/** Something looks wrong: the recipient is sent to. */
	warn(text: string, advice: string): void;
}

/** The phone numbers of recipients, as the request has them. */
export function numbersOf(
	{ numberName }: RecipientKind,
	recipients: readonly IDataObject[],
): unknown[] {
	return recipients.map((each) => each[numberName]);
}

/**
 * Text of a candidate's value, without the blanks that fill a column of a fixed width, or undefined
 * where there is none: unset fields are left out.
 */
export function optionalText(
	value: unknown,
	label: string,
	reporter: RowReporter,
): string | undefined {
	const isName = label === 'Name';
	// The short way of nearly all cells.
	let text = typeof value === 'string' || Number.isSafeInteger(value) ? String(value).trim() : '';
	if (text !== '' && (reporter.areTextsPlain === true || isPlainCell(text, isName))) return text;
	if (isNothing(value)) return undefined;
	try {
		text = readText(value, label).trim();
	} catch (error) {
		const { message, description } = Failure.of(error);
		reporter.report(message, description);
		return undefined;
	}
	const { refused, warnings } = lookAtText(text, { isName });
	if (refused !== undefined) reporter.report(`${label} ${refused.text}`, refused.advice);
	for (const each of warnings) reporter.warn(`${label} ${each.text}`, each.advice);
	return text;
}
