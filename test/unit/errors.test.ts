import fc from 'fast-check';
import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { reasonOf } from '../../nodes/MessagingService/transport/complaints';
import {
	ADDRESS_BLOCKED,
	causeOf,
	describeConnectionFailure,
	INVALID_CREDENTIAL,
} from '../../nodes/MessagingService/transport/connectionErrors';
import type { Failure } from '../../nodes/MessagingService/transport/errors';
import { failureOf, toNodeApiError } from '../../nodes/MessagingService/transport/errors';
import type { ServiceResponse } from '../../nodes/MessagingService/transport/request';
import type { Wording } from '../../nodes/MessagingService/transport/responseErrors';
import {
	describeStatus,
	describeUnexpectedBody,
} from '../../nodes/MessagingService/transport/responseErrors';
import { redact } from '../../nodes/MessagingService/transport/secrets';
import { looksLikeHtml } from '../../nodes/MessagingService/transport/texts';
import { anyJson } from './support/json';
import { runs } from '../support/runs';

const GET = { method: 'GET', path: '/api/Campaigns' };
const POST = { method: 'POST', path: '/api/Campaigns' };
const HOST = 'messaging.example.com';
const LABELS = {
	contacts: 'Contacts',
	date: 'Date',
	guests: 'Guests',
	pagesize: 'Page Size',
	phonenumber: 'Phone Number',
	runoverdays: 'Runover Days',
	webhookurl: 'URL',
};
const asIs = (text: string) => text;
const WORDING: Wording = { labels: LABELS, clean: asIs };
const MAYBE_ACCEPTED = 'may have been accepted: check in the service before sending it again';

/** A response with a status and a body. */
const responseOf = (
	statusCode: number,
	body?: unknown,
	headers: ServiceResponse['headers'] = {},
): ServiceResponse => ({
	statusCode,
	headers,
	body: typeof body === 'string' ? body : (JSON.stringify(body) ?? ''),
});

