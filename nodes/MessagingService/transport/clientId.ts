import { isPathSegment, pathSegment, type ServiceClient, type ServiceRequest } from './request';

/** The Client ID is needed but empty, or cannot be what it is. */
export class ClientIdUnusable extends Error {
	readonly description =
		'Set the Client ID in the credential: the service issued it and wants it for this operation.';

	constructor(clientId: string) {
		super(
			clientId === ''
				? 'The Client ID of the credential is empty'
				: `Client ID cannot be "${clientId}"`,
		);
		this.name = 'ClientIdUnusable';
	}
}

/**
 * The request with the client identifier where the service wants it: in the query (default), as
 * last segment of the path, or in the body. The interface does not show the place.
 */
export function withClientId(
	{ settings }: ServiceClient,
	request: ServiceRequest,
	clientId = settings.clientId,
): ServiceRequest {
	if (!isPathSegment(clientId)) throw new ClientIdUnusable(clientId);
	// The identifier is an integer in events; in a body it is sent as one where it looks like one.
	const asValue = /^\d{1,15}$/.test(clientId) ? Number(clientId) : clientId;
	switch (settings.clientIdPlace) {
		case 'query':
			return { ...request, query: { ...request.query, clientId } };
		case 'body':
			return { ...request, body: { ...request.body, clientId: asValue } };
		case 'path':
			return { ...request, path: `${request.path.replace(/\/$/, '')}/${pathSegment(clientId)}` };
	}
}
