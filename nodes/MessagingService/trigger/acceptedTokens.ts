import { hasDigest, tokenDigest } from '../transport/webhookToken';
import { LimitedMap } from './limitedMap';

/** How long the token of a changed Webhook Secret is accepted: deliveries to the old URL are in progress. */
const GRACE_MILLISECONDS = 600_000;

/** What a trigger accepts: digests of tokens; undefined stands for "no token is needed". */
interface Accepted {
	current: string | undefined;
	previous: { digest: string | undefined; until: number }[];
}

const accepted = new LimitedMap<string, Accepted>(1000);

/**
 * Notes the token that a trigger expects now; the one before it stays accepted for ten minutes.
 * @param trigger where it is expected
 * @param registered digest of the token registered when the workflow was last published: for a
 * process that has not seen an earlier token itself, e.g. a webhook processor
 */
export function noteToken(trigger: string, token: string | undefined, registered?: string): void {
	const digest = token === undefined ? undefined : tokenDigest(token);
	const known =
		accepted.get(trigger) ??
		(registered === undefined ? undefined : { current: registered, previous: [] });
	const now = Date.now();
	const previous = (known?.previous ?? []).filter(({ until }) => until > now);
	if (known !== undefined && known.current !== digest) {
		previous.push({ digest: known.current, until: now + GRACE_MILLISECONDS });
	}
	accepted.set(trigger, { current: digest, previous });
}

/** Whether a delivery to a trigger carries a token that counts now. */
export function isAcceptedToken(trigger: string, given: unknown): boolean {
	const known = accepted.get(trigger);
	if (known === undefined) return false;
	const now = Date.now();
	const digests = [
		known.current,
		...known.previous.filter(({ until }) => until > now).map(({ digest }) => digest),
	];
	// All are compared, so that the time tells nothing.
	return digests.map((digest) => digest === undefined || hasDigest(given, digest)).includes(true);
}
