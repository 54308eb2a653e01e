import type { IDataObject } from 'n8n-workflow';
import type { Refusal, RefusedRecipient, Violation } from '../policy/violation';
import { listItems } from '../resources/shared/ranges';
import type { RowFailure } from './errorItems';

/** Recipients that are listed one by one. */
const MOST_LISTED = 1000;

/** The error item of a row that the sending policy refuses. */
export interface RefusedRow {
	row: number;
	failure: RowFailure;
	/** More fields of the item. */
	fields: IDataObject;
}

/** What expressions and agents can act on: the rule, what is allowed, and when. */
export function refusalFields(refusal: Refusal | undefined): IDataObject {
	if (refusal === undefined) return {};
	const { recipients } = refusal;
	const [first] = recipients;
	return {
		...violationFields(refusal),
		...(recipients.length === 1 ? { phoneNumber: first?.phoneNumber } : {}),
		...(recipients.length > 1
			? { refusedCount: recipients.length, refused: recipients.slice(0, MOST_LISTED).map(listed) }
			: {}),
	};
}

function violationFields({
	rule,
	allowed,
	nextAllowedTime,
}: Omit<Violation, 'reason'>): IDataObject {
	return {
		policyRule: rule,
		allowed,
		...(nextAllowedTime === undefined ? {} : { nextAllowedTime }),
	};
}

function listed({ phoneNumber, rule, reason, nextAllowedTime }: RefusedRecipient): IDataObject {
	return {
		phoneNumber,
		policyRule: rule,
		reason,
		...(nextAllowedTime === undefined ? {} : { nextAllowedTime }),
	};
}

/**
 * The rows of a refused request: each of its own recipients' rows with its own reason, the others
 * with the rows because of which they were not sent.
 * @param general what holds for the request as a whole
 * @param isItems each recipient of the request is an input item
 */
export function rowsOfRefusal(
	general: RowFailure,
	refusal: Refusal,
	itemIndexes: readonly number[],
	isItems: boolean,
): RefusedRow[] {
	if (!isItems || itemIndexes.length === 1 || refusal.recipients.length === 0) {
		const fields = refusalFields(refusal);
		return itemIndexes.map((row) => ({ row, failure: general, fields }));
	}
	const own = new Map(
		refusal.recipients.map((each) => [itemIndexes[each.position] ?? each.position, each]),
	);
	const others = {
		failure: { ...general, message: `Not sent because of ${listItems([...own.keys()])}` },
		fields: { policyRule: refusal.rule },
	};
	return itemIndexes.map((row) => {
		const refused = own.get(row);
		return refused === undefined ? { row, ...others } : { row, ...ownOf(refused) };
	});
}

function ownOf(refused: RefusedRecipient): Omit<RefusedRow, 'row'> {
	const { phoneNumber, reason, allowed } = refused;
	return {
		failure: {
			message: `Sending Policy: ${phoneNumber} ${reason}`,
			description: `${allowed} Nothing was sent to this recipient.`,
			sent: 'no',
		},
		fields: { phoneNumber, ...violationFields(refused) },
	};
}