const node: INode = {
	id: '1',
	name: 'Messaging Service',
	type: 'messagingService',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Codes whose occurrence makes n8n replace a whole message (`COMMON_ERRORS` of its NodeError). */
const REPLACED_BY_N8N = [
	'ECONNREFUSED',
	'ECONNRESET',
	'ENOTFOUND',
	'ETIMEDOUT',
	'ERRADDRINUSE',
	'EADDRNOTAVAIL',
	'ECONNABORTED',
	'EHOSTUNREACH',
	'EAI_AGAIN',
	'ENOENT',
	'EISDIR',
	'ENOTDIR',
	'EACCES',
	'EEXIST',
	'EPERM',
	'GETADDRINFO',
];
const OTHER_CODES = [
	'',
	'EPIPE',
	'ESOCKETTIMEDOUT',
	'ERR_CANCELED',
	'ERR_BAD_RESPONSE',
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'ERR_SSL_WRONG_VERSION_NUMBER',
	'HOSTNAME_MISMATCH',
	'EPROTO',
];

const anyBody = anyJson(
	[
		...['errors', 'message', 'title', 'detail', 'error', 'WebHookUrl', 'pageSize'],
		...['Message', 'ModelState', 'field'],
	],
	['"<html>"', '["The size cannot exceed 10000 records"]'],
);

describe('the reason of the service', () => {
	test.each([
		[
			'the documented body of the webhook registration',
			{ errors: { WebHookUrl: ['The string is not in valid URL format'] } },
			'URL: The string is not in valid URL format',
			'URL',
		],
		[
			'the documented body of the storage list',
			{ pageSize: ['The size cannot exceed 10000 records'] },
			'Page Size: The size cannot exceed 10000 records',
			'Page Size',
		],
		[
			'several fields and messages',
			{ errors: { sender: ['c'], WebhookUrl: ['a', 'b'] }, title: 'One or more errors' },
			'sender: c | URL: a | URL: b',
			'URL',
		],
		[
			'a field within a list, with its place as the service writes it',
			{ 'contacts[2].phoneNumber': ['is invalid'], '/runoverDays/1/date': ['b'] },
			'contacts[2].phoneNumber: is invalid | /runoverDays/1/date: b',
			'Phone Number',
		],
		[
			'the path of a field',
			{ errors: { '$.phoneNumber': ['a'] } },
			'Phone Number: a',
			'Phone Number',
		],
		['a message in upper case', { Message: 'The request is invalid.' }, 'The request is invalid.'],
		['a message', { message: 'No such campaign' }, 'No such campaign'],
		['a title with a detail', { title: 'Not found', detail: 'No campaign 5' }, 'No campaign 5'],
		['errors without fields', { errors: ['a', 'b'] }, 'errors: a | errors: b'],
		['plain text', '  Try \n again ', 'Try again'],
		['a web page', '<!DOCTYPE html><title>Oh</title>', ''],
		['empty errors', { errors: {}, message: 'a' }, 'a'],
		['nothing', '', ''],
		['no JSON object', 5, ''],
		['fields named like parts of objects', { errors: { constructor: ['a'] } }, 'constructor: a'],
	] as [string, unknown, string, string?][])('is read from %s', (...row) => {
		const [, body, text, field] = row;
		expect(reasonOf(body, LABELS, asIs)).toEqual(field === undefined ? { text } : { text, field });
	});

	test('is cut to 300 characters, without a part of a secret', () => {
		expect(reasonOf('x'.repeat(1000), LABELS, asIs).text).toBe(`${'x'.repeat(297)}...`);
		const many = { errors: Array.from({ length: 100_000 }, () => 'Too long') };
		expect(reasonOf(many, LABELS, asIs).text).toHaveLength(300);
		const clean = (text: string) => redact(text, ['abcdefghij']);
		const cut = reasonOf(`${'x'.repeat(292)}abcdefghij`, LABELS, clean).text;
		expect(cut).toBe(`${'x'.repeat(292)}*****`);
		expect(reasonOf({ errors: { abcdefghij: ['a'] } }, LABELS, clean).text).toBe('*****: a');
	});

	test('is labelled for any field and message in the documented shapes', () => {
		const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,12}$/);
		const text = fc.stringMatching(/^[a-z]{1,8}$/);
		const reserved = ['errors', 'modelstate', 'message', 'detail', 'title', 'error'];
		fc.assert(
			fc.property(
				name,
				fc.array(text, { minLength: 1, maxLength: 10 }),
				fc.boolean(),
				(field, texts, isNested) => {
					fc.pre(!reserved.includes(field.toLowerCase()));
					const fields = { [field]: texts };
					const labels = { [field.toLowerCase()]: 'The Field' };
					expect(reasonOf(isNested ? { errors: fields } : fields, labels, asIs)).toEqual({
						text: texts.map((message) => `The Field: ${message}`).join(' | '),
						field: 'The Field',
					});
				},
			),
			{ numRuns: runs(100) },
		);
	});

	test('is a text of at most 300 characters, for any JSON body', () => {
		fc.assert(
			fc.property(anyBody, (body) => {
				expect(reasonOf(body, LABELS, asIs).text.length).toBeLessThanOrEqual(300);
			}),
			{ numRuns: runs(200) },
		);
	});
});

