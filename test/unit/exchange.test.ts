import type { IHttpRequestOptions } from 'n8n-workflow';
import { JsonList } from '../../nodes/MessagingService/jsonList';
import { exchange, OutOfTime } from '../../nodes/MessagingService/transport/exchange';
import type { ServiceRequest } from '../../nodes/MessagingService/transport/request';
import type { Service } from '../../nodes/MessagingService/transport/service';

interface Host {
	getExecutionCancelSignal: () => AbortSignal;
}

/** n8n's HTTP helper, and what it was asked. */
type Respond = (signal: AbortSignal) => AsyncIterable<Uint8Array> | Promise<never>;

async function* text(...parts: string[]) {
	for (const part of parts) yield await Promise.resolve(Buffer.from(part));
}

function serviceWith(respond: Respond, more: object = {}, authentication = 'none') {
	const requests: IHttpRequestOptions[] = [];
	const service = {
		baseUrl: 'https://service.example.com/api',
		credential: { id: '', name: '', type: 'x', data: { authentication } },
		ignoresSslIssues: false,
		signal: undefined,
		context: {
			helpers: {
				async httpRequestWithAuthentication(this: Host, _: string, options: IHttpRequestOptions) {
					requests.push(options);
					const body = await respond(this.getExecutionCancelSignal());
					return { statusCode: 201, headers: { a: 'b' }, body };
				},
			},
		},
		...more,
	} as unknown as Service;
	return { service, requests };
}

/** Fails when the signal does; resolves never. */
const untilAborted = async (signal: AbortSignal) =>
	await new Promise<never>((_, reject) => {
		const end = () => {
			reject(new Error('aborted'));
		};
		signal.addEventListener('abort', end);
		if (signal.aborted) end();
	});

const GET: ServiceRequest = { method: 'GET', path: '/Campaigns', query: { page: 1 } };

describe('a request', () => {
	test('is sent once, without redirects, and its response is read as text', async () => {
		const { service, requests } = serviceWith(() => text('{"a":', '"ä"}'));
		expect(await exchange(service, GET, 5000)).toEqual({
			...{ statusCode: 201, headers: { a: 'b' }, body: '{"a":"ä"}' },
		});
		expect(requests).toEqual([
			{
				...{ method: 'GET', url: 'https://service.example.com/api/Campaigns', qs: { page: 1 } },
				...{ arrayFormat: 'repeat', body: undefined, headers: { Accept: 'application/json' } },
				...{ timeout: 5000, encoding: 'stream', returnFullResponse: true },
				...{ ignoreHttpStatusErrors: true, disableFollowRedirect: true },
				skipSslCertificateValidation: false,
			},
		]);
	});

	test.each([true, false])('checks certificates unless told not to: %p', async (ignores) => {
		const { service, requests } = serviceWith(() => text(''), { ignoresSslIssues: ignores });
		await exchange(service, GET, 5000);
		expect(requests[0]?.skipSslCertificateValidation).toBe(ignores);
	});

	const contacts = new JsonList();
	contacts.push({ phoneNumber: '+1' });
	const long = { name: 'a', contacts };

	test.each(['none', 'basicAuth', 'header'])(
		'has a long list as bytes, and their type: %s',
		async (authentication) => {
			const { service, requests } = serviceWith(() => text(''), {}, authentication);
			await exchange(service, { method: 'POST', path: '/a', body: long }, 5000);
			expect(String(requests[0]?.body)).toBe('{"name":"a","contacts":[{"phoneNumber":"+1"}]}');
			expect(requests[0]?.headers).toEqual({
				...{ Accept: 'application/json', 'Content-Type': 'application/json' },
			});
		},
	);

	test('has a short body as an object', async () => {
		const { service, requests } = serviceWith(() => text(''), {}, 'none');
		await exchange(service, { method: 'POST', path: '/a', body: { name: 'a' } }, 5000);
		expect(requests[0]?.body).toEqual({ name: 'a' });
	});
});

describe('a request that is ended', () => {
	test('by its time says so', async () => {
		const { service } = serviceWith(untilAborted);
		await expect(exchange(service, GET, 5)).rejects.toBeInstanceOf(OutOfTime);
	});

	test('by the user, or by the network, has the reason of n8n', async () => {
		const user = new AbortController();
		const { service } = serviceWith(untilAborted, { signal: user.signal });
		const running = exchange(service, GET, 5000);
		user.abort();
		await expect(running).rejects.toThrow('aborted');
		await expect(exchange(service, GET, 5000)).rejects.not.toBeInstanceOf(OutOfTime);
		const failing = serviceWith(async () => await Promise.reject(new Error('refused')));
		await expect(exchange(failing.service, GET, 5000)).rejects.toThrow('refused');
	});

	test('listens to nothing afterwards', async () => {
		const user = new AbortController();
		const signals: AbortSignal[] = [];
		const { service } = serviceWith(
			(signal) => {
				signals.push(signal);
				return text('');
			},
			{ signal: user.signal },
		);
		await exchange(service, GET, 1000);
		user.abort();
		expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
	});
});
