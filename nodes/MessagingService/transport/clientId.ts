import { Failure } from '../failure';
import { isPathSegment, pathSegment, type ReadClient, type ServiceRequest } from './request';
import { shorten } from '../texts';

const MAX_SHOWN_CHARACTERS = 40;

/**
 * The request with the client identifier where the service wants it: in the query (default), as
 * last segment of the path, or in the body. The interface does not show the place.
 * @param clientId of this call; without it, the credential's
 * @throws Failure where it is empty, or cannot be sent
 */
export function withClientId<Request extends ServiceRequest>(
	{ settings }: Pick<ReadClient, 'settings'>,
	request: Request,
	clientId = settings.clientId,
): Request {
	if (!isPathSegment(clientId)) {
		throw new Failure(
			clientId === ''
				? 'The Client ID of the credential is empty'
				: `Client ID cannot be "${shorten(clientId, MAX_SHOWN_CHARACTERS)}"`,
			'Set the Client ID in the credential. The service issues it and requires it for this operation.',
		);
	}
	switch (settings.clientIdPlace) {
		case 'query':
			return { ...request, query: { ...request.query, clientId } };
		case 'body':
			return { ...request, body: { ...request.body, clientId: clientIdValue(clientId) } };
		case 'path':
			return { ...request, path: `${request.path.replace(/\/$/, '')}/${pathSegment(clientId)}` };
	}
}

/** The identifier as the service's own events have it: an integer where it looks like one. */
export function clientIdValue(clientId: string): number | string {
	return /^\d{1,15}$/.test(clientId) ? Number(clientId) : clientId;
}
