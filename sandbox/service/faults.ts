import { validateHeaderName, validateHeaderValue } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Contract, Operation } from './contract.ts';
import { problem } from './errors.ts';
import { faultKind, faultKinds, type FaultKind, type FaultTime } from './faultKinds.ts';
import { schemaProblem } from './schemaProblem.ts';

/** What goes wrong. */
export interface FaultEffect {
	kind: FaultKind;
	/** Before or after the service does its work; the kind's own unless given. */
	when?: FaultTime;
	status?: number;
	/** The Retry-After header: seconds, or a date. */
	retryAfter?: string | number;
	headers?: Record<string, string>;
	/** JSON, or a string that is sent as it is. */
	body?: unknown;
	/** Waits this long before the response. */
	delayMs?: number;
	/** The pieces of `drip`, in bytes, and the time between them. */
	chunkBytes?: number;
	intervalMs?: number;
}

/** A rate limit: more requests than that within the time are hit, until the time is over. */
export interface RateLimit {
	requests: number;
	seconds: number;
}

/** A fault as the control API takes it. */
export interface FaultRequest {
	/** All that is given must match; nothing matches every request. */
	match?: {
		method?: string;
		/** An operation id of openapi.yaml, or a regular expression for the path. */
		path?: string;
		operationId?: string;
	};
	/** How many requests it hits; 1 by default, always with `limit`. */
	times?: number | 'always';
	/** How many matching requests it lets pass first. */
	skip?: number;
	/** Hits every so manyth matching request. */
	every?: number;
	limit?: RateLimit;
	/** May be left out with `limit`: 429 with Retry-After. */
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
	/** The current window of `limit`: when it started (milliseconds since 1970), and its requests. */
	window?: { startedAt: number; requests: number };
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const positive = { type: 'integer', minimum: 1 };

const validate = new Ajv2020({ strict: false, allErrors: true }).compile({
	type: 'object',
	additionalProperties: false,
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
		times: { anyOf: [positive, { const: 'always' }] },
		skip: { type: 'integer', minimum: 0 },
		every: positive,
		limit: {
			type: 'object',
			additionalProperties: false,
			required: ['requests', 'seconds'],
			properties: {
				requests: { type: 'integer', minimum: 0 },
				seconds: { type: 'number', exclusiveMinimum: 0 },
			},
		},
		fault: {
			type: 'object',
			additionalProperties: false,
			required: ['kind'],
			properties: {
				kind: { enum: Object.keys(faultKinds) },
				when: { enum: ['before', 'after'] },
				status: { type: 'integer', minimum: 200, maximum: 599 },
				retryAfter: { type: ['string', 'number'] },
				headers: { type: 'object', additionalProperties: { type: 'string' } },
				body: {},
				delayMs: { type: 'number', minimum: 0 },
				chunkBytes: positive,
				intervalMs: { type: 'number', minimum: 0 },
			},
		},
	},
});

const isPattern = (pattern: string): boolean => {
	try {
		new RegExp(pattern);
		return true;
	} catch {
		return false;
	}
};

/** Throws a 400 for what could not be sent or would have no effect. */
const checkEffect = ({ kind, headers = {}, chunkBytes, intervalMs }: FaultEffect): void => {
	for (const [name, value] of Object.entries(headers)) {
		try {
			validateHeaderName(name);
			validateHeaderValue(name, value);
		} catch {
			throw problem(400, `fault.headers: '${name}' is not a valid header.`);
		}
	}
	if (kind !== 'drip' && (chunkBytes ?? intervalMs) !== undefined) {
		throw problem(400, `fault.chunkBytes and fault.intervalMs work only with drip, not ${kind}.`);
	}
};

/** Everything that is set to go wrong. */
export class Faults {
	readonly #contract: Contract;
	/** Called after every change, so that the faults can be kept over a restart. */
	readonly #changed: (faults: Fault[]) => void;
	#faults: Fault[] = [];
	#lastId = 0;

	constructor(contract: Contract, changed: (faults: Fault[]) => void = () => undefined) {
		this.#contract = contract;
		this.#changed = changed;
	}