describe('a response with an error status', () => {
	test.each([
		[400, 'The service rejected the request as invalid', 'Fix the fields'],
		[401, 'The service did not accept the authentication', 'secret in the credential'],
		[403, 'The service does not allow this request', 'Ask the service operator'],
		[404, 'The service found nothing under this ID or address', 'Check the ID'],
		[408, 'The service waited too long for the request', 'send fewer items'],
		[413, 'The request is too large for the service', 'Split the input'],
		[418, 'The service rejected the request', 'Fix the fields'],
		[429, 'The service is receiving too many requests', 'Wait a moment'],
		[500, 'The service failed to process the request', 'try again later'],
		[503, 'The service failed to process the request', 'try again later'],
	])('%i says what happened and what to do', (status, message, advice) => {
		const failure = describeStatus(GET, responseOf(status), WORDING);
		expect(failure.message).toBe(message);
		expect(failure.description).toContain(
			`The service responded to GET /api/Campaigns with status ${status}.`,
		);
		expect(failure.description).toContain(advice);
		expect(failure).toMatchObject({ httpCode: String(status), sent: 'no' });
		expect(failure.description).not.toMatch(/accepted:|sent/);
	});

	test.each([400, 422])('%i has the reason as its message', (status) => {
		const body = { errors: { WebHookUrl: ['is not valid'] } };
		expect(describeStatus(POST, responseOf(status, body), WORDING)).toMatchObject({
			message: 'URL: is not valid',
			description: expect.stringMatching(
				/status 4\d\d\. Fix the fields.*This request was not accepted/,
			),
			field: 'URL',
		});
	});

	test('of another shape is quoted, so that nothing it says is lost', () => {
		const body = { error: { message: 'Out of credit' } };
		expect(describeStatus(POST, responseOf(400, body), WORDING)).toMatchObject({
			message: 'The service rejected the request as invalid',
			description: expect.stringContaining('"{"error":{"message":"Out of credit"}}"'),
		});
	});

	test('of another kind keeps its message in front of the reason', () => {
		const { message } = describeStatus(GET, responseOf(404, { message: 'No campaign 5' }), WORDING);
		expect(message).toBe('The service found nothing under this ID or address: No campaign 5');
	});

	test('names a pause that the service asks for', () => {
		for (const status of [429, 503]) {
			const response = { ...responseOf(status), headers: { 'retry-after': '600' } };
			expect(describeStatus(POST, response, WORDING).description).toContain(
				'The service asked for a pause of 600 s: try again after it',
			);
		}
		expect(describeStatus(POST, responseOf(429), WORDING).description).toContain('Wait a moment');
	});

	test.each([
		...[408, 500, 501, 502, 503, 504, 599, 300, 301, 302, 303, 199].map(
			(status) => [status, 'possibly'] as const,
		),
		...[307, 308, 400, 401, 404, 409, 422, 429].map((status) => [status, 'no'] as const),
	])('%i after a request that sends: possibly sent, or not (%s)', (status, sent) => {
		const failure = describeStatus(POST, responseOf(status), WORDING);
		expect(failure.sent).toBe(sent);
		expect(failure.description).toContain(
			sent === 'no' ? 'This request was not accepted.' : MAYBE_ACCEPTED,
		);
		expect(describeStatus(GET, responseOf(status), WORDING).sent).toBe('no');
	});

	test.each(['5', new Date(0).toUTCString()])('503 with Retry-After %j is not sent', (after) => {
		const response = responseOf(503, '', { 'retry-after': after });
		expect(describeStatus(POST, response, WORDING).sent).toBe('no');
		const without = responseOf(503, '', { 'retry-after': 'soon' });
		expect(describeStatus(POST, without, WORDING).sent).toBe('possibly');
	});

	test('that redirects names the address without its query, which may hold a secret', () => {
		const to = (location?: string) =>
			describeStatus(GET, responseOf(302, '', { location }), WORDING);
		expect(to('https://me:pass@b.example/in?key=4711#x')).toMatchObject({
			message: 'The service responded with a redirect, which n8n does not follow',
			description: expect.stringMatching(/points to https:\/\/b\.example\/in\..*Base URL/),
		});
		expect(to().description).toContain('an unnamed address');
	});

	test('is described for any status and JSON body, in texts of bounded length', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 300, max: 599 }),
				anyBody,
				fc.constantFrom(GET, POST, { method: 'POST', path: `/${'x'.repeat(5000)}` }),
				fc.constantFrom(undefined, '5', 'soon'),
				(statusCode, body, request, retryAfter) => {
					const response = responseOf(statusCode, body, { 'retry-after': retryAfter });
					const failure = describeStatus(request, response, WORDING);
					expect(failure.message).not.toBe('');
					expect(failure.description).toMatch(new RegExp(`status ${statusCode}(\\.| and ")`));
					expect(failure.description).not.toMatch(/undefined|\[object|function/);
					expect(failure.description.length).toBeLessThanOrEqual(1000);
					if (reasonOf(body, LABELS, asIs).text === '') {
						expect(failure.message.length).toBeLessThanOrEqual(80);
					}
				},
			),
			{ numRuns: runs(100) },
		);
	});
});

