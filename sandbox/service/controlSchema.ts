/** A text that is not empty, in a schema of the control API. */
export const text = { type: 'string', minLength: 1 };

/** A whole number from 0. */
export const whole = { type: 'integer', minimum: 0 };

/** An object with these members and no others. */
export const object = (properties: Record<string, unknown>, required: string[] = []) => ({
	type: 'object',
	additionalProperties: false,
	properties,
	required,
});
