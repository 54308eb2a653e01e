import { assertKey, authenticate } from '../../nodes/MessagingService/transport/authentication';

/** What the kinds of authentication add to a request, and what they refuse. */

const URL = 'https://service.example.com/api';
const signed = (credential: object) =>
	authenticate(credential as never, { url: URL, qs: { a: '1' } });

test.each<[credential: object, headers: object | undefined, query: object]>([
	[{}, undefined, {}],
	[
		{ authentication: 'basicAuth', username: ' ann ', password: ' b ' },
		{ Authorization: 'Basic YW5uOiBiIA==' },
		{},
	],
	[{ authentication: 'bearer', token: ' Bearer abc ' }, { Authorization: 'Bearer abc' }, {}],
	[{ authentication: 'bearer', token: 4711 }, { Authorization: 'Bearer 4711' }, {}],
	[
		{ authentication: 'header', headerName: ' X-Key ', headerSecret: ' k é ' },
		{ 'X-Key': 'k é' },
		{},
	],
	[{ authentication: 'query', queryName: ' key ', querySecret: ' k ' }, undefined, { key: 'k' }],
	[
		{
			authentication: 'customJson',
			secretJson: '{ "headers": { "X-A": 1, "X-B": true }, "qs": { "b": "c" } }',
		},
		{ 'X-A': '1', 'X-B': 'true' },
		{ b: 'c' },
	],
	[{ authentication: 'customJson', secretJson: '{}' }, undefined, {}],
])('%j adds the headers %j and the query %j', (credential, headers, query) => {
	expect(signed(credential)).toEqual({ url: URL, headers, qs: { a: '1', ...query } });
});

test.each([
	...[
		'',
		'5',
		'null',
		'[]',
		'{ "headers": 5 }',
		'{ "headers": ["X"] , "qs": 5 }',
		'{ "qs": "a=1" }',
	],
	...[
		'{ "other": {} }',
		'{ "header": { "X-Key": "k" } }',
		'{ "headers": { "X-Key": { "a": 1 } } }',
	],
	'{ "headers": { "X-Key": null } }',
])('the Custom JSON %j is invalid', (secretJson) => {
	expect(() => signed({ authentication: 'customJson', secretJson })).toThrow(
		'The "JSON" field of the credential is invalid',
	);
});

test.each([
	...[
		['', 'k'],
		['X Key', 'k'],
		['Schlüssel', 'k'],
		['host', 'k'],
		['Content-Length', 'k'],
	],
	...[
		['__proto__', 'k'],
		['constructor', 'k'],
		['X-Key', 'a\nb'],
		['X-Key', '漢'],
	],
])('the header %j with the value %j is not allowed', (headerName, headerSecret) => {
	expect(() => signed({ authentication: 'header', headerName, headerSecret })).toThrow(
		`The header "${headerName}" of the credential is not allowed`,
	);
});

test('a long name of a header is cut in the error', () => {
	const error = (length: number) => () =>
		signed({ authentication: 'header', headerName: 'ü'.repeat(length), headerSecret: 'k' });
	expect(error(30)).toThrow(`"${'ü'.repeat(30)}"`);
	expect(error(31)).toThrow(`"${'ü'.repeat(27)}..."`);
});

test.each([
	[true, 'a boolean'],
	[{ token: 'k' }, 'an object'],
	[['k'], 'an array'],
])('a key that is %j is refused: it is %s', (value, kind) => {
	for (const credential of [
		{ authentication: 'bearer', token: value },
		{ authentication: 'header', headerName: 'X-Key', headerSecret: value },
		{ authentication: 'query', queryName: 'key', querySecret: value },
	]) {
		expect(() => signed(credential)).toThrow(`of the credential is ${kind}, not text`);
	}
});

test.each<[object, boolean]>([
	[{}, true],
	[{ authentication: 'none' }, true],
	[{ authentication: 'bearer', token: 'k' }, true],
	[{ authentication: 'bearer', token: 0 }, true],
	[{ authentication: 'bearer', token: ' ' }, false],
	[{ authentication: 'bearer' }, false],
	[{ authentication: 'bearer', password: 'k' }, false],
	[{ authentication: 'header', headerName: 'X-Key', headerSecret: null }, false],
	[{ authentication: 'query', queryName: 'key', querySecret: '' }, false],
	[{ authentication: 'basicAuth', username: 'ann' }, true],
	[{ authentication: 'basicAuth', password: 'b' }, true],
	[{ authentication: 'basicAuth', username: '', password: ' ' }, false],
	[{ authentication: 'customJson' }, true],
	[{ authentication: 'accessToken' }, true],
])('a credential with %j has what its requests need: %p', (credential, has) => {
	const check = () => assertKey(credential as never);
	if (has) expect(check).not.toThrow();
	else expect(check).toThrow('The credential has no key');
});
