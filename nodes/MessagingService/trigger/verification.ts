import type { IWebhookFunctions } from 'n8n-workflow';
import { TOKEN_PARAMETER } from '../transport/webhookToken';
import { isAcceptedToken, noteToken } from './acceptedTokens';
import { memoryOf } from './registrationMemory';
import { recentCredential, triggerKey, type TriggerCredential } from './triggerCredential';

/** An IP address as a number of 32 or 128 bits. */
interface Address {
	bits: 32 | 128;
	value: bigint;
}

/** Addresses from which deliveries are taken: a network and how many of its bits count. */
interface Network {
	address: Address;
	prefix: number;
}

const MAPPED_IPV4 = 0xffffn;

function parseIpv4(text: string): bigint | undefined {
	const parts = text.split('.');
	if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) {
		return undefined;
	}
	const bytes = parts.map(Number);
	if (bytes.some((byte) => byte > 255)) return undefined;
	return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function parseIpv6(text: string): bigint | undefined {
	// The last 32 bits may be written like an IPv4 address.
	const lastColon = text.lastIndexOf(':');
	if (text.includes('.')) {
		const tail = parseIpv4(text.slice(lastColon + 1));
		if (tail === undefined) return undefined;
		const groups = `${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
		return parseIpv6(`${text.slice(0, lastColon + 1)}${groups}`);
	}
	const halves = text.split('::');
	if (halves.length > 2) return undefined;
	const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
	const missing = 8 - head.length - tail.length;
	if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
	const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
	if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
	return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

/** Reads an address; an IPv4 address written as IPv6 (`::ffff:10.0.0.1`) is the IPv4 address. */
function parseAddress(text: string): Address | undefined {
	const plain = text
		.trim()
		.replace(/^\[(.*)\]$/, '$1')
		.replace(/%.*$/, '');
	const ipv4 = parseIpv4(plain);
	if (ipv4 !== undefined) return { bits: 32, value: ipv4 };
	const ipv6 = plain.includes(':') ? parseIpv6(plain) : undefined;
	if (ipv6 === undefined) return undefined;
	return ipv6 >> 32n === MAPPED_IPV4
		? { bits: 32, value: ipv6 & 0xffffffffn }
		: { bits: 128, value: ipv6 };
}

/** Reads `10.0.0.1` or `10.0.0.0/8`; undefined when it is neither. */
export function parseNetwork(entry: string): Network | undefined {
	const [text = '', length, ...rest] = entry.trim().split('/');
	const address = parseAddress(text);
	if (address === undefined || rest.length > 0) return undefined;
	if (length === undefined) return { address, prefix: address.bits };
	if (!/^\d{1,3}$/.test(length)) return undefined;
	// `::ffff:10.0.0.0/104` counts the bits of the IPv6 form.
	const isMapped = address.bits === 32 && text.includes(':');
	const prefix = Number(length) - (isMapped ? 96 : 0);
	return prefix < 0 || prefix > address.bits ? undefined : { address, prefix };
}

/** The entries of an allowlist, written one after another with commas, spaces or new lines. */
export function allowlistEntries(allowlist: string): string[] {
	return allowlist.split(/[\s,;]+/).filter((entry) => entry !== '');
}

/** Whether an allowlist lets this address in. An empty one lets everybody in. */
export function isAllowed(allowlist: string, ip: string | undefined): boolean {
	if (allowlist.trim() === '') return true;
	const address = ip === undefined ? undefined : parseAddress(ip);
	if (address === undefined) return false;
	return allowlistEntries(allowlist).some((entry) => {
		const network = parseNetwork(entry);
		if (network === undefined || network.address.bits !== address.bits) return false;
		const ignored = BigInt(address.bits - network.prefix);
		return address.value >> ignored === network.address.value >> ignored;
	});
}

/** Why a delivery is refused for the address it comes from, or nothing when it may go on. */
export function addressRefusal(context: IWebhookFunctions, allowlist: string): string | undefined {
	// Express tells the address behind as many proxies as N8N_PROXY_HOPS says, never a claimed one.
	return isAllowed(allowlist, context.getRequestObject().ip)
		? undefined
		: 'This address may not deliver events here';
}

/** Why a delivery is refused for its token, or nothing when it may go on. */
export async function tokenRefusal(context: IWebhookFunctions): Promise<string | undefined> {
	const isTest = context.getMode() === 'manual';
	const key = isTest ? `${triggerKey(context)}/test` : triggerKey(context);
	const { [TOKEN_PARAMETER]: given } = context.getQueryData() as Record<string, unknown>;
	const isAccepted = ({ token }: TriggerCredential): boolean => {
		noteToken(key, token, memoryOf(context).tokenDigest);
		return isAcceptedToken(key, given);
	};
	const credential = await recentCredential(context, key);
	if (isAccepted(credential)) return undefined;
	// The secret may have changed in the last seconds.
	const fresh = await recentCredential(context, key, true);
	if (fresh !== credential && isAccepted(fresh)) return undefined;
	return 'The token of the webhook URL is missing or wrong';
}
