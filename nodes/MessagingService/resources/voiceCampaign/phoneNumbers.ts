import type { IDataObject } from 'n8n-workflow';
import type { RecipientKind, RowReporter } from '../../recipients/kind';
import { optionalText } from '../../recipients/kind';

const PARAMETER_NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

const parameterField = (number: number) => `parameter${number}`;

/** Entries of `phoneNumbers` in the create request (interface, "Voice campaign create request"). */
export const phoneNumbers: RecipientKind = {
	label: 'Phone Numbers',
	singular: 'Phone Number',
	name: 'phoneNumbers',
	numberName: 'number',
	jsonSample:
		'[\n  { "number": "+447700900123", "name": "Ada", "parameters": [{ "parameter": 1, "value": "Monday" }] }\n]',
	otherFields: {
		name: 'Name',
		...Object.fromEntries(
			PARAMETER_NUMBERS.map((number) => [parameterField(number), `Parameter ${number}`]),
		),
	},
	jsonFields: ['parameters'],
	build(number, others, reporter) {
		const entry: IDataObject = { number };
		const name = optionalText(others.name, 'Name', reporter);
		if (name !== undefined) entry.name = name;
		const parameters = [
			...readParameterList(others.parameters, reporter),
			...PARAMETER_NUMBERS.flatMap((parameter) => {
				const value = optionalText(
					others[parameterField(parameter)],
					`Parameter ${parameter}`,
					reporter,
				);
				return value === undefined ? [] : [{ parameter, value }];
			}),
		];
		const numbers = parameters.map(({ parameter }) => parameter);
		if (new Set(numbers).size < numbers.length) {
			reporter.report('a parameter number is used twice', 'Use each of the numbers 1 to 9 once.');
		}
		if (parameters.length > 0) entry.parameters = parameters;
		return entry;
	},
};

/** `parameters` as the service has them, from JSON: number 1 to 9 and a text. */
function readParameterList(value: unknown, reporter: RowReporter) {
	if (value === undefined || value === null) return [];
	if (!Array.isArray(value)) {
		reporter.report(
			'parameters is not an array',
			'Write it as [{ "parameter": 1, "value": "..." }].',
		);
		return [];
	}
	return value.flatMap((entry: unknown) => {
		const { parameter, value: text } = (entry ?? {}) as IDataObject;
		const number = typeof parameter === 'boolean' ? NaN : Number(parameter);
		if (!PARAMETER_NUMBERS.includes(number)) {
			const problem = `the parameter number ${String(parameter)} is not 1 to 9`;
			reporter.report(problem, 'Use a whole number from 1 to 9.');
			return [];
		}
		const content = optionalText(text, `Parameter ${number}`, reporter);
		return content === undefined ? [] : [{ parameter: number, value: content }];
	});
}
