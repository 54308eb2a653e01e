import fc from 'fast-check';
import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Failure } from '../../nodes/MessagingService/transport/errors';
import { redact } from '../../nodes/MessagingService/transport/secrets';
import {
	ADDRESS_BLOCKED,
	CREDENTIAL_UNUSABLE,
	describeConnectionFailure,
	describeStatus,
	describeUnexpectedBody,
	errorCode,
	formatComplaints,
	innermostMessage,
	looksLikeHtml,
	readComplaints,
	toNodeApiError,
} from '../../nodes/MessagingService/transport/errors';
import { anyJson } from './support/json';

const GET = { method: 'GET', path: '/api/Campaigns' };
const POST = { method: 'POST', path: '/api/Campaigns' };
const HOST = 'messaging.example.com';
const LABELS = { webhookurl: 'URL', pagesize: 'Page Size', phonenumber: 'Phone Number' };
const MAYBE_ACCEPTED = 'may have been accepted: check in the service before sending it again';

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
	['errors', 'message', 'title', 'detail', 'error', 'WebHookUrl', 'pageSize'],
	['"<html>"', '["The size cannot exceed 10000 records"]'],
);

describe('complaints of the service', () => {
	test.each([
		[
			'the documented body of the webhook registration',
			{ errors: { WebHookUrl: ['The string is not in valid URL format'] } },
			'URL: The string is not in valid URL format',
		],
		[
			'the documented body of the storage list',
			{ pageSize: ['The size cannot exceed 10000 records'] },
			'Page Size: The size cannot exceed 10000 records',
		],
		[
			'several fields and messages',
			{ errors: { WebhookUrl: ['a', 'b'], sender: ['c'] }, title: 'One or more errors' },
			'URL: a | URL: b | sender: c',
		],
		[
			'a field within a list',
			{ 'contacts[2].phoneNumber': ['is invalid'] },
			'Phone Number: is invalid',
		],
		['a message', { message: 'No such campaign' }, 'No such campaign'],
		['a title with a detail', { title: 'Not found', detail: 'No campaign 5' }, 'No campaign 5'],
		['an error text', { error: 'unauthorized' }, 'unauthorized'],
		['errors without fields', { errors: ['a', 'b'] }, 'a | b'],
		['a list of bodies', [{ message: 'a' }, { pageSize: ['b'] }], 'a | Page Size: b'],
		['plain text', '  Try \n again ', 'Try again'],
		['a web page', '<!DOCTYPE html><title>Oh</title>', ''],
		['nothing', '', ''],
		['no JSON object', 5, ''],
		['fields named like parts of objects', { errors: { constructor: ['a'] } }, 'constructor: a'],
	])('are read from %s', (_, body, text) => {
		expect(formatComplaints(readComplaints(body), LABELS)).toBe(text);
	});

	test('that are long are cut', () => {
		const [complaint] = readComplaints('x'.repeat(1000));
		expect(complaint?.message).toBe(`${'x'.repeat(300)}...`);
	});

	test('are labelled for any field and message in the documented shapes', () => {
		const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,12}$/);
		const text = fc.string({ minLength: 1 });
		fc.assert(
			fc.property(
				name,
				fc.array(text, { minLength: 1 }),
				fc.boolean(),
				(field, texts, isNested) => {
					fc.pre(!['errors', 'message', 'detail', 'title', 'error'].includes(field.toLowerCase()));
					const fields = { [field]: texts };
					const labels = { [field.toLowerCase()]: 'The Field' };
					const complaints = readComplaints(isNested ? { errors: fields } : fields);
					expect(formatComplaints(complaints, labels)).toBe(
						texts.map((message) => `The Field: ${message}`).join(' | '),
					);
				},
			),
		);
	});

	test('are texts with texts, for any JSON body', () => {
		fc.assert(
			fc.property(anyBody, (body) => {
				for (const { field, message } of readComplaints(body)) {
					expect(typeof field).toBe('string');
					expect(typeof message).toBe('string');
					expect(message).not.toBe('');
				}
				expect(typeof formatComplaints(readComplaints(body), LABELS)).toBe('string');
			}),
			{ numRuns: 2000 },
		);
	});
});

