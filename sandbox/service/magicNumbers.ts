import { isValidPhoneNumber } from './phoneNumbers.ts';

/** SMS delivery status codes (interface: "States and transitions") that the service itself decides on. */
export const smsStatus = {
	sent: 0,
	delivered: 1,
	accepted: 2,
	rejected: 7,
	rejectedInvalidRecipient: 34,
	failedInsufficientCredit: 1000,
} as const;

/** Call outcome codes (interface: "Events"). */
export const outcome = {
	answered: 1,
	unobtainable: 2,
	busy: 3,
	answerphoneMessageNotLeft: 4,
	answerphoneMessageLeft: 5,
	noAnswer: 6,
	overflow: 7,
	outOfTime: 8,
	fax: 9,
	unknown: 10,
	excludedNumber: 11,
	noConnection: 12,
	invalidNumber: 13,
} as const;

/** Call stage codes (interface: "Events") that the service itself decides on. */
export const stage = {
	noAction: 0,
	excluded: 9,
	answered: 10,
	answerphoneMessageNotLeft: 11,
	answerphoneMessageLeft: 12,
	optOut: 14,
} as const;

/** What becomes of a message. */
export interface SmsResult {
	statusCode: number;
	/** Whether the recipient follows the campaign's opt-out link afterwards. */
	optsOut: boolean;
}

/** What becomes of one attempt to call a number. */
export interface CallResult {
	outcome: number;
	stage: number;
}

const lastThree = (phoneNumber: string): number => {
	const [found] = /\d{3}$/.exec(phoneNumber) ?? [];
	return found === undefined ? -1 : Number(found);
};

const otherSmsEndings: Record<number, number> = {
	934: smsStatus.rejectedInvalidRecipient,
	999: smsStatus.failedInsufficientCredit,
};

/**
 * The status of a message to this number. By the last three digits: 900 to 910 give the status codes 0 to 10,
 * 934 gives 34, 999 gives 1000; 920 is delivered and then opts out; 73x gives x; anything else is delivered.
 */
export const smsResultOf = (phoneNumber: string): SmsResult => {
	if (!isValidPhoneNumber(phoneNumber)) {
		return { statusCode: smsStatus.rejectedInvalidRecipient, optsOut: false };
	}
	const ending = lastThree(phoneNumber);
	if (ending >= 900 && ending <= 910) return { statusCode: ending - 900, optsOut: false };
	if (ending >= 730 && ending <= 739) return { statusCode: ending - 730, optsOut: false };
	return { statusCode: otherSmsEndings[ending] ?? smsStatus.delivered, optsOut: ending === 920 };
};

const stageOfOutcome: Record<number, number> = {
	[outcome.answered]: stage.answered,
	[outcome.answerphoneMessageNotLeft]: stage.answerphoneMessageNotLeft,
	[outcome.answerphoneMessageLeft]: stage.answerphoneMessageLeft,
	[outcome.excludedNumber]: stage.excluded,
};

/** An outcome with the stage that belongs to it when nothing more is said. */
export const callResult = (code: number): CallResult => ({
	outcome: code,
	stage: stageOfOutcome[code] ?? stage.noAction,
});

/** Numbers whose attempts differ: the outcomes of the first attempts; the last one repeats. */
const sequences: Record<number, number[]> = {
	721: [outcome.noAnswer, outcome.answered],
	722: [outcome.noAnswer, outcome.noAnswer, outcome.answered],
	723: [outcome.busy, outcome.answered],
	724: [outcome.answerphoneMessageNotLeft, outcome.answered],
	725: [outcome.noConnection, outcome.busy, outcome.noAnswer],
};

/**
 * The result of an attempt to call this number. By the last three digits: 701 to 713 give the outcomes 1 to 13 at
 * each attempt; 800 to 820 are answered and end at the stages 0 to 20; 714 is an answerphone, where a message is
 * left if the campaign says so; 721 to 725 change from attempt to attempt; 73x is busy; anything else is answered.
 */
export const callResultOf = (
	phoneNumber: string,
	attemptNumber: number,
	leavesMessage: boolean,
): CallResult => {
	if (!isValidPhoneNumber(phoneNumber)) return callResult(outcome.invalidNumber);
	const ending = lastThree(phoneNumber);
	if (ending >= 701 && ending <= 713) return callResult(ending - 700);
	if (ending >= 800 && ending <= 820) return { outcome: outcome.answered, stage: ending - 800 };
	if (ending === 714) {
		return callResult(
			leavesMessage ? outcome.answerphoneMessageLeft : outcome.answerphoneMessageNotLeft,
		);
	}
	if (ending >= 730 && ending <= 739) return callResult(outcome.busy);
	const sequence = sequences[ending];
	return callResult(sequence?.[attemptNumber - 1] ?? sequence?.at(-1) ?? outcome.answered);
};

/** Outcomes after which a number is called again, while attempts are left. */
export const isTriedAgain = (code: number): boolean =>
	new Set<number>([
		outcome.busy,
		outcome.answerphoneMessageNotLeft,
		outcome.noAnswer,
		outcome.overflow,
		outcome.unknown,
		outcome.noConnection,
	]).has(code);

const inputs: Record<number, string> = {
	1: '1',
	2: '2',
	3: '3',
	7: '1,4',
	8: '1,4',
	13: '1,5',
	14: '9',
	15: '2,4',
	16: '1,4',
	17: '1,6',
	18: '1,7',
	19: '2,4',
};

/** The keys that the person called has pressed by the time of this stage. */
export const userInputOf = (stageCode: number): string => inputs[stageCode] ?? '';

/** Stages of a call that was put through to somebody else. */
export const isTransfer = (stageCode: number): boolean => [8, 16, 17, 19].includes(stageCode);

const durations: Record<number, number> = {
	[outcome.answered]: 42,
	[outcome.answerphoneMessageNotLeft]: 6,
	[outcome.answerphoneMessageLeft]: 24,
	[outcome.noAnswer]: 30,
	[outcome.fax]: 4,
};

/** How many seconds a call with this outcome lasts. */
export const secondsOf = (code: number): number => durations[code] ?? 0;

const paidOutcomes = new Set<number>([
	outcome.answered,
	outcome.answerphoneMessageNotLeft,
	outcome.answerphoneMessageLeft,
	outcome.fax,
]);

/** What a call costs: 0.02 for each started minute that somebody or something answered. */
export const callPriceOf = (code: number, seconds: number): number =>
	paidOutcomes.has(code) ? Math.ceil(seconds / 60) * 0.02 : 0;
