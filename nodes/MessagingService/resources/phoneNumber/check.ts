import { attempt, isError, omit } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';
import { Failure } from '../../failure';
import { clauseOf, type Reason } from '../../reason';
import { classify } from '../../numbers/plans';
import { readNumber, type NumberOptions } from '../../numbers/readNumber';
import { NO_ZONES, timeZonesOf, westernmost } from '../../numbers/timeZones';
import type { OperationInput } from '../../parameters/operationInput';
import {
	invalidIn,
	numberReadingOptions,
	readNumberOptions,
	readRecipientNumber,
} from '../../recipients/phoneNumber';
import { firstSentence, sentenceOf } from '../../texts';
import { defineOperation } from '../define';

const OPTIONS = 'options';

const checkedNumberField = {
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 07700 900123',
	description: 'Number to check, usually an expression that names a field of the input items',
	builderHint: {
		propertyHint: "An expression that names one input field, e.g. expr('{{ $json.phone }}').",
	},
} satisfies INodeProperties;

const onInvalid = {
	displayName: 'On Invalid',
	name: 'onInvalid',
	type: 'options',
	options: [
		{
			name: 'Keep in Output',
			value: 'keep',
			description: 'Output the row with valid: false and the problem',
		},
		{
			name: 'Report as Error',
			value: 'error',
			description: 'Send the row to the error output, if On Error in Settings says so, or stop',
		},
	],
	default: 'keep',
	description: 'What to do with a row whose phone number is invalid',
} satisfies INodeProperties;

const resultField = {
	displayName: 'Output Field',
	name: 'outputField',
	type: 'string',
	default: 'check',
	description:
		'Name of a field that holds the result as an object. Without this option, the fields of the result replace input fields of the same names.',
} satisfies INodeProperties;

/** Reads a phone number as the operations that send do. It makes no request. */
export const check = defineOperation({
	value: 'check',
	name: 'Check',
	action: 'Check phone number',
	description:
		'Validate and complete a number, without contacting anybody: is it valid, in which country and time zone, is it a mobile',
	fields: [checkedNumberField],
	options: [...numberReadingOptions, onInvalid, resultField],
	async run(call) {
		const { context, parameters } = call;
		const [itemIndex = 0] = call.itemIndexes;
		const entered = parameters.value(checkedNumberField.name, checkedNumberField.displayName);
		const onProblem = parameters.member(OPTIONS, onInvalid);
		const { options, wrong } = optionsOfRow(call);
		const reading =
			wrong === undefined ? readNumber(entered, options) : { problem: asReason(wrong) };
		const isInvalid = reading.problem !== undefined;
		if (isInvalid && onProblem === 'error') {
			throw wrong ?? invalidIn(checkedNumberField, reading.problem);
		}
		// A number whose type is not allowed is known all the same.
		const found = isInvalid
			? readNumber(entered, { ...options, allowedTypes: undefined })
			: reading;
		const known = found.problem === undefined ? found : undefined;
		const { e164 } = known ?? {};
		const classification = e164 === undefined ? undefined : classify(e164);
		const zones = e164 === undefined ? NO_ZONES : timeZonesOf(e164, classification);
		const result = {
			phoneNumber: known?.number ?? readRecipientNumber(entered, options).number,
			valid: !isInvalid,
			reason: reading.problem === undefined ? 'OK' : sentencesOf(reading.problem),
			country: classification?.country ?? null,
			type: classification?.type ?? null,
			timeZone: westernmost(zones) ?? null,
		};
		const input = context.getInputData()[itemIndex]?.json ?? {};
		const name = parameters.member(OPTIONS, resultField) ?? '';
		return name === ''
			? { ...result, ...omit(input, Object.keys(result)) }
			: { ...input, [name]: result };
	},
});

/**
 * How the number of a row is read. A value of its own that is not allowed is wrong with this row only:
 * its number then needs its country code.
 * @throws Failure for one that all rows share
 */
function optionsOfRow(call: OperationInput): { options: NumberOptions; wrong?: Failure } {
	const options = attempt(() => readNumberOptions(call));
	if (!isError(options)) return { options };
	const wrong = Failure.of(options);
	const field = numberReadingOptions.find(({ displayName }) => displayName === wrong.facts.field);
	if (field === undefined || !call.parameters.isOfItem(`${OPTIONS}.${field.name}`)) throw wrong;
	return { options: { format: 'international', defaultCountry: '' }, wrong };
}

const asReason = ({ message, description }: Failure): Reason => ({
	code: 'field',
	text: message,
	advice: description,
});

/** What is wrong, and the first thing to do about it. */
function sentencesOf(problem: Reason): string {
	return `${sentenceOf(clauseOf(problem))} ${firstSentence(problem.advice)}`;
}
