import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { isDroppedName, trimmed } from '../texts';
import { addressOf } from './address';
import { webhookToken } from './webhookToken';

/** The settings of the credential that concern requests. */
export interface ServiceSettings {
	/** Address of the service as the credential has it. */
	baseUrl: string;
	/** Client identifier issued by the service; empty when not set. */
	clientId: string;
	/** Where the client identifier goes; the interface does not show it. */
	clientIdPlace: 'query' | 'path' | 'body';
	/** Names of the paging parameters; the interface does not show them. */
	pageIndexParameter: string;
	pageSizeParameter: string;
	/** What webhook URLs carry to prove where they come from; undefined without a secret. */
	webhookToken?: string | undefined;
	/** Code of the country of phone numbers without one, as entered; empty without it. */
	defaultCountry: string;
	/** IANA zone of the service's times without designator; empty for the workflow's. */
	timeZone: string;
	/** What one message part costs, in the user's currency; undefined where it is not set. */
	pricePerPart?: number | undefined;
	/** The currency of the price, as entered; undefined where it is not set. */
	currency?: string | undefined;
}

/** What tells the clients of services apart, however the address is written. */
export function clientKeyOf({ baseUrl, clientId }: ServiceSettings): string {
	return `${baseUrl.toLowerCase()} ${clientId}`;
}

/** The limits of the account. */
export interface AccountLimits {
	/** Maximum number of requests in progress. */
	concurrency: number;
	/** Maximum number of requests started in a second; 0 for as fast as possible. */
	requestsPerSecond: number;
	/** How long to wait for a response, its body included. */
	timeoutMs: number;
}

/** That of n8n's HTTP Request node. */
const TIMEOUT_SECONDS = 300;
/** Longer waits do not fit into a timer of Node.js from about 24 days on; a day is enough. */
const MAX_SECONDS = 86_400;
/** Measured: with n8n's HTTP helper, which opens a connection per request, more gains nothing. */
const CONCURRENT_REQUESTS = 10;

/**
 * Reads the limits; a field that the credential does not have yet has its default.
 * @throws Failure that names the field
 */
export function readLimits(data: ICredentialDataDecryptedObject): AccountLimits {
	const { requestsPerSecond = 0, concurrentRequests = CONCURRENT_REQUESTS } = data;
	const { timeout = TIMEOUT_SECONDS } = data;
	if (!isNumber(requestsPerSecond, 0, Infinity)) {
		throw invalidLimit('Requests per Second', 'a number, or 0 for no limit');
	}
	if (!isNumber(concurrentRequests, 1, Infinity) || Number(concurrentRequests) % 1 !== 0) {
		throw invalidLimit('Max Concurrent Requests', 'a whole number from 1');
	}
	if (!isNumber(timeout, 0.1, MAX_SECONDS)) {
		throw invalidLimit('Timeout (Seconds)', `a number from 0.1 to ${MAX_SECONDS}`);
	}
	return {
		requestsPerSecond: Number(requestsPerSecond),
		concurrency: Number(concurrentRequests),
		timeoutMs: Number(timeout) * 1000,
	};
}

/** Whether a value is a number of a range, perhaps as text: expressions give texts. */
function isNumber(value: unknown, min: number, max: number): boolean {
	const number = trimmed(value) === '' ? NaN : Number(trimmed(value));
	return number >= min && number <= max && number < Infinity;
}

function invalidLimit(field: string, allowed: string): Failure {
	return new Failure(
		`${field} of the credential is invalid`,
		`Enter ${allowed} in the credential.`,
		{ field },
	);
}

/** Reads the settings. The conventions count only while their switch is on. */
export function readSettings(data: ICredentialDataDecryptedObject): ServiceSettings {
	const defaults = {
		baseUrl: addressOf(data.baseUrl),
		clientId: trimmed(data.clientId),
		clientIdPlace: 'query',
		pageIndexParameter: 'pageIndex',
		pageSizeParameter: 'pageSize',
		webhookToken: webhookToken(data),
		defaultCountry: trimmed(data.defaultCountry),
		timeZone: '',
		pricePerPart: Number(data.pricePerPart) > 0 ? Number(data.pricePerPart) : undefined,
		currency: trimmed(data.currency) || undefined,
	} as const;
	if (data.serviceConventions !== true) return defaults;
	const place = trimmed(data.clientIdPlace);
	return {
		...defaults,
		clientIdPlace: place === 'path' || place === 'body' ? place : 'query',
		pageIndexParameter: queryName(data.pageIndexParameter) || defaults.pageIndexParameter,
		pageSizeParameter: queryName(data.pageSizeParameter) || defaults.pageSizeParameter,
		timeZone: trimmed(data.serviceTimeZone),
	};
}

/** The name of a query parameter; empty for one that cannot be sent. */
function queryName(value: unknown): string {
	return isDroppedName(trimmed(value)) ? '' : trimmed(value);
}
