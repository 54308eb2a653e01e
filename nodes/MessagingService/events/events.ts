import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../json';
import { receivedNumber } from '../numbers/received';
import { readCode, toNumber, toText, type EventLocale } from './decode';
import { contentHash, eventKeyOf } from './eventKey';
import {
	SERVICE_KINDS,
	type EventKind,
	codeFieldOf,
	type ServiceEventKind,
	type ServiceKind,
	type Values,
} from './kinds';

/** An event as it arrived: the shape that every event body has. */
export interface ServiceEvent {
	webHookType: number;
	data: IDataObject;
}

/**
 * One flat record for every kind of event. Fields and flags that an event does not have are null.
 * Fields that the interface does not list follow under their own names.
 */
export interface DecodedEvent extends IDataObject {
	event: EventKind;
	/** The same for a repeated delivery, different for different events. */
	eventId: string;
	/** The same for the same call or SMS status, however it was received. */
	eventKey: string;
}

const KINDS = Object.keys(SERVICE_KINDS) as ServiceEventKind[];

/** Reads a delivered body, or tells why it is no event; `webHookType` may be a number or its text. */
export function readEvent(body: unknown): ServiceEvent | string {
	if (!isObject(body)) return 'The body is not a JSON object';
	const webHookType = toNumber(body.webHookType);
	if (!Number.isSafeInteger(webHookType)) return 'webHookType is missing or not an integer';
	if (!isObject(body.data)) return 'data is missing or not an object';
	return { webHookType: Number(webHookType), data: body.data };
}

/**
 * The flat record of an event, with names beside codes. Times are ISO 8601 as received.
 * @param selected kinds whose fields all records have
 */
export function decodeEvent(
	event: ServiceEvent,
	{ selected, ...locale }: EventLocale & { selected: readonly string[] },
): DecodedEvent {
	const { data, webHookType } = event;
	const kind: EventKind =
		KINDS.find((each) => SERVICE_KINDS[each].webHookType === webHookType) ?? 'unknown';
	const ids = { eventId: contentHash(event), eventKey: eventKeyOf(kind, data, locale) };
	// What its fields mean is not known: they stay as they are.
	if (kind === 'unknown') {
		const head = { event: kind, webHookType };
		// Twice: once for its place, once because a field of the event must not take it.
		return { ...head, ...data, ...head, ...ids };
	}
	const { fields, identifiers } = fieldsOf(data, kind, selected);
	const phoneNumber = receivedNumber(toText(data.phoneNumber), locale.country);
	const head = { event: kind, phoneNumber, ...fields };
	const tail = {
		...identifiers,
		clientId: data.clientId ?? null,
		...ids,
	};
	const documented = { ...head, ...tail };
	const { renamed } = SERVICE_KINDS[kind];
	const extra = Object.entries(data).filter(
		([name]) => !renamed.includes(name) && !Object.hasOwn(documented, name),
	);
	// What people look at first comes first; identifiers come last.
	return { ...head, ...Object.fromEntries(extra), ...tail };
}

/** The values of a kind; where it is not selected, those that there are. */
function valuesOf(data: IDataObject, fields: Values, isSelected: boolean): IDataObject {
	const values: IDataObject = {};
	for (const [name, { of }] of Object.entries(fields)) {
		const value = (of === undefined ? data[name] : of(data)) ?? null;
		// Calls of the service's lists have a price, as SMS do.
		if (isSelected || value !== null) values[name] = value as IDataObject[string];
	}
	return values;
}

/** The documented fields of all kinds: names of codes, flags, values, codes; and identifiers. */
function fieldsOf(data: IDataObject, ofKind: ServiceEventKind, selected: readonly string[]) {
	const names: IDataObject = {};
	const flags: IDataObject = {};
	const values: IDataObject = {};
	const codes: IDataObject = {};
	const identifiers: IDataObject = {};
	for (const kind of KINDS) {
		const fields: ServiceKind = SERVICE_KINDS[kind];
		const isSelected = kind === ofKind || selected.includes(kind);
		Object.assign(values, valuesOf(data, fields.values, isSelected));
		Object.assign(identifiers, valuesOf(data, fields.identifiers, isSelected));
		if (!isSelected) continue;
		for (const [name, field] of Object.entries(fields.codes)) {
			const { code, name: codeName } = readCode(field.codes, field.of(data));
			names[name] = codeName;
			codes[codeFieldOf(name)] = code;
		}
		for (const [name, { of, codes: those }] of Object.entries(fields.flags)) {
			const code = codes[codeFieldOf(of)];
			// False would say that the event is of the kind and not so: an SMS was not "not answered".
			const isTold = kind === ofKind && typeof code === 'number';
			flags[name] = isTold ? those.includes(code) : null;
		}
	}
	const [result = ''] = Object.keys(SERVICE_KINDS[ofKind].codes);
	const fields = { result: names[result] ?? null, ...names, ...flags, ...values, ...codes };
	return { fields, identifiers };
}
