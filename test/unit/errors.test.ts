import fc from 'fast-check';
import { Failure } from '../../nodes/MessagingService/failure';
import {
	ADDRESS_BLOCKED,
	connectionProblem,
} from '../../nodes/MessagingService/transport/connectionProblems';
import {
	describeConnectionFailure,
	describeStatus,
	describeUnexpectedBody,
	retryAfterMs,
} from '../../nodes/MessagingService/transport/errors';
import type { ServiceResponse } from '../../nodes/MessagingService/transport/request';
import { redact } from '../../nodes/MessagingService/transport/secrets';
import { reasonOf, type Wording } from '../../nodes/MessagingService/transport/serviceReason';
import { anyJson } from './support/json';
import { holds } from '../support/runs';

const GET = { method: 'GET', path: '/api/Campaigns' } as const;
const POST = { method: 'POST', path: '/api/Campaigns' } as const;
const HOST = 'messaging.example.com';
const WORDING: Wording = { labels: { webhookurl: 'URL' }, clean: (text) => text };

/** A response with a status and a body. */
const responseOf = (
	statusCode: number,
	body?: unknown,
	headers: ServiceResponse['headers'] = {},
): ServiceResponse => ({ statusCode, headers, body: JSON.stringify(body) ?? '' });

/** Codes whose occurrence makes n8n replace a whole message (`COMMON_ERRORS` of its NodeError). */
const REPLACED_BY_N8N = [
	...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'ERRADDRINUSE', 'EADDRNOTAVAIL'],
	...['ECONNABORTED', 'EHOSTUNREACH', 'EAI_AGAIN', 'ENOENT', 'EISDIR', 'ENOTDIR', 'EACCES'],
	...['EEXIST', 'EPERM', 'GETADDRINFO'],
];
/** No connection can have been made with these. */
const NOT_SENT = [
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED', 'HOSTNAME_MISMATCH'],
	...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', ADDRESS_BLOCKED],
	...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'],
];
/** With these, no later try can succeed. */
const FINAL = [
	...NOT_SENT.filter((code) => !['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)),
	...['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_RENEGOTIATION_DISABLED'],
	...['ERR_CANCELED', 'ERR_RESPONSE_TOO_LARGE'],
];
/** A broken connection gives these as well, after the request was received. */
const POSSIBLY_SENT = [
	...['', 'EPIPE', 'ESOCKETTIMEDOUT', 'ERR_CANCELED', 'ERR_BAD_RESPONSE', 'EPROTO'],
	...['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_RENEGOTIATION_DISABLED', 'ERR_RESPONSE_TOO_LARGE'],
];

describe('a response with an error status', () => {
	const anyBody = anyJson(
		[
			...['errors', 'message', 'title', 'detail', 'error', 'WebHookUrl', 'pageSize'],
			...['Message', 'ModelState', 'field'],
		],
		['"<html>"', '["The size cannot exceed 10000 records"]'],
	);

	test.each([
		...[408, 500, 501, 502, 503, 504, 599, 300, 301, 302, 303, 199].map(
			(status) => [status, 'possibly'] as const,
		),
		...[307, 308, 400, 401, 404, 409, 422, 429].map((status) => [status, 'no'] as const),
	])('%i after a request that sends: possibly sent, or not (%s)', (status, sent) => {
		expect(describeStatus(POST, responseOf(status), WORDING).sent).toBe(sent);
		expect(describeStatus(GET, responseOf(status), WORDING).sent).toBe('no');
	});

	test('is described for any status and JSON body, in texts of bounded length', async () => {
		await holds(
			fc.property(
				fc.integer({ min: 300, max: 599 }),
				anyBody,
				fc.constantFrom(GET, POST, { ...POST, path: `/${'x'.repeat(5000)}` }),
				fc.constantFrom(undefined, '5', new Date(0).toUTCString(), 'soon'),
				(statusCode, body, request, retryAfter) => {
					const response = responseOf(statusCode, body, { 'retry-after': retryAfter });
					const failure = describeStatus(request, response, WORDING);
					const reason = reasonOf(body, WORDING).text;
					expect(reason.length).toBeLessThanOrEqual(300);
					expect(failure.message).not.toBe('');
					expect(failure.description).toMatch(new RegExp(`status ${statusCode}(\\.| and ")`));
					expect(failure.description).not.toMatch(/undefined|\[object|function/);
					expect(failure.description.length).toBeLessThanOrEqual(1000);
					if (reason === '') expect(failure.message.length).toBeLessThanOrEqual(80);
				},
			),
			100,
		);
	});

	test.each([
		[429, '90', 'The service asked for a pause of 90 s: try again after it.'],
		[503, new Date(Date.now() + 3_600_000).toUTCString(), /a pause of 3\d{3} s:/],
		[503, '0', 'ask the operator if it stays so.'],
		[429, 'soon', 'Wait a moment, then try again.'],
		[500, '90', 'ask the operator if it stays so.'],
	])('%i with Retry-After %j says how long to wait', (status, retryAfter, advice) => {
		const response = responseOf(status, '', { 'retry-after': retryAfter });
		const { description } = describeStatus(GET, response, WORDING);
		expect(description).toEqual(
			typeof advice === 'string' ? expect.stringContaining(advice) : expect.stringMatching(advice),
		);
	});

	test.each([
		...[400, 422].map((status) => [status, 'Is unknown.'] as const),
		...[409, 410, 418].map(
			(status) => [status, 'The service rejected the request: Is unknown.'] as const,
		),
		...[500, 599].map(
			(status) => [status, 'The service failed to process the request: Is unknown.'] as const,
		),
	])('%i is titled by what the service says: %s', (status, title) => {
		expect(describeStatus(POST, responseOf(status, 'Is unknown.'), WORDING).message).toBe(title);
	});

	test('that redirects names the address without its query, which may hold a secret', () => {
		const location = 'https://me:pass@b.example/in?key=4711#x';
		const { description } = describeStatus(GET, responseOf(302, '', { location }), WORDING);
		expect(description).toMatch(/points to https:\/\/b\.example\/in\./);
	});
});

describe('a request without a response', () => {
	const everyCode = [...new Set([...REPLACED_BY_N8N, ...NOT_SENT, ...POSSIBLY_SENT])];

	test('is possibly sent, unless no connection can have been made', () => {
		const sentWith = (code: string) =>
			describeConnectionFailure(POST, HOST, { code, message: '' }).sent;
		expect(everyCode.filter((code) => sentWith(code) === 'no').sort()).toEqual(
			[...NOT_SENT].sort(),
		);
		for (const code of everyCode) {
			expect(describeConnectionFailure(GET, HOST, { code, message: '' }).sent).toBe('no');
		}
	});

	test('is tried again, unless that cannot help', () => {
		const isTriedAgain = (code: string) =>
			describeConnectionFailure(GET, HOST, { code, message: '' }).facts.retry !== undefined;
		expect(everyCode.filter((code) => !isTriedAgain(code)).sort()).toEqual([...FINAL].sort());
	});

	test.each(everyCode)('has a title that n8n does not replace, for any host (%s)', (code) => {
		for (const host of [HOST, `${'x'.repeat(253)}:65535`]) {
			const { message } = describeConnectionFailure(POST, host, {
				code,
				message: `connect ${code} x`,
			});
			expect(message.length).toBeLessThanOrEqual(80);
			for (const replaced of REPLACED_BY_N8N) expect(message).not.toContain(replaced);
		}
	});

	test.each([
		['an error', { code: 'EPIPE' }, 'EPIPE'],
		['a cause of it', new Error('x', { cause: { cause: { code: 'EPIPE' } } }), 'EPIPE'],
		['an address that n8n blocks', { cause: { name: 'SsrfBlockedIpError' } }, ADDRESS_BLOCKED],
		['a number', { code: 404 }, ''],
		['nothing', undefined, ''],
	])('has the code of %s', (_what, error, code) => {
		expect(connectionProblem(HOST, error).code).toBe(code);
	});

	test('is explained by what has happened, not by the errors around it', () => {
		const hangUp = Object.assign(new Error('socket hang up.'), { code: 'ECONNRESET' });
		const around = new Error('The request failed', { cause: new Error('x', { cause: hangUp }) });
		for (const error of [hangUp, around]) {
			expect(connectionProblem(HOST, error)).toMatchObject({
				title: `The connection to ${HOST} was interrupted`,
				advice: 'socket hang up.',
			});
		}
	});
});

describe('redact', () => {
	/** Few letters, so that secrets overlap and contain each other. */
	const anySecret = fc.string({
		unit: fc.constantFrom('a', 'b', 'c', '$', '&'),
		minLength: 4,
		maxLength: 8,
	});
	const anyText = (secrets: readonly string[]) =>
		fc
			.array(fc.oneof(fc.constantFrom(...secrets), fc.string({ maxLength: 3 })), { maxLength: 6 })
			.map((parts) => parts.join(''));

	test('leaves no secret in a text', async () => {
		const secretsAndText = fc
			.array(anySecret, { minLength: 1, maxLength: 4 })
			.chain((secrets) => fc.tuple(fc.constant(secrets), anyText(secrets)));
		await holds(
			fc.property(secretsAndText, ([secrets, text]) => {
				const clean = redact(text, secrets);
				for (const secret of secrets) expect(clean).not.toContain(secret);
			}),
			50,
		);
		// Nor the rest of one that begins with another.
		expect(redact('key=abcd-1234-5678;', ['abcd', 'abcd-1234-5678'])).toBe('key=*****;');
	});

	test('leaves no part of a secret where a reason is cut', () => {
		const clean = (text: string) => redact(text, ['abcdefghij']);
		const cut = reasonOf(`${'x'.repeat(292)}abcdefghij`, { labels: {}, clean }).text;
		expect(cut).toBe(`${'x'.repeat(292)}*****`);
		const ofField = { errors: { [`${'x'.repeat(288)}abcdefghij`]: ['wrong'] } };
		expect(reasonOf(ofField, { labels: {}, clean }).text).not.toContain('abc');
	});

	test('leaves no part of a secret where the body of a response is cut', () => {
		const clean = (text: string) => redact(text, ['abcdefghij']);
		const response = responseOf(400, { unread: `${'x'.repeat(280)}abcdefghij` });
		const { description } = describeStatus(GET, response, { labels: {}, clean });
		expect(description).toContain('unread');
		expect(description).not.toContain('abc');
	});
});

test('of several texts about the whole request, the one that says most is quoted', async () => {
	const names = ['message', 'detail', 'title', 'error_description', 'error'];
	const anyCase = fc.constantFrom(
		(name: string) => name,
		(name: string) => name.toUpperCase(),
	);
	await holds(
		fc.property(fc.shuffledSubarray(names, { minLength: 1 }), anyCase, (some, written) => {
			const texts = some.map((name) => [written(name), `the ${name} of it`]);
			const blank = names.filter((name) => !some.includes(name)).map((name) => [name, ' ']);
			const [first = ''] = names.filter((name) => some.includes(name));
			const body: unknown = Object.fromEntries([...blank, ...texts]);
			expect(reasonOf(body, WORDING).text).toBe(`the ${first} of it`);
		}),
		50,
	);
});

describe('what the service complains of has the name of the field in the form', () => {
	const labels = { message: 'Message', phonenumber: 'Phone Number Field' };
	test.each<[field: string, shown: string, label: string | undefined]>([
		['message', 'Message', 'Message'],
		['Message', 'Message', 'Message'],
		['$.message', 'Message', 'Message'],
		['campaign.Message', 'Message', 'Message'],
		// Of a list, the place tells more: somebody has to find that recipient.
		['contacts[2].phoneNumber', 'contacts[2].phoneNumber', 'Phone Number Field'],
		['contacts.2.phoneNumber', 'contacts.2.phoneNumber', 'Phone Number Field'],
		['/contacts/2/phoneNumber', '/contacts/2/phoneNumber', 'Phone Number Field'],
		['other', 'other', undefined],
		['constructor', 'constructor', undefined],
	])('%s: "%s is wrong"', (field, shown, label) => {
		for (const body of [{ errors: { [field]: ['is wrong'] } }, { [field]: ['is wrong'] }]) {
			const reason = reasonOf(body, { labels, clean: (text) => text });
			expect([reason.text, reason.field]).toEqual([`${shown}: is wrong`, label]);
		}
	});
});

test('an error has a title and a description that n8n can store, and a title of a field fits', () => {
	const long = 'x'.repeat(5000);
	const { message, description } = new Failure(long, long);
	expect([message.length, description.length]).toEqual([300, 1000]);
	expect(Failure.ofField('Message', long, '').message).toHaveLength(80);
	// 72 and a blank behind the name of the field.
	for (const fits of ['x'.repeat(72), 'x'.repeat(71)]) {
		expect(Failure.ofField('Message', fits, '').message).toBe(`Message ${fits}`);
	}
});

describe('the whole error says what happened, what to do, and what is known of the request', () => {
	const POSTED = 'The service responded to POST /api/Campaigns with status';
	const LISTED = 'The service responded to GET /api/Campaigns with status';
	const NO = 'This request was not accepted.';
	const MAYBE =
		'The request may have been accepted: check in the service before sending it again, e.g. with Get Many.';
	const long = 'x'.repeat(400);
	const cut = `${'x'.repeat(297)}...`;

	test.each<[ServiceResponse, message: string, description: string]>([
		[
			responseOf(400, { clientId: ['is unknown'] }),
			'clientId: is unknown',
			`${POSTED} 400. In the credential, check Client ID and, under Service Conventions, Send Client ID In. ${NO}`,
		],
		[
			responseOf(400, { message: 'Is\n  too long' }),
			'Is too long',
			`${POSTED} 400. Check what you have entered. ${NO}`,
		],
		[responseOf(422, { message: long }), cut, `${POSTED} 422. Check what you have entered. ${NO}`],
		[
			{ ...responseOf(400), body: `{"unread":\n "${long}"}` },
			'The service rejected the request as invalid',
			`${POSTED} 400 and "{"unread": "${'x'.repeat(285)}...". Check what you have entered. ${NO}`,
		],
		[
			{ ...responseOf(400), body: '<html>Bad</html>' },
			'The service rejected the request as invalid',
			`${POSTED} 400. Check what you have entered. ${NO}`,
		],
		[
			responseOf(429, undefined, { 'retry-after': '3000' }),
			'The service is receiving too many requests',
			`${POSTED} 429. The service asked for a pause of 3000 s: try again after it. ${NO}`,
		],
		[
			responseOf(429),
			'The service is receiving too many requests',
			`${POSTED} 429. Wait a moment, then try again. ${NO}`,
		],
		[
			responseOf(300, 'moved', { location: `https://b.example/${long}` }),
			'The service responded with a redirect, which n8n does not follow',
			`${POSTED} 300. It points to https://b.example/${'x'.repeat(279)}.... If this is the address of the service, set it as Base URL in the credential. ${MAYBE}`,
		],
		[
			responseOf(502),
			'The service failed to process the request',
			`${POSTED} 502. The service has a problem: ask the operator if it stays so. ${MAYBE}`,
		],
	])('of the response %j', (response, message, description) => {
		const failure = describeStatus(POST, response, WORDING);
		expect([failure.message, failure.description]).toEqual([message, description]);
	});

	test.each([
		[
			' <html>Log in</html>',
			'The response is a web page, not one of the messaging service',
			'an HTML page, perhaps a login page. Check the Base URL and the authentication in the credential.',
		],
		[
			`[\n"${long}"]`,
			'The response of the service is not a record',
			`"[ "${'x'.repeat(294)}...", which is not a record. If this is not from your service, check the Base URL in the credential. Otherwise ask the operator what it means.`,
		],
		[
			' ',
			'The response of the service is not a record',
			'an empty body, which is not a record. If this is not from your service, check the Base URL in the credential. Otherwise ask the operator what it means.',
		],
	])('of a success with the body %j', (body, message, description) => {
		const response = { ...responseOf(200), body };
		const failures = [GET, POST].map((request) =>
			describeUnexpectedBody(request, response, 'a record', WORDING),
		);
		expect(failures.map((each) => [each.message, each.description])).toEqual([
			[message, `${LISTED} 200 and ${description}`],
			[message, `${POSTED} 200 and ${description} ${MAYBE}`],
		]);
	});

	test.each([
		[GET, '(GET /api/Campaigns, ERR_CANCELED)'],
		[POST, `${MAYBE} (POST /api/Campaigns, ERR_CANCELED)`],
	])('of a request that was canceled (%j)', (request, description) => {
		const failure = describeConnectionFailure(request, HOST, { code: 'ERR_CANCELED' });
		expect([failure.message, failure.description]).toEqual([
			...['The execution was canceled while a request was in progress', description],
		]);
	});
});

test.each([
	['5', 5000],
	['0', 0],
	[new Date(0).toUTCString(), 0],
	['soon', undefined],
	['-5', undefined],
	['', undefined],
	[undefined, undefined],
	[5, undefined],
])('Retry-After %j asks for a pause of %p ms', (header, milliseconds) => {
	expect(retryAfterMs(header)).toBe(milliseconds);
});

test.each([
	[{ message: 'x'.repeat(301) }, `${'x'.repeat(297)}...`],
	[{ message: 'x'.repeat(300) }, 'x'.repeat(300)],
	[{ a: ['is\n wrong'], b: ['is missing', 'is late'] }, 'a: is wrong | b: is missing | b: is late'],
	[
		{ a: ['x'.repeat(200)], b: ['x'.repeat(200)] },
		`a: ${'x'.repeat(200)} | b: ${'x'.repeat(88)}...`,
	],
])('the reason in %j is %j', (body, text) => {
	expect(reasonOf(body, WORDING).text).toBe(text);
});
