import { Failure } from '../failure';
import { trimmed } from '../texts';

/** An address as people write it, without the slash at its end. Without a scheme, it is one of https. */
export function addressOf(value: unknown): string {
	const entered = trimmed(value);
	const isWhole = entered === '' || /^(\/|[a-z][a-z\d+.-]*:\/\/)/i.test(entered);
	return (isWhole ? entered : `https://${entered}`).replace(/\/+$/, '');
}

/**
 * Normalizes the base URL: no trailing slash, http or https only, no user name or password in it.
 * @throws Failure that says what is wrong with it
 */
export function readBaseUrl(value: unknown): string {
	const baseUrl = addressOf(value);
	if (baseUrl === '') throw invalidAddress('Base URL', 'is empty');
	if (/[?#]/.test(baseUrl)) throw invalidAddress('Base URL', 'must not contain ? or #');
	return readAddress('Base URL', baseUrl);
}

/**
 * Checks an address: http or https only, no user name or password in it.
 * @param field its display name in the credential
 * @throws Failure that says what is wrong with it
 */
export function readAddress(field: AddressField, address: string): string {
	// URL parsers silently drop or resolve these, so the request would go to another address.
	const isRewritten = /[\s\\\p{Cc}]|\/(\.|%2e){1,2}(\/|$)/iu.test(address);
	if (isRewritten || !URL.canParse(address)) throw invalidAddress(field, 'is not a valid address');
	const url = new URL(address);
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw invalidAddress(field, 'must start with https:// or http://');
	}
	if (url.username !== '' || url.password !== '') {
		throw invalidAddress(field, 'contains a user name or password', ADVICE_ON_PASSWORDS[field]);
	}
	return address;
}

/** Fields of the credential that hold an address, with what to enter. */
const ADDRESSES = {
	'Base URL': 'the address of the service, e.g. https://messaging.example.com',
	'Token URL':
		'an address like https://login.example.com/token, or to a path on the Base URL like /token',
};

type AddressField = keyof typeof ADDRESSES;

/** Where a user name and a password belong that an address has. */
const ADVICE_ON_PASSWORDS: Record<AddressField, string> = {
	'Base URL': ' Use Basic Auth instead.',
	'Token URL': ' Enter them in the fields below it.',
};

/** An address that cannot be used. @param problem continues the field's name */
export function invalidAddress(field: AddressField, problem: string, advice = ''): Failure {
	return new Failure(
		`The ${field} of the credential ${problem}`,
		`Set the ${field} in the credential to ${ADDRESSES[field]}.${advice}`,
		{ field },
	);
}
