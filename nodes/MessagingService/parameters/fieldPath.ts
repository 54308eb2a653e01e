import get from 'lodash/get';
import has from 'lodash/has';
import type { IDataObject } from 'n8n-workflow';

/**
 * Reads one field of many input items: by its name, or by a path with dots. What every object
 * inherits (`constructor`) is no field.
 */
export function fieldReader(path: string): (json: IDataObject | undefined) => unknown {
	if (/[.[\]]/.test(path)) {
		return (json) => (has(json, path) ? (get(json, path) as unknown) : undefined);
	}
	return (json) => (json !== undefined && Object.hasOwn(json, path) ? json[path] : undefined);
}
