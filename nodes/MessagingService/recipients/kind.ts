import type { IDataObject } from 'n8n-workflow';
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
	build(number: string, others: IDataObject, report: (problem: string) => void): IDataObject;
}

/** The phone numbers of recipients, as the request has them. */
export function numbersOf(
	{ numberName }: RecipientKind,
	recipients: readonly IDataObject[],
): unknown[] {
	return recipients.map((each) => each[numberName]);
}

/** Text of a candidate's value, or undefined where there is none: unset fields are left out. */
export function optionalText(
	value: unknown,
	label: string,
	report: (problem: string) => void,
): string | undefined {
	if (isNothing(value)) return undefined;
	if (typeof value === 'string' && value.isWellFormed()) return value;
	try {
		return readText(value, label);
	} catch (error) {
		report((error as Error).message);
		return undefined;
	}
}
