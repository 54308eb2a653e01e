import type { IDataObject } from 'n8n-workflow';
import type { RecipientKind } from '../recipients/kind';
import {
	findPlaceholders,
	isGsmText,
	measure,
	type MessageLength,
} from '../resources/shared/messageText';

/**
 * What the service adds for an opt-out link, with a space before it. The interface does not show
 * it: an assumption on the safe side.
 */
const OPT_OUT_LINK_CHARACTERS = 30;

/** The values of a field that decide how long a message can become. */
interface Extremes {
	placeholder: string;
	/** The recipients' field that fills the placeholder; undefined where none does. */
	field: string | undefined;
	/** The longest of those in GSM-7, and of all. */
	longestGsm: string;
	/** Its length in units. */
	gsmUnits: number;
	longest: string;
	/** Whether any is not in GSM-7. */
	needsUcs2: boolean;
	/** How many recipients have no value. */
	empty: number;
}

/** How long the message of a request can become, whoever gets it: recipients are added in groups. */
export class MessageEstimate {
	private readonly message: string;
	private readonly placeholders: Extremes[];
	private readonly optOutLinkCharacters: number;
	/** Of an update, for example, they are not known. */
	private recipients: number | undefined;

	constructor({ message, optOutLinkId }: IDataObject, kind: RecipientKind<unknown> | undefined) {
		this.message = String(message as string);
		this.optOutLinkCharacters = Number(optOutLinkId ?? 0) > 0 ? OPT_OUT_LINK_CHARACTERS : 0;
		const fields = Object.keys(kind?.otherFields ?? {});
		this.placeholders = findPlaceholders(this.message).map(({ placeholder, name }) => ({
			placeholder,
			field: fields.find((candidate) => candidate.toLowerCase() === name.toLowerCase()),
			...{ longestGsm: '', gsmUnits: 0, longest: '', needsUcs2: false, empty: 0 },
		}));
	}

	add(recipients: readonly IDataObject[]): void {
		this.recipients = (this.recipients ?? 0) + recipients.length;
		for (const extremes of this.placeholders) {
			for (const recipient of recipients) consider(extremes, recipient);
		}
	}

	/** Fields of a dry run's output. */
	describe(): IDataObject {
		const { message, placeholders, optOutLinkCharacters, recipients } = this;
		const suffix = '-'.repeat(optOutLinkCharacters);
		const described = { ...worstCase(message, suffix, placeholders), optOutLinkCharacters };
		// Only the text is known: what the placeholders become is not.
		if (recipients === undefined) {
			return { message: described, placeholders: placeholders.map((each) => each.placeholder) };
		}
		return {
			message: { ...described, partsInAll: described.parts * recipients },
			unfilledPlaceholders: placeholders
				.filter(({ empty }) => empty > 0)
				.map(({ placeholder, empty }) => ({ placeholder, recipients: empty })),
		};
	}
}

function consider(extremes: Extremes, recipient: IDataObject): void {
	const { field } = extremes;
	const text = field === undefined ? '' : String(recipient[field] ?? '');
	if (text === '') extremes.empty++;
	if (text.length > extremes.longest.length) extremes.longest = text;
	if (!isGsmText(text)) extremes.needsUcs2 = true;
	// A character of GSM-7 takes at most two units.
	else if (text.length * 2 > extremes.gsmUnits && measure(text).units > extremes.gsmUnits) {
		extremes.gsmUnits = measure(text).units;
		extremes.longestGsm = text;
	}
}

/**
 * The most parts that a message can have. One character that GSM-7 lacks makes the whole message
 * UCS-2, of which a part holds less than half, so a short value may make the longest message.
 */
function worstCase(
	message: string,
	suffix: string,
	placeholders: readonly Extremes[],
): MessageLength {
	const filled = (valueOf: (extremes: Extremes) => string) =>
		placeholders.reduce((text, each) => {
			const value = valueOf(each);
			return value === '' ? text : text.replaceAll(each.placeholder, () => value);
		}, message) + suffix;
	const gsm = measure(filled(({ longestGsm }) => longestGsm));
	const isUcs2 = gsm.encoding === 'UCS-2' || placeholders.some(({ needsUcs2 }) => needsUcs2);
	if (!isUcs2) return gsm;
	return measure(
		filled(({ longest }) => longest),
		false,
	);
}
