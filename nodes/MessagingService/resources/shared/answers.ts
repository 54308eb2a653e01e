import type { IDataObject } from 'n8n-workflow';

/**
 * The output for an answer that the interface does not show: the object as received, any other JSON
 * as `response` beside what is known, and for an empty answer just that and `success`.
 */
export function answerOf(answer: unknown, known: IDataObject): IDataObject {
	if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) {
		return answer as IDataObject;
	}
	if (answer === undefined || answer === null || answer === '') return { ...known, success: true };
	return { ...known, response: answer as IDataObject[string] };
}
