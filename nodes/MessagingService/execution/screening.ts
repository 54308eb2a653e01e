import type { HoursOfNumber } from '../policy/guard';
import { reachOf } from '../policy/reach';
import type { Complaint } from '../recipients/checks';
import { readDoNotContact } from '../recipients/doNotContact';
import type { RecipientKind } from '../recipients/kind';
import { readOutsideHours, type OutsideHours } from '../recipients/outsideHours';
import type { Screen } from '../recipients/screen';
import type { OperationCall } from '../resources/operation';
import type { ServiceRequest } from '../transport/request';
import { plannedRequest } from './dryRun';
import type { Run } from './runState';

const STAYS_OUT = 'It stays left out while it is in the list.';

/** The one recipient of a call must not be contacted: that is no failure. */
export class LeftOut extends Error {
	readonly complaint: Complaint;

	constructor(complaint: Complaint) {
		super(complaint.reason);
		this.complaint = complaint;
	}
}

/**
 * What decides about the recipients of a campaign beside their own values.
 * @returns undefined where nothing does
 * @throws InputError for options that are wrong; what reading the stored numbers throws
 */
export async function screenOf(
	run: Run,
	kind: RecipientKind<unknown>,
	call: OperationCall,
): Promise<Screen | undefined> {
	const isBlocked = await readDoNotContact(call);
	const outside = readOutsideHours(kind, call);
	const hours = outside === 'stop' ? undefined : await hoursOf(run, call);
	if (isBlocked === undefined && hours === undefined) return undefined;
	return (number) => {
		const reason = isBlocked?.(number);
		if (reason !== undefined) {
			return { leftOut: { code: 'doNotContact', reason: phoneNumber(reason), advice: STAYS_OUT } };
		}
		return hours === undefined ? {} : atAllowedTime(hours, outside, number);
	};
}

function phoneNumber(reason: string): string {
	return `the phone number ${reason}`;
}

/** When the operation reaches people: its request says so, not its recipients. */
async function hoursOf(
	{ connection, operation }: Run,
	call: OperationCall,
): Promise<HoursOfNumber | undefined> {
	const batch = { recipients: [{}], itemIndexes: call.itemIndexes, part: 1, parts: 1 };
	const request = await plannedRequest(connection, async (client) =>
		operation.run({ ...call, client, batch }),
	);
	return request === undefined ? undefined : connection.hoursFor(request);
}

function atAllowedTime(hours: HoursOfNumber, outside: OutsideHours, number: unknown) {
	const violation = hours(number);
	if (violation === undefined) return {};
	const { reason, allowed: advice, nextAllowedTime } = violation;
	if (outside === 'schedule') {
		// Without an allowed time, the policy refuses it.
		return nextAllowedTime === undefined ? {} : { startDateTime: nextAllowedTime };
	}
	return {
		leftOut: {
			code: 'sendingHours' as const,
			reason: phoneNumber(reason),
			advice,
			...(nextAllowedTime === undefined ? {} : { nextAllowedTime }),
		},
	};
}

/**
 * Tells why an operation that sends to one number leaves it out. The recipients of campaigns are
 * left out when they are planned.
 * @returns the complaint about the number of a request that must not be contacted; undefined where
 *   nobody is left out
 * @throws InputError for options that are wrong; what reading the stored numbers throws
 */
export async function doNotContactOf(
	{ operation }: Run,
	call: OperationCall,
): Promise<((request: ServiceRequest) => Complaint | undefined) | undefined> {
	const isBlocked = operation.reach === 1 ? await readDoNotContact(call) : undefined;
	if (isBlocked === undefined) return undefined;
	return (request) => {
		const reach = reachOf(request);
		for (const number of reach.kind === 'messages' ? reach.numbers : []) {
			const reason = isBlocked(number);
			if (reason === undefined) continue;
			return {
				itemIndex: call.itemIndexes[0] ?? 0,
				phoneNumber: String(number as string),
				reason: phoneNumber(reason),
				advice: STAYS_OUT,
				code: 'doNotContact',
			};
		}
		return undefined;
	};
}