describe('a response with an unexpected body', () => {
	const unexpected = (request: typeof GET, body: unknown, expected = 'an array of records') =>
		describeUnexpectedBody(request, responseOf(200, body), expected, WORDING);

	test('that is a web page is called so', () => {
		expect(unexpected(GET, '\n<html><body>Log in</body></html>')).toMatchObject({
			message: 'The response is a web page, not one of the messaging service',
			description: expect.stringContaining('Check the Base URL and the authentication'),
			httpCode: '200',
		});
	});

	test.each([
		['', 'an empty body'],
		['  ', 'an empty body'],
		['{"half":', '"{"half":"'],
	])('says what was expected and what came (%j)', (raw, received) => {
		expect(unexpected(GET, raw)).toMatchObject({
			message: 'The response of the service is not an array of records',
			description: `The service responded to GET /api/Campaigns with status 200 and ${received}, which is not an array of records. Check the Base URL in the credential.`,
		});
	});

	test('quotes no more than 300 characters', () => {
		const { description } = unexpected(GET, 'x'.repeat(5000));
		expect(description).toContain(`"${'x'.repeat(297)}..."`);
	});

	test('after a request that sends warns that it may have been accepted', () => {
		expect(unexpected(POST, '')).toMatchObject({
			description: expect.stringContaining(MAYBE_ACCEPTED),
			sent: 'possibly',
		});
	});

	test.each([
		['<!doctype html>', true],
		['  <HTML lang="en">', true],
		['<?xml version="1.0"?><!DOCTYPE html>', true],
		['<?xml version="1.0"?><error/>', false],
		['<3', false],
		['"<html>"', false],
	])('%j is a web page: %s', (text, is) => {
		expect(looksLikeHtml(text)).toBe(is);
	});
});

