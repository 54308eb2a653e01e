import { readAddress, readBaseUrl } from '../../nodes/MessagingService/transport/address';

test.each([
	['service.example.com', 'https://service.example.com'],
	['service.example.com:8443', 'https://service.example.com:8443'],
	[' https://service.example.com// ', 'https://service.example.com'],
	['HTTP://service.example.com:8080/v1', 'HTTP://service.example.com:8080/v1'],
])('the Base URL %j is %j', (entered, address) => {
	expect(readBaseUrl(entered)).toBe(address);
});

test.each([
	['', 'is empty'],
	[undefined, 'is empty'],
	['/api', 'is not a valid address'],
	['https://', 'is not a valid address'],
	['https://a b.example.com', 'is not a valid address'],
	['https://service.example.com/../other', 'is not a valid address'],
	['https://service.example.com/%2E%2e/other', 'is not a valid address'],
	['https://service.example.com\\other', 'is not a valid address'],
	['https://service.example.com:port', 'is not a valid address'],
	['ftp://service.example.com', 'must start with https:// or http://'],
	['https://service.example.com?a=1', 'must not contain ? or #'],
	['https://ann@service.example.com', 'contains a user name or password'],
	['https://:secret@service.example.com', 'contains a user name or password'],
	['https://ann:secret@service.example.com', 'contains a user name or password'],
])('the Base URL %j %s', (entered, problem) => {
	expect(() => readBaseUrl(entered)).toThrow(`The Base URL of the credential ${problem}`);
});

test('a Token URL may have a query', () => {
	const address = 'https://login.example.com/token?tenant=1';
	expect(readAddress('Token URL', address)).toBe(address);
});
