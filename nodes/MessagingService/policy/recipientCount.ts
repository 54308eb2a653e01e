/** What of the policy is kept in the node's context, as plain JSON. */
interface Counted {
	policy?: { recipients: number };
}

/**
 * Counts the recipients of one node in one execution: over all its runs, loops, calls by an agent
 * and tries, for n8n keeps the node's context for all of them.
 */
export class RecipientCount {
	private readonly context: Counted;

	/** @param context the node's context */
	constructor(context: object) {
		this.context = context as Counted;
	}

	get reached(): number {
		return this.context.policy?.recipients ?? 0;
	}

	add(recipients: number): void {
		this.context.policy = { recipients: this.reached + recipients };
	}

	/** It is certain that these were not reached. */
	remove(recipients: number): void {
		this.add(-recipients);
	}
}