describe('an answer with an error status', () => {
	test.each([
		[400, 'The service rejected the request as invalid', 'Correct the fields'],
		[401, 'The service did not accept the authentication', 'secret in the credential'],
		[403, 'The service does not allow this request', 'Ask the service operator'],
		[404, 'The service found nothing under this ID or address', 'Check the ID'],
		[408, 'The service waited too long for the request', 'Try again'],
		[413, 'The request is too large for the service', 'Split the input'],
		[418, 'The service rejected the request', 'Correct the fields'],
		[429, 'The service is receiving too many requests', 'Wait a moment'],
		[500, 'The service failed to process the request', 'try again later'],
		[503, 'The service failed to process the request', 'try again later'],
	])('%i says what happened and what to do', (status, message, advice) => {
		const failure = describeStatus(GET, status, undefined, LABELS);
		expect(failure.message).toBe(message);
		expect(failure.description).toContain(`GET /api/Campaigns was answered with status ${status}.`);
		expect(failure.description).toContain(advice);
		expect(failure.httpCode).toBe(String(status));
		expect(failure.description).not.toContain(MAYBE_ACCEPTED);
	});

	test.each([400, 422])('%i has the complaints as its message', (status) => {
		const body = { errors: { WebHookUrl: ['is not valid'] } };
		const { message, description } = describeStatus(POST, status, body, LABELS);
		expect(message).toBe('URL: is not valid');
		expect(description).toMatch(/status 4\d\d\. Correct the fields/);
	});

	test('of another kind keeps its message in front of the complaints', () => {
		const { message } = describeStatus(GET, 404, { message: 'No campaign 5' }, LABELS);
		expect(message).toBe('The service found nothing under this ID or address: No campaign 5');
	});

	test('after a request that sends warns that it may have been accepted', () => {
		expect(describeStatus(POST, 500, '', LABELS).description).toContain(MAYBE_ACCEPTED);
		expect(describeStatus(POST, 400, '', LABELS).description).not.toContain(MAYBE_ACCEPTED);
	});

	test('that redirects names the address', () => {
		const { message, description } = describeStatus(GET, 302, '', LABELS, 'https://b.example/');
		expect(message).toBe('The service answered with a redirect, which is not followed');
		expect(description).toMatch(/points to https:\/\/b\.example\/\..*Base URL/);
		expect(describeStatus(GET, 301, '', LABELS).description).toContain('an unnamed address');
	});

	test('is described for any status and JSON body', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 300, max: 599 }),
				anyBody,
				fc.constantFrom(GET, POST),
				(status, body, request) => {
					const failure = describeStatus(request, status, body, LABELS);
					expect(failure.message).not.toBe('');
					expect(failure.description).toContain(`status ${status}. `);
					expect(failure.description).not.toMatch(/undefined|\[object|function/);
				},
			),
			{ numRuns: 1000 },
		);
	});
});

describe('an answer with an unexpected body', () => {
	test('that is a web page is called so', () => {
		const failure = describeUnexpectedBody(GET, 200, '\n<html><body>Log in</body></html>', 'x');
		expect(failure.message).toBe('A web page answered instead of the messaging service');
		expect(failure.description).toContain('Check the Base URL and the authentication');
		expect(failure.httpCode).toBe('200');
	});

	test.each([
		['', 'an empty body'],
		['  ', 'an empty body'],
		['{"half":', '"{"half":"'],
	])('says what was expected and what came (%j)', (raw, received) => {
		const failure = describeUnexpectedBody(GET, 200, raw, 'a JSON array');
		expect(failure.message).toBe(
			'The answer of the service could not be understood: expected a JSON array',
		);
		expect(failure.description).toBe(
			`GET /api/Campaigns was answered with status 200 and ${received}. Check the Base URL in the credential.`,
		);
	});

	test('quotes no more than 300 characters', () => {
		const { description } = describeUnexpectedBody(GET, 200, 'x'.repeat(5000), 'JSON');
		expect(description).toContain(`"${'x'.repeat(300)}..."`);
	});

	test('after a request that sends warns that it may have been accepted', () => {
		expect(describeUnexpectedBody(POST, 200, '', 'JSON').description).toContain(MAYBE_ACCEPTED);
	});

	test.each([
		['<!doctype html>', true],
		['  <HTML lang="en">', true],
		['<?xml version="1.0"?>', true],
		['<3', false],
		['"<html>"', false],
	])('%j is a web page: %s', (text, is) => {
		expect(looksLikeHtml(text)).toBe(is);
	});
});