	/** Adds a fault; the first that matches a request is applied. Throws a 400 that names what is wrong. */
	add(request: unknown): Fault {
		if (!validate(request)) throw problem(400, schemaProblem(validate.errors, 'fault'));
		const { fault: given, ...wanted } = request as Partial<FaultRequest>;
		if (!given && !wanted.limit) throw problem(400, "A fault needs 'fault' or 'limit'.");
		const effect: FaultEffect = given ?? { kind: 'status', status: 429 };
		this.#checkMatch(wanted.match);
		checkEffect(effect);
		this.#lastId += 1;
		const { times = wanted.limit ? 'always' : 1 } = wanted;
		const fault: Fault = {
			id: this.#lastId,
			...wanted,
			fault: effect,
			left: times,
			hits: 0,
			seen: 0,
		};
		this.#faults.push(fault);
		this.#changed(this.#faults);
		return fault;
	}

	list(): Fault[] {
		return this.#faults;
	}

	/** Takes over the faults of an earlier run. */
	restore(faults: Fault[]): void {
		this.#faults = faults;
		this.#lastId = Math.max(0, ...faults.map(({ id }) => id));
	}

	/** Removes all faults, or one; whether there was any. */
	clear(id?: number): boolean {
		const kept = id === undefined ? [] : this.#faults.filter((fault) => fault.id !== id);
		const isChanged = kept.length < this.#faults.length;
		this.#faults = kept;
		this.#changed(kept);
		return isChanged;
	}

	/** The fault that hits this request, if any; counts it. */
	take(operation: Operation, method: string, path: string): FaultEffect | undefined {
		for (const fault of this.#faults) {
			if (fault.left === 0 || !isMatch(fault, operation, method, path)) continue;
			const effect = hit(fault);
			this.#changed(this.#faults);
			if (effect) return effect;
		}
		return undefined;
	}

	#checkMatch({ method, operationId, path }: NonNullable<FaultRequest['match']> = {}): void {
		const { operations } = this.#contract;
		const ids = this.#contract.operationIds;
		if (method !== undefined && !methods.includes(method.toUpperCase())) {
			throw problem(400, `match.method must be one of: ${methods.join(', ')}, not '${method}'.`);
		}
		if (operationId !== undefined)
			this.#contract.checkOperationId(operationId, 'match.operationId');
		if (path === undefined || ids.includes(path)) return;
		if (!isPattern(path)) {
			throw problem(400, `match.path is not a regular expression: ${path}`);
		}
		const isPart = operations.some((one) => one.path.toLowerCase().includes(path.toLowerCase()));
		if (/^[a-z]\w*$/i.test(path) && !isPart) {
			throw problem(400, `match.path: '${path}' is neither an operation nor a part of a path.`);
		}
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
	return !match.path || ids.includes(match.path) || new RegExp(match.path, 'i').test(path);
};

/** Counts a matching request; what goes wrong with it, if it is one that the fault hits. */
const hit = (fault: Fault): FaultEffect | undefined => {
	if (fault.skip) {
		fault.skip -= 1;
		return undefined;
	}
	fault.seen += 1;
	if (fault.every && fault.seen % fault.every !== 0) return undefined;
	const wait = fault.limit ? secondsToWait(fault, fault.limit) : undefined;
	if (wait === 0) return undefined;
	fault.hits += 1;
	if (fault.left !== 'always') fault.left -= 1;
	return wait === undefined ? fault.fault : { retryAfter: wait, ...fault.fault };
};

/** How many whole seconds a request above the limit has to wait; 0 if it is within the limit. */
const secondsToWait = (fault: Fault, { requests, seconds }: RateLimit): number => {
	const now = Date.now();
	const end = fault.window ? fault.window.startedAt + seconds * 1000 : 0;
	if (!fault.window || now >= end) fault.window = { startedAt: now, requests: 0 };
	fault.window.requests += 1;
	if (fault.window.requests <= requests) return 0;
	return Math.max(1, Math.ceil((fault.window.startedAt + seconds * 1000 - now) / 1000));
};

/** A fault's time and the definition of its kind. */
export const effectOf = ({ kind, when }: FaultEffect) => {
	const definition = faultKind(kind);
	return { ...definition, when: when ?? definition.when };
};
