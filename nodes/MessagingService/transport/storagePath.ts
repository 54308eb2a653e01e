import type { ServiceSettings } from './settings';

/**
 * The path of the storage for its two GET requests, which the interface shows with a doubled slash;
 * whether the service wants that is a convention of the credential.
 */
export function storageReadPath({ doubledStorageSlash }: ServiceSettings): string {
	return `${doubledStorageSlash ? '/' : ''}/api/PhoneNumberStorageItem`;
}