describe('a request without a response', () => {
	test.each([
		['ECONNREFUSED', `Could not connect to ${HOST}`, /Base URL.*This request was not accepted/],
		['ENOTFOUND', `The host ${HOST} was not found`, /Base URL.*This request was not accepted/],
		['EAI_AGAIN', `The host ${HOST} was not found`, /Base URL.*This request was not accepted/],
		[
			'ERR_CANCELED',
			'The execution was canceled while a request was in progress',
			/check in the service/,
		],
		['CERT_HAS_EXPIRED', `The certificate of ${HOST} could not be verified`, /Ignore SSL Issues/],
		[
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			`The certificate of ${HOST} could not be verified`,
			/This request was not accepted/,
		],
		// A broken connection gives these codes as well, after the request was received.
		...[
			'EPROTO',
			'ERR_SSL_WRONG_VERSION_NUMBER',
			'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
		].map((code): [string, string, RegExp] => [
			code,
			`Could not make a secure connection to ${HOST}`,
			/http:\/\/ instead of https.*may have been accepted/,
		]),
		[ADDRESS_BLOCKED, `n8n is not allowed to call ${HOST}`, /N8N_SSRF_ALLOWED.*not accepted/],
		['ERR_RESPONSE_TOO_LARGE', `The response of ${HOST} is too long`, /at most 100 MB/],
		['ESOCKETTIMEDOUT', `The service at ${HOST} did not respond in time`, /may have been accepted/],
		['ETIMEDOUT', `The service at ${HOST} did not respond in time`, /may have been accepted/],
		['ECONNABORTED', `The service at ${HOST} did not respond in time`, /may have been accepted/],
		[
			'ECONNRESET',
			`The connection to ${HOST} was interrupted`,
			/socket hang up\..*may have been accepted/,
		],
		['', `The connection to ${HOST} was interrupted`, /may have been accepted/],
	])('says for %s what happened and what to do', (code, message, description) => {
		const failure = describeConnectionFailure(POST, HOST, { code, message: 'socket hang up' });
		expect(failure.message).toBe(message);
		expect(failure.description).toMatch(description);
		expect(failure.description).toContain(code === '' ? '(POST /api/Campaigns)' : `, ${code})`);
		expect(failure.httpCode).toBeUndefined();
	});

	test.each([
		['Bad header. Use letters only', { message: 'Bad header', advice: 'Use letters only' }],
		['Bad header', { message: 'Bad header', advice: 'Fix the credential' }],
	])('because of the credential says what is wrong with it: %j', (detail, { message, advice }) => {
		expect(
			describeConnectionFailure(POST, HOST, { code: INVALID_CREDENTIAL, message: detail }),
		).toEqual({
			message,
			description: `${advice}. This request was not sent.`,
			sent: 'no',
		});
	});

	const everyCode = [...REPLACED_BY_N8N, ...OTHER_CODES, ADDRESS_BLOCKED, 'ERR_RESPONSE_TOO_LARGE'];

	test('is possibly sent, unless no connection can have been made', () => {
		const sentWith = (code: string) =>
			describeConnectionFailure(POST, HOST, { code, message: '' }).sent;
		const notSent = everyCode.filter((code) => sentWith(code) === 'no');
		expect(notSent).toEqual([
			...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'],
			...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
			...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'],
			...['HOSTNAME_MISMATCH', ADDRESS_BLOCKED],
		]);
		for (const code of everyCode) {
			expect(describeConnectionFailure(GET, HOST, { code, message: '' }).sent).toBe('no');
		}
	});

	test('has a title of at most 80 characters for any host', () => {
		for (const code of everyCode) {
			const { message } = describeConnectionFailure(POST, `${'x'.repeat(253)}:65535`, {
				code,
				message: '',
			});
			expect(message.length).toBeLessThanOrEqual(80);
		}
	});

	test('does not warn of a request that only reads', () => {
		for (const code of [...REPLACED_BY_N8N, ...OTHER_CODES]) {
			const { description } = describeConnectionFailure(GET, HOST, { code, message: '' });
			expect(description).not.toContain('may have been accepted');
			expect(description).not.toMatch(/^\s|\s$| {2}/);
		}
	});

	test.each([...REPLACED_BY_N8N, ...OTHER_CODES])(
		'has no error code in its message (%s)',
		(code) => {
			const detail = `connect ${code} 127.0.0.1:1`;
			for (const request of [GET, POST]) {
				const { message } = describeConnectionFailure(request, HOST, { code, message: detail });
				for (const replaced of REPLACED_BY_N8N) expect(message).not.toContain(replaced);
			}
		},
	);

	test.each([
		['of an error', Object.assign(new Error('x'), { code: 'EPIPE' }), 'EPIPE'],
		['of its cause', new Error('x', { cause: { cause: { code: 'EPIPE' } } }), 'EPIPE'],
		['that is no text', { code: 5, cause: { code: 'EPIPE' } }, 'EPIPE'],
		['of nothing', undefined, ''],
		['of a text', 'ECONNRESET', ''],
	])('has the code %s', (_, error, code) => {
		expect(causeOf(error).code).toBe(code);
	});

	test.each([
		[
			'its innermost cause',
			new Error('Try again.', { cause: new Error('socket hang up.') }),
			'socket hang up',
		],
		['itself', new Error('socket hang up'), 'socket hang up'],
		['a cause without one', new Error('socket hang up', { cause: {} }), 'socket hang up'],
		['nothing', null, ''],
	])('has the text of %s', (_, error, text) => {
		expect(causeOf(error).message).toBe(text);
	});

	test.each([
		['as n8n 2 wraps it', (error: Error) => error],
		[
			'as n8n 1 wraps it, which loses the cause',
			(error: Error) => Object.assign(error, { cause: undefined }),
		],
	])('keeps code and text %s', (_, lose) => {
		const original = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), {
			code: 'ECONNREFUSED',
		});
		const wrapped = lose(new NodeApiError(node, original as unknown as JsonObject));
		expect(wrapped.message).not.toContain('127.0.0.1');
		expect(causeOf(wrapped)).toEqual({
			code: 'ECONNREFUSED',
			message: 'connect ECONNREFUSED 127.0.0.1:9',
		});
	});

	test.each(['404', 404, 'not found', 'x ECONNRESET', 'ECONNRESET x', 'E-1', ''])(
		'has no code where there is only a status or a text (%j)',
		(httpCode) => {
			expect(causeOf({ httpCode }).code).toBe('');
		},
	);

	test.each([
		['SsrfBlockedIpError', ADDRESS_BLOCKED],
		['SsrfBlockedHostnameError', ADDRESS_BLOCKED],
		['NoSsrfBlockedError', ''],
	])('has a code of ours when n8n names the cause %s', (name, code) => {
		const cause = Object.assign(new Error('blocked'), { name });
		expect(causeOf(new Error('x', { cause })).code).toBe(code);
	});

	test('has no code when the causes go round in circles', () => {
		const error: { cause?: unknown } = {};
		error.cause = error;
		expect(causeOf(error).code).toBe('');
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

	test('leaves no secret in a text', () => {
		const secretsAndText = fc
			.array(anySecret, { minLength: 1, maxLength: 4 })
			.chain((secrets) => fc.tuple(fc.constant(secrets), anyText(secrets)));
		fc.assert(
			fc.property(secretsAndText, ([secrets, text]) => {
				const clean = redact(text, secrets);
				for (const secret of secrets) expect(clean).not.toContain(secret);
			}),
			{ numRuns: runs(100) },
		);
	});

	test('leaves no part of a secret that begins with another', () => {
		expect(redact('key=abcd-1234-5678;', ['abcd', 'abcd-1234-5678'])).toBe('key=*****;');
	});

	test('leaves a text without secrets, and very short secrets, alone', () => {
		expect(redact('All is well: a1b', ['secret', 'a1b', ''])).toBe('All is well: a1b');
	});
});

