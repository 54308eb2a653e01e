import type { OperationInput } from '../parameters/operationInput';
import { numbersIn } from '../reach';
import type { Complaint, Screen, StartScreen } from '../reason';
import { readDoNotContact } from '../recipients/doNotContactOptions';
import { outsideHours } from '../recipients/fields';
import type { PostRequest } from '../transport/request';
import type { CredentialRun } from './start';

/**
 * What decides about the recipients of a campaign beside their own values: the do-not-contact lists,
 * other texts within the hours of the policy, and the sending hours where those outside of them are
 * skipped.
 * @returns undefined where nothing does
 * @throws Failure for options that are wrong; what reading the stored numbers and the messages throws
 */
export async function campaignScreen(
	run: CredentialRun,
	input: OperationInput,
): Promise<StartScreen | undefined> {
	const { policy, operation } = run;
	const isBlocked = await blockedBy(run, input);
	// When it reaches people: its request says so, not its recipients.
	const emptyRequest = () =>
		operation.request({
			...input,
			block: { recipients: [], itemIndexes: input.itemIndexes, places: [], part: 1 },
		});
	const skipsOutsideHours = input.parameters.member('options', outsideHours) === 'skip';
	const startOfPolicy = await policy.screenOfList(emptyRequest, { skipsOutsideHours });
	if (isBlocked === undefined) return startOfPolicy;
	return () => {
		const screen = startOfPolicy?.();
		return (number) => isBlocked(number) ?? screen?.(number);
	};
}

/** Why the one recipient of a message is left out. The policy is asked when its turn comes. */
export async function leftOutOf(
	run: CredentialRun,
	input: OperationInput,
	{ reaches }: PostRequest,
): Promise<Complaint | undefined> {
	const [phoneNumber] = numbersIn(reaches) ?? [];
	if (phoneNumber === undefined) return undefined;
	const reason = (await blockedBy(run, input))?.(phoneNumber);
	return (
		reason && { ...reason, place: input.itemIndexes[0] ?? 0, phoneNumber: String(phoneNumber) }
	);
}

/** The do-not-contact lists of the node's options. */
async function blockedBy(
	{ hints }: CredentialRun,
	input: OperationInput,
): Promise<Screen | undefined> {
	return await readDoNotContact({
		...input,
		noteUnreadable: (storageIds) => hints.addUnreadable(storageIds),
	});
}
