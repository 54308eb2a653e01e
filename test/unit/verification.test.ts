import { createHash } from 'node:crypto';
import { BlockList, isIP, isIPv6 } from 'node:net';
import fc from 'fast-check';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { webhookToken } from '../../nodes/MessagingService/transport/webhookToken';
import {
	addressRefusal,
	allowlistEntries,
	isAllowed,
	parseNetwork,
	tokenRefusal,
} from '../../nodes/MessagingService/trigger/verification';
import { runs } from '../support/runs';

const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
const ipv4 = fc.ipV4();
/** IPv6 addresses, short and long, with and without an IPv4 ending. */
const ipv6 = fc.oneof(
	fc.ipV6(),
	fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':')),
	ipv4.map((address) => `::ffff:${address}`),
);
/** Texts that are nearly addresses: pieces of them in any order. */
const nearly = fc
	.array(
		fc.oneof(
			group,
			fc.constantFrom('::', ':', '.', '%', '0', '01', '255', '256', '1000', 'g', '-1'),
		),
		{ maxLength: 17 },
	)
	.map((pieces) => pieces.join(''));
const changed = fc
	.tuple(fc.oneof(ipv4, ipv6), fc.nat(40), fc.constantFrom('', ':', '.', '0', 'f', '::', ' '))
	.map(([text, place, piece]) => text.slice(0, place) + piece + text.slice(place + 1));

describe('an address of an allowlist', () => {
	test('is read where Node.js takes it for one', () => {
		fc.assert(
			fc.property(fc.oneof(ipv4, ipv6, nearly, changed), (text) => {
				const plain = text.trim().replace(/%.*$/, '');
				fc.pre(!text.includes('/'));
				expect([text, parseNetwork(text) !== undefined]).toEqual([text, isIP(plain) !== 0]);
			}),
			{ numRuns: runs(500) },
		);
	});

	test.each([
		['1.2.3.4', true],
		['1.2.3', false],
		['1.2.3.4.5', false],
		['1.2.3.256', false],
		['1.2.3.255', true],
		['1.2.3.04', false],
		['1.2.3.x', false],
		['x1.2.3.4', false],
		['', false],
		['::', true],
		['1:2:3:4:5:6:7:8', true],
		['1:2:3:4:5:6:7', false],
		['1:2:3:4:5:6:7:8:9', false],
		['1:2:3:4:5:6:7::', true],
		['1:2:3:4:5:6:7::8', false],
		['1::2::3', false],
		['1:2:3:4::5:6:7:8::9', false],
		[':::', false],
		['12345::', false],
		['x1::', false],
		['::1x', false],
		['::ffff:1.2.3', false],
		['1.2.3.4::', false],
		['[2001:db8::1]', true],
		['[1.2.3.4]', true],
		['x[::1]', false],
		['[::1]x', false],
		['2001:db8::1%eth0', true],
		['10.0.0.0/8', true],
		['10.0.0.0/0', true],
		['10.0.0.0/32', true],
		['10.0.0.0/33', false],
		['10.0.0.0/-1', false],
		['10.0.0.0/', false],
		['10.0.0.0/8x', false],
		['10.0.0.0/x8', false],
		['10.0.0.0/1000', false],
		['10.0.0.0/8/8', false],
		['2001:db8::/128', true],
		['2001:db8::/129', false],
		['::ffff:10.0.0.0/96', true],
		['::ffff:10.0.0.0/95', false],
		['::ffff:10.0.0.0/128', true],
		['::ffff:10.0.0.0/129', false],
	])('%s: %p', (entry, isOne) => {
		expect(parseNetwork(entry) !== undefined).toBe(isOne);
	});

	test('stands between commas, semicolons, spaces and new lines', () => {
		expect(allowlistEntries(' 10.0.0.1, ::1;\n 2001:db8::/32\t\n')).toEqual([
			...['10.0.0.1', '::1', '2001:db8::/32'],
		]);
		expect(allowlistEntries(' \n')).toEqual([]);
	});
});

describe('an allowlist', () => {
	const network = fc.oneof(
		fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })),
		fc.tuple(ipv6, fc.integer({ min: 0, max: 128 })),
	);
	/** An address that has the first bits of another one's text: often inside of its network. */
	const near = (address: string) =>
		fc
			.tuple(fc.nat(address.length), fc.oneof(ipv4, ipv6))
			.map(([place, other]) => address.slice(0, place) + other.slice(place))
			.filter((text) => isIP(text) !== 0);

	test('lets in what is in one of its networks, as Node.js counts', () => {
		const pair = network.chain(([address, prefix]) =>
			fc.tuple(
				fc.constant(address),
				fc.constant(prefix),
				fc.oneof(ipv4, ipv6, fc.constant(address), near(address)),
			),
		);
		fc.assert(
			fc.property(pair, ([address, prefix, ip]) => {
				// IPv4 beside IPv6, and written as IPv6, has its own rules: below.
				fc.pre(isIP(address) === isIP(ip));
				fc.pre(![address, ip].some((text) => /^::ffff:/i.test(text)));
				const oracle = new BlockList();
				oracle.addSubnet(address, prefix, isIPv6(address) ? 'ipv6' : 'ipv4');
				const isIn = oracle.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
				expect(isAllowed(`192.0.2.1, ${address}/${prefix}`, ip)).toBe(isIn || ip === '192.0.2.1');
			}),
			{ numRuns: runs(300) },
		);
	});

	test.each([
		['', '10.0.0.1', true],
		['', undefined, true],
		[' \n', '10.0.0.1', true],
		['10.0.0.1', undefined, false],
		['10.0.0.1', 'unknown', false],
		['10.0.0.1', '10.0.0.1', true],
		['10.0.0.1', '::ffff:10.0.0.1', true],
		['10.0.0.1', '::FFFF:a00:1', true],
		['10.0.0.1', '::10.0.0.1', false],
		['::ffff:10.0.0.0/104', '10.200.0.1', true],
		['::ffff:10.0.0.0/104', '11.0.0.1', false],
		['0.0.0.0/0', '203.0.113.9', true],
		['0.0.0.0/0', '2001:db8::1', false],
		['::/0', '2001:db8::1', true],
		['::/0', '203.0.113.9', false],
		['nonsense', '10.0.0.1', false],
		['nonsense 10.0.0.1', '10.0.0.1', true],
		['fe80::1', 'fe80::1%eth0', true],
		['2001:DB8::A', '2001:db8:0:0::a', true],
		['10.0.0.4/30', '10.0.0.7', true],
		['10.0.0.4/30', '10.0.0.8', false],
		['10.0.0.4/30', '10.0.0.3', false],
	])('%j and the sender %j: %p', (allowlist, ip, isIn) => {
		expect(isAllowed(allowlist, ip)).toBe(isIn);
	});
});

