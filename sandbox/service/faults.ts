import type { Operation } from './contract.ts';
import { problem } from './errors.ts';
import { count, object, text } from './schemas.ts';

/** What a kind of fault stands for. */
export interface FaultKindDefinition {
	/** Before the service does anything, or after it has done its work, unless the fault says it. */
	when: 'before' | 'after';
	/**
	 * How the service responds:
	 * - `respond`: with the status and body of the fault;
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

/** What goes wrong. */
export interface FaultEffect {
	kind: keyof typeof faultKinds;
	/** Before or after the service does its work; the kind's own unless given. */
	when?: 'before' | 'after';
	status?: number;
	/** The Retry-After header: seconds, or a date. */
	retryAfter?: string | number;
	/** JSON, or a string that is sent as it is. */
	body?: unknown;
	/** Waits this long before the response. */
	delayMs?: number;
}

/** A fault as the control API takes it. */
export interface FaultRequest {
	/** All that is given must match; nothing matches every request. The path is a regular expression. */
	match?: { method?: string; path?: string; operationId?: string };
	/** How many requests it hits; 1 by default. */
	times?: number | 'always';
	/** How many matching requests it lets pass first. */
	skip?: number;
	/** Hits every so manyth matching request. */
	every?: number;
	fault: FaultEffect;
}

/** The schema of such a fault. */
export const faultSchema = object(
	{
		match: object({ method: text, path: text, operationId: text }),
		times: { anyOf: [count(1), { const: 'always' }] },
		skip: count(0),
		every: count(1),
		fault: object(
			{
				kind: { enum: Object.keys(faultKinds) },
				when: { enum: ['before', 'after'] },
				status: { type: 'integer', minimum: 200, maximum: 599 },
				retryAfter: { type: ['string', 'number'] },
				body: {},
				delayMs: { type: 'number', minimum: 0 },
			},
			['kind'],
		),
	},
	['fault'],
);

/** A fault that is waiting for requests. */
export interface Fault extends FaultRequest {
	id: number;
	/** How many requests it still hits. */
	left: number | 'always';
	hits: number;
	/** How many requests it has matched. */
	seen: number;
}

/** What a fault can name an operation by. */
type OperationIds = Pick<Operation, 'operationId' | 'operationIdWithoutBody'>;

/** Everything that is set to go wrong. */
export class Faults {
	#faults: Fault[] = [];

	/** Adds a fault; the first that matches a request is applied. Throws a 400 for a pattern that is none. */
	add(request: FaultRequest): Fault {
		const { match: { path = '' } = {}, times = 1 } = request;
		try {
			new RegExp(path);
		} catch {
			throw problem(400, `match.path is not a regular expression: ${path}`);
		}
		const id = (this.#faults.at(-1)?.id ?? 0) + 1;
		const fault: Fault = { id, ...request, left: times, hits: 0, seen: 0 };
		this.#faults.push(fault);
		return fault;
	}

	list(): Fault[] {
		return this.#faults;
	}

	/** Removes all faults, or one. */
	clear(id?: number): void {
		this.#faults = id === undefined ? [] : this.#faults.filter((fault) => fault.id !== id);
	}

	/** The fault that hits this request, if any; counts it. */
	take(operation: OperationIds, method: string, path: string): FaultEffect | undefined {
		const matching = this.#faults.filter(
			(fault) => fault.left !== 0 && isMatch(fault, operation, method, path),
		);
		return matching.find(hit)?.fault;
	}
}

const isMatch = (
	{ match = {} }: Fault,
	{ operationId, operationIdWithoutBody }: OperationIds,
	method: string,
	path: string,
): boolean => {
	const ids = [operationId, operationIdWithoutBody];
	if (match.method && match.method.toUpperCase() !== method) return false;
	if (match.operationId && !ids.includes(match.operationId)) return false;
	return !match.path || new RegExp(match.path, 'i').test(path);
};

/** Counts a matching request; whether the fault hits it. */
const hit = (fault: Fault): boolean => {
	const { skip = 0, every = 1 } = fault;
	fault.seen += 1;
	if (fault.seen <= skip || (fault.seen - skip) % every !== 0) return false;
	fault.hits += 1;
	if (fault.left !== 'always') fault.left -= 1;
	return true;
};
