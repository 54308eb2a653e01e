import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Operation } from './contract.ts';
import { problem } from './errors.ts';
import { faultKinds, type FaultKind } from './faultKinds.ts';
import { object, schemaProblem, whole } from './schemas.ts';

/** What goes wrong. */
export interface FaultEffect {
	kind: FaultKind;
	/** Before or after the service does its work; the kind's own unless given. */
	when?: 'before' | 'after';
	status?: number;
	/** The Retry-After header: seconds, or a date. */
	retryAfter?: string | number;
	headers?: Record<string, string>;
	/** JSON, or a string that is sent as it is. */
	body?: unknown;
	/** Waits this long before the response. */
	delayMs?: number;
}

/** A fault as the control API takes it. */
export interface FaultRequest {
	/** All that is given must match; nothing matches every request. */
	match?: {
		method?: string;
		/** A regular expression for the path. */
		path?: string;
		operationId?: string;
	};
	/** How many requests it hits; 1 by default. */
	times?: number | 'always';
	/** How many matching requests it lets pass first. */
	skip?: number;
	/** Hits every so manyth matching request. */
	every?: number;
	fault: FaultEffect;
}

/** A fault that is waiting for requests. */
export interface Fault extends FaultRequest {
	id: number;
	/** How many requests it still hits. */
	left: number | 'always';
	hits: number;
	/** How many matching requests it has let pass or hit since `skip` was used up. */
	seen: number;
}

const positive = { type: 'integer', minimum: 1 };

const string = { type: 'string' };

const validate = new Ajv2020({ strict: false, allErrors: true }).compile(
	object(
		{
			match: object({ method: string, path: string, operationId: string }),
			times: { anyOf: [positive, { const: 'always' }] },
			skip: whole,
			every: positive,
			fault: object(
				{
					kind: { enum: Object.keys(faultKinds) },
					when: { enum: ['before', 'after'] },
					status: { type: 'integer', minimum: 200, maximum: 599 },
					retryAfter: { type: ['string', 'number'] },
					headers: { type: 'object', additionalProperties: string },
					body: {},
					delayMs: { type: 'number', minimum: 0 },
				},
				['kind'],
			),
		},
		['fault'],
	),
);

/** Throws a 400 for a pattern that is none. */
const checkPattern = (pattern: string): void => {
	try {
		new RegExp(pattern);
	} catch {
		throw problem(400, `match.path is not a regular expression: ${pattern}`);
	}
};

/** Everything that is set to go wrong. */
export class Faults {
	#faults: Fault[] = [];

	/** Adds a fault; the first that matches a request is applied. Throws a 400 that names what is wrong. */
	add(request: unknown): Fault {
		if (!validate(request)) throw problem(400, schemaProblem(validate.errors, 'fault'));
		const wanted = request as unknown as FaultRequest;
		checkPattern(wanted.match?.path ?? '');
		const id = Math.max(0, ...this.#faults.map((fault) => fault.id)) + 1;
		const fault: Fault = { id, ...wanted, left: wanted.times ?? 1, hits: 0, seen: 0 };
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
	take(operation: Operation, method: string, path: string): FaultEffect | undefined {
		for (const fault of this.#faults) {
			if (fault.left === 0 || !isMatch(fault, operation, method, path)) continue;
			if (hit(fault)) return fault.fault;
		}
		return undefined;
	}
}

const isMatch = (
	{ match = {} }: Fault,
	{ operationId, operationIdWithoutBody }: Operation,
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
	if (fault.skip) {
		fault.skip -= 1;
		return false;
	}
	fault.seen += 1;
	if (fault.every && fault.seen % fault.every !== 0) return false;
	fault.hits += 1;
	if (fault.left !== 'always') fault.left -= 1;
	return true;
};
