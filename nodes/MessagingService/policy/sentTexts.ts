import type { Sent } from '../failure';

/** A request by which this process sends texts. */
export interface SentRequest {
	/** When they go out: milliseconds since 1970. */
	at: number;
	/** What the request came to, and since when that is known; undefined while it is in progress. */
	result?: { sent: Sent; since: number };
	/** What the service calls them, in lower case: the ID of the message, or of the campaign. */
	id?: string;
}

/** Notes what a request came to. @param id what the service calls its texts, if it was accepted */
export function noteResult(request: SentRequest, sent: Sent, id?: unknown): void {
	if (request.result?.sent === 'yes') return;
	request.result = { sent, since: Date.now() };
	if (sent === 'yes' && id !== undefined) request.id = String(id).toLowerCase();
}

/** What this process has sent with an account: it counts until the service lists it. */
export class SentTexts {
	/** By the person's key, the latest last. */
	private readonly byPerson = new Map<string, SentRequest[]>();

	/** Notes a request that is about to go out to these people. */
	add(people: readonly string[], at: number): SentRequest {
		const request: SentRequest = { at };
		for (const person of people) {
			const own = this.byPerson.get(person);
			if (own === undefined) this.byPerson.set(person, [request]);
			else own.push(request);
		}
		return request;
	}

	/** The requests that have texted somebody, or may have: of those to one campaign, the latest. */
	to(person: string): SentRequest[] {
		const requests = this.byPerson.get(person) ?? [];
		return requests.filter(({ result, id }, index) => {
			const isChanged =
				id !== undefined && requests.some((other, at) => at > index && other.id === id);
			return result?.sent !== 'no' && !isChanged;
		});
	}

	/** Forgets what does not count any more. */
	forget(isOver: (request: SentRequest, person: string) => boolean): void {
		for (const [person, requests] of this.byPerson) {
			const others = requests.filter((each) => !isOver(each, person));
			if (others.length === 0) this.byPerson.delete(person);
			else if (others.length < requests.length) this.byPerson.set(person, others);
		}
	}
}
