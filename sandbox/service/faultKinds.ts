/** What a kind of fault stands for. */
export interface FaultKindDefinition {
	/** Before the service does anything, or after it has done its work, unless the fault says it. */
	when: 'before' | 'after';
	/**
	 * How the service responds:
	 * - `respond`: with the status, headers and body of the fault;
	 * - `pass`: as usual, after the fault's delay;
	 * - `cut`: it closes the connection without a response; `hang`: it never responds;
	 * - `cutHalfway`: it closes the connection halfway through the response; `half`: it sends half of the body and ends
	 *   the response properly.
	 */
	response: 'respond' | 'pass' | 'cut' | 'hang' | 'cutHalfway' | 'half';
	/** The status and body unless the fault gives them; without a status, the service's own. */
	status?: number;
	body?: unknown;
	/** The content type of a text body; without one, a text is sent as JSON. */
	textType?: string;
}

/** The content type of everything that is not plain text or a page. */
export const jsonType = 'application/json; charset=utf-8';

const plainType = 'text/plain; charset=utf-8';
const pageType = 'text/html; charset=utf-8';
const loginPage =
	'<!DOCTYPE html><html><head><title>Sign in</title></head><body><form><h1>Sign in</h1></form></body></html>';

/** Every kind of fault: the one place that defines them. */
export const faultKinds = {
	status: { when: 'before', response: 'respond', status: 500, textType: plainType },
	delay: { when: 'before', response: 'pass' },
	hang: { when: 'before', response: 'hang' },
	cut: { when: 'before', response: 'cut' },
	html: { when: 'before', response: 'respond', status: 200, body: loginPage, textType: pageType },
	cutAfterAccept: { when: 'after', response: 'cut' },
	cutBody: { when: 'after', response: 'cutHalfway', textType: jsonType },
	brokenJson: { when: 'after', response: 'half', textType: jsonType },
	emptyBody: { when: 'after', response: 'respond', body: '', textType: jsonType },
	unexpectedBody: { when: 'after', response: 'respond', body: { unexpected: true } },
} as const satisfies Record<string, FaultKindDefinition>;

/** The name of a kind of fault. */
export type FaultKind = keyof typeof faultKinds;
