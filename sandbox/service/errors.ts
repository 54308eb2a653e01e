/** The messages of one validation error, by field (interface: "Errors"). */
export type FieldErrors = Record<string, string[]>;

/** A response other than success, with the exact JSON body to send. */
export class ServiceError extends Error {
	readonly statusCode: number;
	readonly body: unknown;

	constructor(statusCode: number, body: unknown, message: string) {
		super(message);
		this.statusCode = statusCode;
		this.body = body;
	}
}

/** 400 with the documented error shape: `{"errors": {"<Field>": ["..."]}}`. */
export const invalid = (errors: FieldErrors): ServiceError =>
	new ServiceError(
		400,
		{ errors },
		Object.entries(errors)
			.map(([field, messages]) => `${field}: ${messages.join(' ')}`)
			.join('; '),
	);

/** Any other refusal: `{"message": "..."}` (its real shape is not told). */
export const problem = (statusCode: number, message: string): ServiceError =>
	new ServiceError(statusCode, { message }, message);

/** Gathers field errors, so that one response names all of them. */
export class ErrorCollector {
	// A map: a field that a request makes up may be called like a part of every object.
	readonly #errors = new Map<string, string[]>();

	add(field: string, message: string): void {
		this.#errors.set(field, [...(this.#errors.get(field) ?? []), message]);
	}

	throwIfAny(): void {
		if (this.#errors.size > 0) throw invalid(Object.fromEntries(this.#errors));
	}
}
