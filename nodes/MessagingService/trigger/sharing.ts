import { Failure } from '../failure';
import type { PublishedTrigger } from './published';

/**
 * Whether two triggers get each other's events. The address of a service and a Client ID are no
 * secrets: without a Webhook Secret, only the same credential shows that both belong to the account.
 */
export function sharesEvents(one: PublishedTrigger, other: PublishedTrigger): boolean {
	if (one.token !== other.token) return false;
	return one.token !== undefined || one.credentialId === other.credentialId;
}

/**
 * Whoever registers URLs himself may have another secret: the others hand on nothing to him.
 * @throws Failure that names the triggers whose events this one would not get
 */
export function assertShares(
	trigger: PublishedTrigger,
	published: readonly PublishedTrigger[],
): void {
	const others = published.filter(
		(other) => other.key !== trigger.key && !other.isManual && !sharesEvents(other, trigger),
	);
	if (trigger.isManual || others.length === 0) return;
	const names = others.map(({ self }) => `"${self.workflow}"`).join(', ');
	throw Failure.ofField(
		'Webhook Secret',
		`is not shared with ${names}`,
		`All workflows that get the events of an account must have the same Webhook Secret or, without one, the same credential. Enter the secret of ${names} here, or one secret in all of their credentials, and publish them. Or unpublish ${names} first.`,
	);
}

/**
 * Tells triggers that share events of each other, so that they hand them on, in the hook of one.
 * @param before the trigger as it was known to them
 */
export function introduce(
	trigger: PublishedTrigger,
	before: PublishedTrigger | undefined,
	published: readonly PublishedTrigger[],
): void {
	for (const other of published) {
		if (other === trigger) continue;
		if (before !== undefined) other.forget(before.self);
		if (sharesEvents(other, trigger)) {
			other.know(trigger.self);
			trigger.know(other.self);
		} else {
			other.forget(trigger.self);
			trigger.forget(other.self);
		}
	}
	trigger.noteStored();
}
