import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from './errors.ts';

const safeMethods = new Set(['GET', 'HEAD']);

/** Names that no stranger can have made point to this machine: names without a dot, and reserved ones. */
const privateName = /^([^.]+|(.+\.)(localhost|local|internal|test))$/i;

const hostName = (host: string): string => {
	const { hostname } = new URL(`http://${host}`);
	return hostname.replace(/^\[|\]$/g, '');
};

const isPrivate = (host: string): boolean =>
	URL.canParse(`http://${host}`) &&
	(isIP(hostName(host)) !== 0 || privateName.test(hostName(host)));

/** Whether a browser says that a page of another origin made the request. Other programs say nothing of the kind. */
const isFromElsewhere = ({ headers, host }: FastifyRequest): boolean => {
	const site = headers['sec-fetch-site'];
	if (site !== undefined) return site !== 'same-origin' && site !== 'none';
	const { origin } = headers;
	if (origin === undefined) return false;
	return !URL.canParse(origin) || new URL(origin).host !== host;
};

/**
 * Refuses what other web pages could do through a browser on this machine: changing anything (cross-site requests),
 * and reading anything by giving their own name this machine's address (DNS rebinding).
 */
export const refuseOtherSites = (
	request: FastifyRequest,
	_reply: FastifyReply,
	done: (error?: Error) => void,
): void => {
	const { host, method } = request;
	if (host !== '' && !isPrivate(host)) {
		done(problem(403, `Open the sandbox by its IP address or as localhost, not as ${host}.`));
	} else if (!safeMethods.has(method) && isFromElsewhere(request)) {
		done(problem(403, 'Another web site sent this request. Use the page of the sandbox itself.'));
	} else done();
};
