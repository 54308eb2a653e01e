import { isNothing, readInteger, readOption } from '../parameters/values';

/** Readers for the credential's fields, which n8n may hand over as the form, JSON or an expression has them. */

/** Whether a switch is off; any other value is taken for on, as that sends less. */
export function isOff(value: unknown): boolean {
	return [undefined, null, false, '', 'false'].includes(value as undefined);
}

/** The entries of a list: an array, or a text with commas, semicolons or spaces between them. */
export function readWords(value: unknown): string[] {
	const parts: unknown[] = Array.isArray(value) ? value : String(value as string).split(/[\s,;]+/);
	return parts.map((part) => String(part).trim()).filter((part) => part !== '');
}

/**
 * Several values of a menu; `preset` where none is selected. It cannot be the field's default: n8n's
 * editor shows a field that has its default as empty when the credential is opened again.
 */
export function readChoices<Value extends string>(
	value: unknown,
	preset: readonly Value[],
	label: string,
	allowed: readonly Value[],
): ReadonlySet<Value> {
	const chosen = isNothing(value) ? [] : readWords(value);
	if (chosen.length === 0) return new Set(preset);
	return new Set(chosen.map((entry) => readOption(entry, label, allowed)));
}

/** A maximum; undefined where there is none, or 0. */
export function readMaximum(value: unknown, label: string): number | undefined {
	const max = isNothing(value) ? 0 : readInteger(value, label, { min: 0 });
	return max === 0 ? undefined : max;
}
