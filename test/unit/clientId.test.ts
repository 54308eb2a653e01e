import { withClientId } from '../../nodes/MessagingService/transport/clientId';

const sent = (clientId: string, clientIdPlace: string) =>
	withClientId({ settings: { clientId, clientIdPlace } } as never, {
		...{ method: 'POST' as const, path: '/api/webhook', body: { url: 'x' } },
	});

it.each([
	['1001', 1001],
	['0', 0],
	['123456789012345', 123456789012345],
	['9999999999999999', '9999999999999999'],
	['12345678901234567890', '12345678901234567890'],
	['shop-1', 'shop-1'],
	['10.5', '10.5'],
])('the Client ID %j is sent in the body as %j: no digit is lost', (clientId, value) => {
	expect(sent(clientId, 'body').body).toEqual({ url: 'x', clientId: value });
});

it('the Client ID is sent where the credential says', () => {
	expect(sent('shop 1', 'query')).toMatchObject({ query: { clientId: 'shop 1' } });
	expect(sent('shop 1', 'path')).toMatchObject({ path: '/api/webhook/shop%201' });
});

it.each([
	['', 'The Client ID of the credential is empty'],
	['..', 'Client ID cannot be ".."'],
	[`\ud800${'x'.repeat(50)}`, `Client ID cannot be "\ud800${'x'.repeat(36)}..."`],
])('the Client ID %j is refused', (clientId, message) => {
	expect(() => sent(clientId, 'query')).toThrow(message);
});
