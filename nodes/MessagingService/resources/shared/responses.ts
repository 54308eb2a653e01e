import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../json';

/**
 * The output for a response that the interface does not show: the object as received, any other JSON
 * as `response` beside what is known, and for an empty response (also `{}`) what is known and
 * `success`.
 */
export function outputOf(response: unknown, known: IDataObject): IDataObject {
	if (isObject(response) && Object.keys(response).length > 0) return response;
	if (isObject(response) || response === undefined || response === null || response === '') {
		return { ...known, success: true };
	}
	return { ...known, response: response as IDataObject[string] };
}