test('the address that counts is the one that n8n tells', () => {
	const context = {
		getRequestObject: () => ({ ip: '10.0.0.1', headers: { 'x-forwarded-for': '10.0.0.2' } }),
	} as unknown as IWebhookFunctions;
	expect(addressRefusal(context, '10.0.0.1')).toBeUndefined();
	expect(addressRefusal(context, '')).toBeUndefined();
	expect(addressRefusal(context, '10.0.0.2')).toMatch(/address/);
});

describe('the token of a delivery', () => {
	const WRONG = 'The token of the webhook URL is missing or wrong';
	const tokenOf = (webhookSecret: string) => webhookToken({ webhookSecret });
	let workflows = 0;

	beforeEach(() => {
		jest.useFakeTimers();
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	/** A trigger of a workflow of its own. */
	function triggerWith(webhookSecret?: string, staticData: IDataObject = {}) {
		const state = { webhookSecret, reads: 0 };
		const id = `verified-${String(workflows++)}`;
		const refusalOf = async (token: unknown, mode = 'webhook') =>
			await tokenRefusal({
				getMode: () => mode,
				getWorkflow: () => ({ id }),
				getNode: () => ({ id: 'node' }),
				getQueryData: () => (token === undefined ? {} : { token }),
				getWorkflowStaticData: () => staticData,
				getCredentials: async () => {
					state.reads += 1;
					return await Promise.resolve({ webhookSecret: state.webhookSecret });
				},
			} as unknown as IWebhookFunctions);
		return { state, refusalOf };
	}

	test('is not needed without a secret', async () => {
		const { refusalOf, state } = triggerWith();
		expect(await refusalOf(undefined)).toBeUndefined();
		expect(await refusalOf('anything')).toBeUndefined();
		expect(state.reads).toBe(1);
	});

	test.each([[undefined], ['x'], [tokenOf('other')], [[tokenOf('secret')]], ['']])(
		'is refused: %j',
		async (token) => {
			const { refusalOf } = triggerWith('secret');
			expect(await refusalOf(token)).toBe(WRONG);
			expect(await refusalOf(tokenOf('secret'))).toBeUndefined();
			expect(await refusalOf(token)).toBe(WRONG);
		},
	);

	test('may be that of a secret changed a second ago, and that of the one before', async () => {
		const { refusalOf, state } = triggerWith('old');
		expect(await refusalOf(tokenOf('old'))).toBeUndefined();
		state.webhookSecret = 'new';
		expect(await refusalOf(tokenOf('new'))).toBe(WRONG);
		await jest.advanceTimersByTimeAsync(1000);
		expect(await refusalOf(tokenOf('new'))).toBeUndefined();
		expect(await refusalOf(tokenOf('old'))).toBeUndefined();
		expect(await refusalOf(tokenOf('none'))).toBe(WRONG);
		await jest.advanceTimersByTimeAsync(600_000);
		expect(await refusalOf(tokenOf('old'))).toBe(WRONG);
		expect(await refusalOf(tokenOf('new'))).toBeUndefined();
	});

	test('may be the registered one, in a process that has not seen it', async () => {
		const digest = createHash('sha256')
			.update(String(tokenOf('old')))
			.digest('hex');
		const { refusalOf } = triggerWith('new', { tokenDigest: digest });
		expect(await refusalOf(tokenOf('old'))).toBeUndefined();
		expect(await refusalOf(tokenOf('new'))).toBeUndefined();
		expect(await triggerWith('new').refusalOf(tokenOf('old'))).toBe(WRONG);
	});

	test('is that of the credential of the version listened to, for test deliveries', async () => {
		const { refusalOf, state } = triggerWith('published');
		expect(await refusalOf(tokenOf('published'))).toBeUndefined();
		state.webhookSecret = 'edited';
		expect(await refusalOf(tokenOf('edited'), 'manual')).toBeUndefined();
		expect(await refusalOf(tokenOf('published'), 'manual')).toBe(WRONG);
		expect(await refusalOf(tokenOf('published'))).toBeUndefined();
		expect(state.reads).toBe(2);
	});
});
