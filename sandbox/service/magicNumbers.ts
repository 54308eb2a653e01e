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

/** How a message ends. */
export interface SmsResult {
	statusCode: number;
	/** How long it is Sent before that. */
	sentForSeconds?: number;
	/** Whether the recipient follows the campaign's opt-out link afterwards. */
	optsOut: boolean;
}

/** How one attempt to call a number ends. */
export interface CallResult {
	outcome: number;
	stage: number;
}

/** What the last three digits of a number decide, and in words. */
interface Ending {
	from: number;
	to: number;
	/** The final status of a message. */
	sms?: (ending: number) => SmsResult;
	message?: string;
	/** The result of each attempt to call; the last one repeats. */
	calls?: (ending: number, leavesMessage: boolean) => CallResult[];
	call?: string;
}

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

const ends = (statusCode: number, optsOut = false): SmsResult => ({ statusCode, optsOut });
const calls =
	(...outcomes: number[]) =>
	() =>
		outcomes.map(callResult);

/** All that the last three digits of a number decide: the one place where these numbers are defined. */
export const endings: Ending[] = [
	{ from: 900, to: 910, sms: (ending) => ends(ending - 900), message: 'status code 0 to 10' },
	{
		from: 920,
		to: 920,
		sms: () => ends(smsStatus.delivered, true),
		message: 'Delivered, then opts out by the opt-out link',
	},
	{
		from: 921,
		to: 921,
		sms: () => ({ ...ends(smsStatus.delivered), sentForSeconds: 3600 }),
		message: 'Sent, an hour later Delivered',
	},
	{
		from: 934,
		to: 934,
		sms: () => ends(smsStatus.rejectedInvalidRecipient),
		message: 'status code 34',
	},
	{
		from: 999,
		to: 999,
		sms: () => ends(smsStatus.failedInsufficientCredit),
		message: 'status code 1000',
	},
	{ from: 701, to: 713, calls: (ending) => [callResult(ending - 700)], call: 'outcome 1 to 13' },
	{
		from: 714,
		to: 714,
		calls: (_, leavesMessage) => [
			callResult(
				leavesMessage ? outcome.answerphoneMessageLeft : outcome.answerphoneMessageNotLeft,
			),
		],
		call: 'Answerphone; a message is left if the campaign says so',
	},
	{
		from: 721,
		to: 721,
		calls: calls(outcome.noAnswer, outcome.answered),
		call: 'No Answer, then Answered',
	},
	{
		from: 722,
		to: 722,
		calls: calls(outcome.noAnswer, outcome.noAnswer, outcome.answered),
		call: 'No Answer twice, then Answered',
	},
	{ from: 723, to: 723, calls: calls(outcome.busy, outcome.answered), call: 'Busy, then Answered' },
	{
		from: 724,
		to: 724,
		calls: calls(outcome.answerphoneMessageNotLeft, outcome.answered),
		call: 'Answerphone Message Not Left, then Answered',
	},
	{
		from: 725,
		to: 725,
		calls: calls(outcome.noConnection, outcome.busy, outcome.noAnswer),
		call: 'No Connection, Busy, then No Answer',
	},
	{
		from: 730,
		to: 739,
		sms: (ending) => ends(ending - 730),
		message: 'status code 0 to 9',
		calls: calls(outcome.busy),
		call: 'Busy',
	},
	{
		from: 800,
		to: 820,
		calls: (ending) => [{ outcome: outcome.answered, stage: ending - 800 }],
		call: 'Answered, with stage 0 to 20',
	},
];

/** What the last three digits of a number decide, if anything. */
const endingOf = (phoneNumber: string): { digits: number; ending: Ending | undefined } => {
	const digits = Number(phoneNumber.slice(-3));
	return { digits, ending: endings.find(({ from, to }) => digits >= from && digits <= to) };
};

/** The final status of a message to this number, by its last three digits. */
export const smsResultOf = (phoneNumber: string): SmsResult => {
	if (!isValidPhoneNumber(phoneNumber)) return ends(smsStatus.rejectedInvalidRecipient);
	const { digits, ending } = endingOf(phoneNumber);
	return ending?.sms?.(digits) ?? ends(smsStatus.delivered);
};

/** The result of an attempt to call this number, by its last three digits. */
export const callResultOf = (
	phoneNumber: string,
	attemptNumber: number,
	leavesMessage: boolean,
): CallResult => {
	if (!isValidPhoneNumber(phoneNumber)) return callResult(outcome.invalidNumber);
	const { digits, ending } = endingOf(phoneNumber);
	const sequence = ending?.calls?.(digits, leavesMessage) ?? [];
	return sequence[attemptNumber - 1] ?? sequence.at(-1) ?? callResult(outcome.answered);
};

/** Whether an attempt with this outcome has called anybody: others were never dialled. */
export const isDialled = (code: number): boolean =>
	code !== outcome.outOfTime && code !== outcome.excludedNumber && code !== outcome.invalidNumber;

const triedAgain = new Set<number>([
	outcome.busy,
	outcome.answerphoneMessageNotLeft,
	outcome.noAnswer,
	outcome.overflow,
	outcome.unknown,
	outcome.noConnection,
]);

/** Outcomes after which a number is called again, while attempts are left. */
export const isTriedAgain = (code: number): boolean => triedAgain.has(code);

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

/** Messages of these statuses never left the service: they cost nothing and reached nobody. */
export const isRefusedSms = (statusCode: number): boolean =>
	statusCode === smsStatus.rejected ||
	statusCode === smsStatus.rejectedInvalidRecipient ||
	statusCode === smsStatus.failedInsufficientCredit;

const paidOutcomes = new Set<number>([
	outcome.answered,
	outcome.answerphoneMessageNotLeft,
	outcome.answerphoneMessageLeft,
	outcome.fax,
]);

/** What a call costs: 0.02 for each started minute that somebody or something answered. */
export const callPriceOf = (code: number, seconds: number): number =>
	paidOutcomes.has(code) ? Math.ceil(seconds / 60) * 0.02 : 0;
