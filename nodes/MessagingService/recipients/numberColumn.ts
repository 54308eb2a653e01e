import type { IDataObject } from 'n8n-workflow';
import { readNumber, type NumberOptions } from '../numbers/readNumber';
import { isNothing } from '../parameters/values';

/** Rows that are looked at. */
const SAMPLES = 20;
/** An ID or a year has fewer. */
const FEWEST_DIGITS = 7;

const NAME_OF_NUMBERS = /phone|mobile?|cell|tel|numb?er|nummer|handy|msisdn|whatsapp|sms|gsm/i;
/** As only phone numbers are written: +44 7700 900123, 0044 7700 900123, (07700) 900123. */
const WRITTEN_NUMBER = /^\s*(\+|\(?0)/;

/**
 * The only column that holds phone numbers; undefined where none or several do. Order numbers and
 * dates are digits as well: its name must say so, or the way in which all are written.
 */
export function onlyNumberColumn(
	names: Iterable<string>,
	rows: Iterable<IDataObject | undefined>,
	options: NumberOptions,
): string | undefined {
	const samples: IDataObject[] = [];
	for (const row of rows) {
		if (samples.length === SAMPLES) break;
		if (row !== undefined) samples.push(row);
	}
	const holdsNumbers = (name: string) => {
		const values = samples.map((row) => row[name]).filter((value) => !isNothing(value));
		const isNamed = NAME_OF_NUMBERS.test(name);
		return (
			values.length > 0 &&
			values.every(
				(value) =>
					isNumber(value, options) && (isNamed || WRITTEN_NUMBER.test(String(value as string))),
			)
		);
	};
	const [only, ...others] = [...names].filter(holdsNumbers);
	return others.length === 0 ? only : undefined;
}

function isNumber(value: unknown, options: NumberOptions): boolean {
	const reading = readNumber(value, options);
	return reading.problem === undefined && reading.number.replace(/\D/g, '').length >= FEWEST_DIGITS;
}
