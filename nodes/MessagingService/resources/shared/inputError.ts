/** Bad input of the user, found before anything was sent. The item loop adds node and item. */
export class InputError extends Error {
	/** What to do about it. */
	readonly description: string;

	/**
	 * @param field display name of the n8n field that is wrong
	 * @param problem what is wrong with it, continuing the field's name: "is empty"
	 * @param description what to do about it
	 */
	constructor(field: string, problem: string, description: string) {
		super(`${field} ${problem}`);
		this.name = 'InputError';
		this.description = description;
	}
}
