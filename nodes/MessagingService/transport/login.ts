import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { Failure } from '../failure';
import { looksLikeMarkup, shorten } from '../texts';
import { connectionProblem, MAX_HOST_CHARACTERS } from './connectionProblems';
import { limited, responseTo, whenAborted } from './deadline';
import { retryAfterMs } from './errors';
import type { Gate } from './gate';
import { fieldsIn, loginRequestOf, tokenIn, type LoginRequest } from './loginRequest';
import type { Port } from './port';
import type { ServiceResponse } from './request';
import { contentOf } from './responseShape';
import { reasonOf, type Wording } from './serviceReason';
import type { AccountLimits } from './settings';
import type { NewToken, Tokens } from './tokens';

/** How a login reaches the service. */
interface Access extends Port {
	baseUrl: string;
	ignoresSslIssues: boolean;
	limits: AccountLimits;
	gate: Gate;
	wording: Wording;
}

/** A login that takes longer fails: all requests of the account wait for it. */
const MAX_LOGIN_MS = 30_000;

/** A run with more rows would keep asking a login server that is down: some lock the account. */
const MAX_ATTEMPTS = 20;

const NOT_SENT = 'This request was not sent.';

/** How one run gets a token, for Authentication: Access Token. */
export class Login {
	private readonly data: ICredentialDataDecryptedObject;
	private readonly tokens: Tokens;
	/** A login that was refused, or failed again and again: this run does not try it for each row. */
	private refusal: Failure | undefined;
	/** How often this run has tried it since it was possible. */
	private attempts = 0;
	/** Whether the service refused a new token with 403: then it means the request, not the token. */
	private isForbidden = false;

	constructor(data: ICredentialDataDecryptedObject, tokens: Tokens) {
		this.data = data;
		this.tokens = tokens;
	}

	/** The tokens that no text may show. */
	get secrets(): string[] {
		return this.tokens.secrets;
	}

	/**
	 * A token for a request. Where a login is needed, it belongs to the turn of this request.
	 * @param refused the token that the service has just refused
	 * @param limitMs how long the request waits for it
	 * @throws Failure where there is none: then nothing was sent
	 */
	async token(service: Access, refused: string | undefined, limitMs: number): Promise<string> {
		if (this.refusal !== undefined) throw this.refusal;
		const request = loginRequestOf(this.data, service.baseUrl);
		const asked = this.tokens.get(refused, async () => {
			this.attempts++;
			const token = await logIn(service, request);
			this.attempts = 0;
			return token;
		});
		try {
			return await limited(
				Math.min(limitMs, MAX_LOGIN_MS),
				service.signal,
				async (ending) => await Promise.race([asked, whenAborted(ending)]),
			);
		} catch (error) {
			const failure = error instanceof Failure ? error : noResponse(request, error);
			if (failure.facts.retry === undefined) this.refusal = failure;
			else if (this.attempts >= MAX_ATTEMPTS) this.refusal = givenUp(failure);
			throw failure;
		}
	}

	/** Whether a request can succeed with another token: after 401, of some services after 403. */
	isWorthAnother({ facts }: Failure): boolean {
		return facts.httpCode === '401' || (facts.httpCode === '403' && !this.isForbidden);
	}

	/** What the service says of a request with a token that was new. */
	refusalOfNew(failure: Failure): Failure {
		this.isForbidden ||= failure.facts.httpCode === '403';
		return failure.facts.httpCode === '401' ? tokenRefused(failure) : failure;
	}
}

/** Logs in. It ends with its own time only: requests of other executions may wait for it, too. */
async function logIn(service: Access, login: LoginRequest): Promise<NewToken> {
	const timeoutMs = Math.min(service.limits.timeoutMs, MAX_LOGIN_MS);
	const { tokenField, url, body: sent } = login;
	const headers = { Accept: 'application/json', ...login.headers };
	const response = await responseTo(
		{ ...service, signal: undefined },
		{ method: 'POST', url, headers, body: sent },
		timeoutMs,
	).catch((error: unknown) => {
		throw noResponse(login, error);
	});
	const { statusCode, body } = response;
	if (statusCode < 200 || statusCode >= 300) throw notAccepted(service, login, response);
	const content = contentOf(body);
	const token = tokenIn(content, tokenField);
	if (token !== undefined) return token;
	throw looksLikeMarkup(body) ? webPage(login) : noTokenIn(login, content);
}

