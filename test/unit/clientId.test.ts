import { InvalidClientId, withClientId } from '../../nodes/MessagingService/transport/clientId';
import type { ServiceRequest } from '../../nodes/MessagingService/transport/request';
import { clientWith } from './support/call';
import { thrown } from './support/thrown';

const REQUEST: ServiceRequest = {
	method: 'POST',
	path: '/api/Campaign/Voice/',
	query: { url: 'https://n8n.example.com/' },
	body: { name: 'May' },
};

test('the client ID goes into the query unless set otherwise', () => {
	expect(withClientId(clientWith({ clientId: '0042' }), REQUEST)).toEqual({
		...REQUEST,
		query: { url: 'https://n8n.example.com/', clientId: '0042' },
	});
});

test.each([
	['42', 42],
	['customer-42', 'customer-42'],
	['12345678901234567890', '12345678901234567890'],
])('the client ID %s goes into the body, as an integer where it is one', (clientId, value) => {
	const client = clientWith({ clientId, clientIdPlace: 'body' });
	expect(withClientId(client, REQUEST)).toEqual({
		...REQUEST,
		body: { name: 'May', clientId: value },
	});
});

test.each([
	['/api/Campaign/Voice/', '/api/Campaign/Voice/a%2Fb%3Fc'],
	['/api/integrations/UpdateWebHook', '/api/integrations/UpdateWebHook/a%2Fb%3Fc'],
])('the client ID becomes the last segment of the path %s', (path, expected) => {
	const client = clientWith({ clientId: 'a/b?c', clientIdPlace: 'path' });
	expect(withClientId(client, { ...REQUEST, path })).toEqual({ ...REQUEST, path: expected });
});

test('a client ID of the node wins over the one of the credential', () => {
	const { query } = withClientId(clientWith({ clientId: '1' }), { ...REQUEST, query: {} }, '2');
	expect(query).toEqual({ clientId: '2' });
});

test('the request itself stays as it is', () => {
	const before = structuredClone(REQUEST);
	for (const clientIdPlace of ['query', 'path', 'body'] as const) {
		withClientId(clientWith({ clientIdPlace }), REQUEST);
	}
	expect(REQUEST).toEqual(before);
});

test('an empty client ID is refused, with where to set it', () => {
	const error = thrown(() => withClientId(clientWith({ clientId: '' }), REQUEST));
	expect(error).toBeInstanceOf(InvalidClientId);
	expect(error).toMatchObject({
		message: 'The Client ID of the credential is empty',
		description: expect.stringContaining('Set the Client ID in the credential'),
	});
});

test.each(['.', '..'])('a client ID that leads elsewhere in a path is refused (%s)', (clientId) => {
	const error = thrown(() =>
		withClientId(clientWith({ clientIdPlace: 'path' }), REQUEST, clientId),
	);
	expect(error).toBeInstanceOf(InvalidClientId);
	expect(error).toMatchObject({
		message: `Client ID cannot be "${clientId}"`,
		field: 'Client ID',
	});
});
