import type { Complaint } from '../reason';
import type { RequestCheck } from './requestCheck';
import { noteResult, SentTexts, type SentRequest } from './sentTexts';

/** How far a rehearsal has come. */
interface Checkpoint {
	policy: { recipients: number };
	requests: number;
}

/** What would be sent if nothing stopped it: each request counts for the next ones, as if it was sent. */
export class Rehearsal {
	/** The people who are reached, as the node's context counts them. */
	policy: { recipients: number };
	readonly texts = new SentTexts();
	private readonly requests: SentRequest[] = [];

	/** @param policy those whom the node has reached */
	constructor(policy = { recipients: 0 }) {
		this.policy = policy;
	}

	/** Counts the texts of a request, but for those who are left out. */
	note(check: RequestCheck, leftOut: readonly Complaint[]): void {
		const request = check.noteIn(this.texts, leftOut);
		if (request !== undefined) this.requests.push(request);
	}

	checkpoint(): Checkpoint {
		return { policy: this.policy, requests: this.requests.length };
	}

	/** What was counted since a checkpoint is refused: it reaches nobody, and leaves the next one its place. */
	takeBack({ policy, requests }: Checkpoint): void {
		this.policy = policy;
		for (const each of this.requests.splice(requests)) noteResult(each, 'no');
	}
}
