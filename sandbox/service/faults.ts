import { Ajv2020 } from 'ajv/dist/2020.js';
import { problem } from './errors.ts';
import type { Operation } from './contract.ts';

/** The kinds of faults, in the order of their explanation at FaultKind. */
export const faultKinds = [
	'status',
	'delay',
	'hang',
	'cut',
	'html',
	'cutAfterAccept',
	'cutBody',
	'brokenJson',
	'emptyBody',
	'unexpectedBody',
] as const;

/**
 * What goes wrong:
 * - before the service does anything: `status` (an error answer), `delay` (then it goes on as usual), `hang` (no
 *   answer ever), `cut` (the connection ends), `html` (a web page with status 200);
 * - after the service has done its work: `cutAfterAccept` (the connection ends without an answer), `cutBody` (it ends
 *   half-way through the answer), `brokenJson` (half an answer, properly ended), `emptyBody`, `unexpectedBody` (`body`
 *   instead of the answer).
 */
export type FaultKind = (typeof faultKinds)[number];

/** A fault as the control API takes it. */
export interface FaultRequest {
	/** All that is given must fit; nothing fits every request. */
	match?: {
		method?: string;
		/** An operation id of openapi.yaml, or a regular expression for the path. */
		path?: string;
		operationId?: string;
	};
	/** How many requests it hits; once by default. */
	times?: number | 'always';
	/** How many fitting requests it lets pass first. */
	skip?: number;
	fault: {
		kind: FaultKind;
		status?: number;
		/** The Retry-After header: seconds, or a date. */
		retryAfter?: string | number;
		headers?: Record<string, string>;
		body?: unknown;
		delayMs?: number;
	};
}

/** A fault that is waiting for requests. */
export interface Fault extends FaultRequest {
	id: number;
	/** How many requests it still hits. */
	left: number | 'always';
	hits: number;
}

const validate = new Ajv2020({ strict: false }).compile({
	type: 'object',
	additionalProperties: false,
	required: ['fault'],
	properties: {
		match: {
			type: 'object',
			additionalProperties: false,
			properties: {
				method: { type: 'string' },
				path: { type: 'string' },
				operationId: { type: 'string' },
			},
		},
		times: { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'always' }] },
		skip: { type: 'integer', minimum: 0 },
		fault: {
			type: 'object',
			additionalProperties: false,
			required: ['kind'],
			properties: {
				kind: { enum: faultKinds },
				status: { type: 'integer', minimum: 200, maximum: 599 },
				retryAfter: { type: ['string', 'number'] },
				headers: { type: 'object', additionalProperties: { type: 'string' } },
				body: {},
				delayMs: { type: 'number', minimum: 0 },
			},
		},
	},
});

const checkPattern = (pattern = ''): void => {
	try {
		new RegExp(pattern);
	} catch {
		throw problem(400, `/match/path is not a regular expression: ${pattern}`);
	}
};

/** Everything that is set to go wrong. */
export class Faults {
	#faults: Fault[] = [];
	#lastId = 0;

	/** Adds a fault; the first that fits a request is applied. */
	add(request: unknown): Fault {
		if (!validate(request)) {
			const [error] = validate.errors ?? [];
			throw problem(400, `${error?.instancePath ?? ''} ${error?.message ?? 'is not valid'}`.trim());
		}
		const wanted = request as unknown as FaultRequest;
		checkPattern(wanted.match?.path);
		this.#lastId += 1;
		const fault: Fault = { id: this.#lastId, ...wanted, left: wanted.times ?? 1, hits: 0 };
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
	take(
		{ operationId, operationIdWithoutBody }: Operation,
		method: string,
		path: string,
	): Fault | undefined {
		const ids = [operationId, operationIdWithoutBody];
		for (const fault of this.#faults) {
			if (fault.left === 0) continue;
			const { match = {} } = fault;
			if (match.method && match.method.toUpperCase() !== method) continue;
			if (match.operationId && !ids.includes(match.operationId)) continue;
			if (match.path && !ids.includes(match.path) && !new RegExp(match.path, 'i').test(path))
				continue;
			if (fault.skip) {
				fault.skip -= 1;
				continue;
			}
			fault.hits += 1;
			if (fault.left !== 'always') fault.left -= 1;
			return fault;
		}
		return undefined;
	}
}