describe('a request without an answer', () => {
	test.each([
		['ECONNREFUSED', `Nothing answers at ${HOST}`, /so nothing was sent.*Base URL/],
		['ENOTFOUND', `The host ${HOST} is not known`, /so nothing was sent.*Base URL/],
		['EAI_AGAIN', `The host ${HOST} is not known`, /so nothing was sent.*Base URL/],
		[
			'ERR_CANCELED',
			'The execution was cancelled while a request was under way',
			/Check in the service/,
		],
		['CERT_HAS_EXPIRED', `The certificate of ${HOST} could not be verified`, /Ignore SSL Issues/],
		[
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			`The certificate of ${HOST} could not be verified`,
			/Nothing was sent/,
		],
		['EPROTO', `No secure connection to ${HOST} could be made`, /http:\/\/ instead of https/],
		[ADDRESS_BLOCKED, `This n8n may not call ${HOST}`, /nothing was sent.*N8N_SSRF_ALLOWED/],
		['ERR_ANSWER_TOO_LARGE', `The answer of ${HOST} is too long`, /more than 100 MB.*Page Size/],
		['ESOCKETTIMEDOUT', `The service at ${HOST} did not answer in time`, /may have been accepted/],
		['ETIMEDOUT', `The service at ${HOST} did not answer in time`, /may have been accepted/],
		['ECONNABORTED', `The service at ${HOST} did not answer in time`, /may have been accepted/],
		[
			'ECONNRESET',
			`The connection to ${HOST} broke before an answer arrived`,
			/socket hang up\..*may have been accepted/,
		],
		['', `The connection to ${HOST} broke before an answer arrived`, /may have been accepted/],
	])('says for %s what happened and what to do', (code, message, description) => {
		const failure = describeConnectionFailure(POST, HOST, code, 'socket hang up');
		expect(failure.message).toBe(message);
		expect(failure.description).toMatch(description);
		expect(failure.description).toContain(code === '' ? '(POST /api/Campaigns)' : `, ${code})`);
		expect(failure.httpCode).toBeUndefined();
	});

	test('because of the credential says what is wrong with it', () => {
		const failure = describeConnectionFailure(POST, HOST, CREDENTIAL_UNUSABLE, 'Bad header');
		expect(failure).toEqual({
			message: 'Bad header',
			description: 'Nothing was sent. Correct the credential.',
		});
	});

	test('does not warn of a request that only reads', () => {
		for (const code of [...REPLACED_BY_N8N, ...OTHER_CODES]) {
			const { description } = describeConnectionFailure(GET, HOST, code, '');
			expect(description).not.toContain('may have been accepted');
			expect(description).not.toMatch(/^\s|\s$| {2}/);
		}
	});

	test.each([...REPLACED_BY_N8N, ...OTHER_CODES])(
		'has no error code in its message (%s)',
		(code) => {
			const detail = `connect ${code} 127.0.0.1:1`;
			for (const request of [GET, POST]) {
				const { message } = describeConnectionFailure(request, HOST, code, detail);
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
		expect(errorCode(error)).toBe(code);
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
		expect(innermostMessage(error)).toBe(text);
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
		expect(errorCode(wrapped)).toBe('ECONNREFUSED');
		expect(innermostMessage(wrapped)).toBe('connect ECONNREFUSED 127.0.0.1:9');
	});

	test.each(['404', 404, 'not found', 'x ECONNRESET', 'ECONNRESET x', 'E-1', ''])(
		'has no code where there is only a status or a text (%j)',
		(httpCode) => {
			expect(errorCode({ httpCode })).toBe('');
		},
	);

	test.each([
		['SsrfBlockedIpError', ADDRESS_BLOCKED],
		['SsrfBlockedHostnameError', ADDRESS_BLOCKED],
		['NoSsrfBlockedError', ''],
	])('has a code of ours when n8n names the cause %s', (name, code) => {
		const cause = Object.assign(new Error('blocked'), { name });
		expect(errorCode(new Error('x', { cause }))).toBe(code);
	});

	test('has no code when the causes go round in circles', () => {
		const error: { cause?: unknown } = {};
		error.cause = error;
		expect(errorCode(error)).toBe('');
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
			{ numRuns: 1000 },
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
	const failure: Failure = { message: 'It failed', description: 'Do this.', httpCode: '404' };

	test('has message, description and status', () => {
		const error = toNodeApiError(node, failure);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject(failure);
	});

	test('has no secret anywhere', () => {
		const echo = 'You sent top-secret';
		const error = toNodeApiError(node, { message: echo, description: echo }, ['top-secret']);
		expect(error.message).toBe('You sent *****');
		expect(JSON.stringify([error, error.messages, error.cause])).not.toContain('top-secret');
	});

	test.each([
		['Name: a preexisting campaign has this name', 'EEXIST within a word'],
		...REPLACED_BY_N8N.map((code) => [`sender: ${code} is not allowed`, code]),
	])('keeps the message %j', (message) => {
		expect(toNodeApiError(node, { ...failure, message }).message).toBe(message);
	});
});

test('a complaint may be a text instead of a list of texts', () => {
	expect(readComplaints({ errors: { Name: 'is taken' } })).toEqual([
		{ field: 'Name', message: 'is taken' },
	]);
});
