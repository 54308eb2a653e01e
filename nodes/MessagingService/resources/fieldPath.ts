import get from 'lodash/get';
import type { IDataObject } from 'n8n-workflow';

/** Reads one field of many input items: by its name, or by a path with dots. */
export function fieldReader(path: string): (json: IDataObject | undefined) => unknown {
	if (/[.[\]]/.test(path)) return (json) => get(json, path) as unknown;
	return (json) => json?.[path];
}