describe('the error that n8n shows', () => {
	const failure: Failure = {
		message: 'It failed',
		description: 'Do this.',
		httpCode: '404',
		field: 'Sender',
		sent: 'possibly',
	};

	test('has message, description and status, and knows its failure', () => {
		const error = toNodeApiError(node, failure);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({ message: 'It failed', description: 'Do this.', httpCode: '404' });
		expect(failureOf(error)).toEqual(failure);
		expect(JSON.stringify(error)).not.toContain('possibly');
	});

	test.each([new Error('x'), undefined, null, 'x', 5, {}])(
		'of another kind has no failure',
		(error) => {
			expect(failureOf(error)).toBeUndefined();
		},
	);

	test('has no secret anywhere', () => {
		const echo = 'You sent top-secret';
		const clean = (text: string) => redact(text, ['top-secret']);
		const error = toNodeApiError(node, { ...failure, message: echo, description: echo }, clean);
		expect(error.message).toBe('You sent *****');
		const everything = [error, error.messages, error.cause, failureOf(error)];
		expect(JSON.stringify(everything)).not.toContain('top-secret');
	});

	test('has at most 300 characters in its title, and 1,000 in its description', () => {
		const long = 'x'.repeat(100_000);
		const error = toNodeApiError(node, { ...failure, message: long, description: long });
		expect(error.message).toHaveLength(300);
		expect(error.description).toHaveLength(1000);
		expect(failureOf(error)?.description).toHaveLength(1000);
	});

	test.each([
		['Name: a preexisting campaign has this name', 'EEXIST within a word'],
		...REPLACED_BY_N8N.map((code) => [`sender: ${code} is not allowed`, code]),
	])('keeps the message %j', (message) => {
		expect(toNodeApiError(node, { ...failure, message }).message).toBe(message);
	});
});
