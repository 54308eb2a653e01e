import type { OperationInput } from '../parameters/operationInput';
import { numbersIn } from '../reach';
import type { Complaint, Screen, StartScreen } from '../reason';
import { readDoNotContact } from '../recipients/doNotContactOptions';
import { outsideHours } from '../recipients/fields';
import type { PostRequest } from '../transport/request';
import type { SendingRun } from './start';

/**
 * What decides about the recipients of a campaign beside their own values: the do-not-contact lists,
 * other texts within the hours of the policy, and the sending hours where those outside of them are
 * skipped.
 * @returns undefined where nothing does
 * @throws Failure for options that are wrong; what reading the stored numbers and the messages throws
 */
export async function screenOf(
	run: SendingRun,
	input: OperationInput,
): Promise<StartScreen | undefined> {
	const isBlocked = await readDoNotContact({
		...input,
		noteUnreadable: (storageIds) => run.notes.addUnreadable(storageIds),
	});
	// A single message is judged when its turn comes.
	const isCampaign = run.operation.recipients !== undefined;
	const isStored = isCampaign ? await run.policy.screen() : undefined;
	const recent = isCampaign ? await run.policy.textsFor(() => emptyRequest(run, input)) : undefined;
	const isSkipped = input.parameters.member('options', outsideHours) === 'skip';
	const hours = isSkipped ? hoursOf(run, input) : undefined;
	if ([isBlocked, isStored, recent, hours].every((each) => each === undefined)) return undefined;
	return () => {
		const isRecent = recent?.();
		return (number) =>
			isStored?.(number) ?? isBlocked?.(number) ?? isRecent?.(number) ?? hours?.(number);
	};
}

function hoursOf(run: SendingRun, input: OperationInput): Screen | undefined {
	return run.policy.isOn ? run.policy.hoursFor(emptyRequest(run, input)) : undefined;
}

/** When the operation reaches people: its request says so, not its recipients. */
function emptyRequest({ operation }: SendingRun, input: OperationInput): PostRequest {
	const batch = { recipients: [], itemIndexes: input.itemIndexes, part: 1 };
	return operation.request({ ...input, batch });
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
	const reason = (await screenOf(run, input))?.()(phoneNumber);
	return (
		reason && { ...reason, place: input.itemIndexes[0] ?? 0, phoneNumber: String(phoneNumber) }
	);
}
