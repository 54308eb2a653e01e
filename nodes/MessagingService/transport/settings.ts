import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Failure } from './errors';
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
	/** Index of the first page, where the path carries it and no response can tell it beforehand. */
	firstPageIndex: number;
	/** Whether the two GET paths of the storage start with `//api`, as the interface shows them. */
	doubledStorageSlash: boolean;
	/** Whether `GET /api/SMSMessages:Id` gets a slash before the ID. */
	slashBeforeId: boolean;
	/** What webhook URLs carry to prove where they come from; undefined without a secret. */
	webhookToken?: string | undefined;
	/** IANA zone of the service's times without designator; empty for the workflow's. */
	timeZone: string;
}

/** Reads the settings. The conventions count only while their switch is on. */
export function readSettings(data: ICredentialDataDecryptedObject): ServiceSettings {
	const defaults = {
		baseUrl: text(data.baseUrl),
		clientId: text(data.clientId),
		clientIdPlace: 'query',
		pageIndexParameter: 'pageIndex',
		pageSizeParameter: 'pageSize',
		firstPageIndex: 1,
		doubledStorageSlash: false,
		slashBeforeId: false,
		webhookToken: webhookToken(data),
		timeZone: '',
	} as const;
	if (data.serviceConventions !== true) return defaults;
	const place = text(data.clientIdPlace);
	return {
		...defaults,
		clientIdPlace: place === 'path' || place === 'body' ? place : 'query',
		pageIndexParameter: text(data.pageIndexParameter) || defaults.pageIndexParameter,
		pageSizeParameter: text(data.pageSizeParameter) || defaults.pageSizeParameter,
		firstPageIndex: data.firstPageIndex === 0 ? 0 : defaults.firstPageIndex,
		doubledStorageSlash: data.doubledStorageSlash === true,
		slashBeforeId: data.slashBeforeId === true,
		timeZone: text(data.serviceTimeZone),
	};
}

function text(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/**
 * Normalizes the base URL: no trailing slash, http or https only, no user name or password in it.
 * @returns the URL, or what is wrong with it
 */
export function readBaseUrl(value: unknown): string | Failure {
	const baseUrl = typeof value === 'string' ? value.trim().replace(/\/+$/, '') : '';
	if (baseUrl === '') return invalidBaseUrl('is empty');
	// URL parsers silently drop or resolve these, so the request would go to another address.
	const isRewritten = /[\s\\\p{Cc}]|\/(\.|%2e){1,2}(\/|$)/iu.test(baseUrl);
	if (isRewritten || !URL.canParse(baseUrl)) return invalidBaseUrl('is not a valid address');
	const url = new URL(baseUrl);
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		return invalidBaseUrl('must start with https:// or http://');
	}
	if (url.username !== '' || url.password !== '') {
		return invalidBaseUrl('contains a user name or password', ' Use Basic Auth instead.');
	}
	if (url.search !== '' || url.hash !== '') return invalidBaseUrl('must not contain ? or #');
	return baseUrl;
}

function invalidBaseUrl(problem: string, advice = ''): Failure {
	return {
		message: `The Base URL of the credential ${problem}`,
		description: `Set the Base URL in the credential to the address of the service, e.g. https://messaging.example.com.${advice}`,
		field: 'Base URL',
		sent: 'no',
	};
}