/** The request as an error names it. */
function lineOf({ url }: LoginRequest): string {
	return `POST ${shorten(new URL(url).pathname, MAX_NAMED_CHARACTERS)}`;
}

const MAX_NAMED_CHARACTERS = 100;

function couldNotLogIn({ url }: LoginRequest): string {
	return `Could not log in at ${shorten(new URL(url).host, MAX_HOST_CHARACTERS)}`;
}

/** A login without any response. */
function noResponse(login: LoginRequest, error: unknown): Failure {
	const { host } = new URL(login.url);
	const { title, advice, code, isTemporary } = connectionProblem(host, error);
	const about = [lineOf(login), code].filter(Boolean).join(', ');
	const description = `${title}. ${advice.replaceAll('Base URL', 'Token URL')}`.trim();
	return new Failure(couldNotLogIn(login), `${description} ${NOT_SENT} (${about})`, {
		sent: 'no',
		retry: isTemporary ? {} : undefined,
	});
}

const givenUp = ({ message, description }: Failure) =>
	new Failure(message, description, { sent: 'no' });

/** Statuses after which the same login can succeed. */
const isTemporaryStatus = (status: number) => status >= 500 || status === 429 || status === 408;

/** A login with a status that is none of a success. Without `httpCode`: that is one of the operation. */
function notAccepted(
	{ wording, gate }: Access,
	login: LoginRequest,
	{ statusCode, headers, body }: ServiceResponse,
): Failure {
	const afterMs = retryAfterMs(headers['retry-after']);
	gate.holdFor(afterMs ?? 0);
	const content = contentOf(body);
	const reason = reasonOf(content, wording).text.replace(/\.$/, '');
	const status = `The service responded to ${lineOf(login)} with status ${statusCode}${reason && `: ${reason}`}.`;
	if (isTemporaryStatus(statusCode)) {
		return new Failure(couldNotLogIn(login), `${status} Try again later. ${NOT_SENT}`, {
			sent: 'no',
			retry: { afterMs },
		});
	}
	return new Failure(
		'The service refused the login',
		`${status} Check Token URL, Log In With and its fields in the credential. ${NOT_SENT}`,
		{ sent: 'no' },
	);
}

function webPage(login: LoginRequest): Failure {
	return new Failure(
		'The response to the login is a web page without a token',
		`The service responded to ${lineOf(login)} with an HTML page. Check the Token URL in the credential. ${NOT_SENT}`,
		{ sent: 'no' },
	);
}

function noTokenIn(login: LoginRequest, content: unknown): Failure {
	const { tokenField } = login;
	return new Failure(
		`The response to the login has no token in ${tokenField === '' ? 'it' : `"${shorten(tokenField, 30)}"`}`,
		`The service responded to ${lineOf(login)}. ${fieldsIn(content)} A token is text without spaces and special characters. Check Log In With in the credential: with JSON, enter the field that holds the token as Token Field. If none does, ask the service operator. ${NOT_SENT}`,
		{ sent: 'no' },
	);
}

/**
 * Makes a request with a token of the login. If the service refuses it (401, of some services 403), it
 * has not accepted the request, which is made once more with another token.
 * @param limitMs how long the request still may take
 * @param send makes it; without a login, without a token
 */
export async function sendWithToken<Value>(
	service: Access & { login: Login | undefined },
	limitMs: () => number,
	send: (token: string | undefined) => Promise<Value>,
): Promise<Value> {
	const { login } = service;
	if (login === undefined) return await send(undefined);
	const token = await login.token(service, undefined, limitMs());
	try {
		return await send(token);
	} catch (thrown) {
		const failure = Failure.of(thrown);
		if (!login.isWorthAnother(failure)) throw failure;
	}
	const next = await login.token(service, token, limitMs());
	return await send(next).catch((thrown: unknown) => {
		throw login.refusalOfNew(Failure.of(thrown));
	});
}

/** The service refused two tokens one after the other, the second of which was new. */
function tokenRefused(failure: Failure): Failure {
	return failure.with({
		description: `${failure.description} n8n had logged in again before. If the service keeps one token per client, each n8n process that logs in makes the tokens of the others invalid: use one worker.`,
	});
}
