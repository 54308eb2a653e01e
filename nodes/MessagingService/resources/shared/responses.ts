import type { IDataObject } from 'n8n-workflow';

/** What a successful response must be, where its kind alone does not tell. */
export interface ExpectedResponse {
	/** As messages name it: "a campaign with an ID". */
	description: string;
	matches(body: unknown): boolean;
}

/** A record that has this field, with a value. */
export function recordWith(field: string): ExpectedResponse {
	return {
		description: `a JSON object with "${field}"`,
		matches: (body) => {
			const value = (body as IDataObject | null | undefined)?.[field];
			return value !== undefined && value !== null && value !== '';
		},
	};
}

/**
 * The output for a response that the interface does not show: the object as received, any other JSON
 * as `response` beside what is known, and for an empty response (also `{}`) what is known and
 * `success`.
 */
export function outputOf(response: unknown, known: IDataObject): IDataObject {
	const isObject = typeof response === 'object' && response !== null && !Array.isArray(response);
	if (isObject && Object.keys(response).length > 0) return response as IDataObject;
	if (isObject || response === undefined || response === null || response === '') {
		return { ...known, success: true };
	}
	return { ...known, response: response as IDataObject[string] };
}
