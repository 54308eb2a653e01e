import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problem } from './errors.ts';

/** Names that no stranger can have made point to this machine: names without a dot, and reserved ones. */
const privateName = /^([^.]+|(.+\.)(localhost|local|internal|test))$/i;

const isPrivate = (host: string): boolean => {
	if (!URL.canParse(`http://${host}`)) return false;
	const name = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '');
	return isIP(name) !== 0 || privateName.test(name);
};

/** Whether a page of another origin made the request: browsers say so with everything but a GET. */
const isFromElsewhere = ({ headers: { origin }, host }: FastifyRequest): boolean =>
	origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);

/**
 * Refuses what other web pages could do through a browser on this machine: changing anything (cross-site requests),
 * and reading anything by giving their own name this machine's address (DNS rebinding).
 */
export const refuseOtherSites = (
	request: FastifyRequest,
	_reply: FastifyReply,
	done: (error?: Error) => void,
): void => {
	const { host } = request;
	if (host !== '' && !isPrivate(host)) {
		done(problem(403, `Open the sandbox by its IP address or as localhost, not as ${host}.`));
	} else if (isFromElsewhere(request)) {
		done(problem(403, 'Another web site sent this request. Use the page of the sandbox itself.'));
	} else done();
};
