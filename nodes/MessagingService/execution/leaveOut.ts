import type { OperationInput } from '../parameters/operationInput';
import { numbersIn } from '../reach';
import type { Complaint, Screen } from '../reason';
import { readDoNotContact } from '../recipients/doNotContactOptions';
import { outsideHours } from '../recipients/fields';
import type { PostRequest } from '../transport/request';
import type { SendingRun } from './start';

/**
 * What decides about the recipients of a campaign beside their own values: the do-not-contact lists,
 * and the sending hours where those outside of them are skipped.
 * @returns undefined where nothing does
 * @throws Failure for options that are wrong; what reading the stored numbers throws
 */
export async function screenOf(
	run: SendingRun,
	input: OperationInput,
): Promise<Screen | undefined> {
	const isBlocked = await readDoNotContact({
		...input,
		noteUnreadable: (storageIds) => run.notes.addUnreadable(storageIds),
	});
	// A single message is judged when its turn comes.
	const isStored = run.operation.recipients === undefined ? undefined : await run.policy.screen();
	const isSkipped = input.parameters.member('options', outsideHours) === 'skip';
	const hours = isSkipped ? hoursOf(run, input) : undefined;
	if ([isBlocked, isStored, hours].every((screen) => screen === undefined)) return undefined;
	return (number) => isStored?.(number) ?? isBlocked?.(number) ?? hours?.(number);
}

/** When the operation reaches people: its request says so, not its recipients. */
function hoursOf({ policy, operation }: SendingRun, input: OperationInput): Screen | undefined {
	const batch = { recipients: [], itemIndexes: input.itemIndexes, part: 1 };
	return policy.isOn ? policy.hoursFor(operation.request({ ...input, batch })) : undefined;
}

/**
 * Why the one recipient of a request is left out. The recipients of campaigns are left out when they
 * are planned.
 * @throws Failure for options that are wrong; what reading the stored numbers throws
 */
export async function leftOutOf(
	run: SendingRun,
	input: OperationInput,
	request: PostRequest,
): Promise<Complaint | undefined> {
	const [phoneNumber] = numbersIn(request.reaches) ?? [];
	if (phoneNumber === undefined) return undefined;
	const reason = (await screenOf(run, input))?.(phoneNumber);
	return (
		reason && { ...reason, place: input.itemIndexes[0] ?? 0, phoneNumber: String(phoneNumber) }
	);
}
