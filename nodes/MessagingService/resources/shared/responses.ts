import type { IDataObject } from 'n8n-workflow';

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
