import { Failure } from '../failure';
import { shown } from '../texts';

/**
 * Readers of a single value from an expression, a sheet or another node: each returns the
 * value in its type or throws a Failure that names the field.
 */

/** Whether a value is none: `undefined`, `null` or a text without a character other than spaces. */
export function isNothing(value: unknown): value is '' | null | undefined {
	return (
		value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
	);
}

/** @throws Failure when the value is none */
export function assertSomething(value: unknown, label: string): void {
	if (!isNothing(value)) return;
	throw Failure.ofField(
		label,
		'is empty',
		'Enter a value or, if the field is optional, remove it. If an expression sets it, check that the expression names an input field that exists and has a value.',
	);
}

const TRUE = new Set(['true', 'yes', '1']);
const FALSE = new Set(['false', 'no', '0']);

/** true or false, also as a text ("true", "YES") or as 1 or 0. */
export function readBoolean(value: unknown, label: string): boolean {
	assertSomething(value, label);
	if (typeof value === 'boolean') return value;
	const text = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
	if (TRUE.has(text)) return true;
	if (FALSE.has(text)) return false;
	throw Failure.ofField(label, `is neither true nor false (${shown(value)})`, 'Use true or false.');
}

/** One of the values of a menu, exactly as the menu has it. */
export function readOption<Value extends string>(
	value: unknown,
	label: string,
	allowed: readonly Value[],
): Value {
	assertSomething(value, label);
	const found = allowed.find((candidate) => candidate === value);
	if (found !== undefined) return found;
	throw Failure.ofField(
		label,
		`cannot be "${shown(value)}"`,
		`Use one of these values: ${allowed.join(', ')}.`,
	);
}

/** Several values of a menu, as a list or as a text with commas; an empty list is one. */
export function readOptions<Value extends string>(
	value: unknown,
	label: string,
	allowed: readonly Value[],
): Value[] {
	assertSomething(value, label);
	const texts = typeof value === 'string' ? value.split(',').map((text) => text.trim()) : value;
	if (Array.isArray(texts)) return texts.map((text) => readOption(text, label, allowed));
	throw Failure.ofField(
		label,
		`is not a list (${shown(value)})`,
		`Use a list of these values: ${allowed.join(', ')}.`,
	);
}

/**
 * A whole number; as a text, in decimal digits only.
 * @param limits both included
 */
export function readInteger(
	value: unknown,
	label: string,
	{ min = -Infinity, max = Infinity }: { min?: number; max?: number } = {},
): number {
	assertSomething(value, label);
	const isDigits = typeof value === 'string' && /^-?\d+$/.test(value.trim());
	const number = isDigits || typeof value === 'bigint' ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
		throw Failure.ofField(
			label,
			`is not a whole number (${shown(value)})`,
			'Write it in decimal digits only, for example 50.',
		);
	}
	if (number < min) {
		throw Failure.ofField(label, `is less than ${min} (${number})`, `Use ${min} or more.`);
	}
	if (number > max) {
		throw Failure.ofField(label, `is more than ${max} (${number})`, `Use ${max} or less.`);
	}
	return number;
}

/** A text; a number becomes its digits, unless it has lost some. */
export function readText(value: unknown, label: string): string {
	assertSomething(value, label);
	if (typeof value === 'string') {
		if (value.isWellFormed()) return value;
		throw Failure.ofField(
			label,
			'contains an invalid Unicode character',
			'Remove the character. It may be half of an emoji that an expression has cut off.',
		);
	}
	if (typeof value === 'bigint') return String(value);
	if (typeof value !== 'number') {
		throw Failure.ofField(
			label,
			'is neither text nor a number',
			'Use an expression that returns one field of the input: text or a number, not true or false, an object or a list.',
		);
	}
	if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
		throw Failure.ofField(
			label,
			`is a number that has lost digits (${shown(value)})`,
			'Pass it as text, for example by formatting the column of the spreadsheet as text.',
		);
	}
	return String(value);
}
