import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { IANAZone } from 'luxon';
import { problem } from './errors.ts';

/** How a client must prove who it is (interface: "Authentication" is not told; the sandbox can be any of these). */
export type Authentication =
	| { kind: 'none' }
	| { kind: 'basic'; username: string; password: string }
	| { kind: 'bearer'; token: string }
	| { kind: 'header'; name: string; value: string }
	| { kind: 'query'; name: string; value: string }
	| {
			kind: 'custom';
			headers?: Record<string, string>;
			query?: Record<string, string>;
			body?: Record<string, string>;
	  };

/** What the interface leaves open about lists, client identifiers and times. */
export interface Conventions {
	pageIndexName: string;
	pageSizeName: string;
	sortName: string;
	/** The name of a filter parameter; `{field}` stands for the field. */
	filterName: string;
	firstPageIndex: 0 | 1;
	defaultPageSize: number;
	/** Larger pages are cut to this size in silence; null for no such cap. */
	maximumPageSize: number | null;
	/** Answers every page request with the first page. */
	ignorePaging: boolean;
	/** Lists the newest record first, unless sorted. */
	newestFirst: boolean;
	clientIdPlace: 'query' | 'path' | 'body';
	/** The zone of every "datetime without time zone", of voice campaign dates and times. */
	timeZone: string;
	/** A path before `/api`, for example `/gateway`. */
	basePath: string;
}

/** How webhook events are delivered (interface: not told). */
export interface DeliverySettings {
	concurrency: number;
	/** How often an event is tried again after its first failure. */
	retries: number;
	/** The waits before the retries; the last one repeats. */
	backoffSeconds: number[];
	timeoutSeconds: number;
	/** Waits this long (in real time) before an event's first try. */
	delayMs: number;
	/** Delivers every event this many times more. */
	duplicates: number;
	/** Delivers waiting events in groups of this size, each group backwards; 0 keeps the order. */
	reorder: number;
	/** Holds everything back until it is false again. */
	paused: boolean;
}

/** A client that the service knows, with what the operator has set up for it. */
export interface Client {
	clientId: number;
	callFlowIds: number[];
	cliIds: number[];
	optOutLinkIds: number[];
}

/** All settings of the sandbox. */
export interface Settings {
	/** Refuses unknown fields and parameters. */
	strict: boolean;
	/** Turns an answer that does not match openapi.yaml into a 500. */
	validateResponses: boolean;
	authentication: Authentication;
	conventions: Conventions;
	deliveries: DeliverySettings;
	sms: { statusDelaySeconds: number; intermediateStatuses: boolean };
	voice: { callsPerSecond: number };
	/** The first one is the client of every request that carries no client identifier. */
	clients: Client[];
	/** `senderNumber` and `message` of SMS records are null (interface: "null for some clients"). */
	nullFieldsForSomeClients: boolean;
}

/** What a change of the settings may hold: any part of them. */
export type SettingsChange = {
	[Key in keyof Settings]?: Settings[Key] extends unknown[] | boolean
		? Settings[Key]
		: Key extends 'authentication'
			? Settings[Key]
			: Partial<Settings[Key]>;
};

/** The default API key. */
export const defaultApiKey = 'sandbox-key';

/** The settings that a sandbox starts with. */
export const defaultSettings = (apiKey = defaultApiKey): Settings => ({
	strict: true,
	validateResponses: false,
	authentication: { kind: 'header', name: 'X-Api-Key', value: apiKey },
	conventions: {
		pageIndexName: 'pageIndex',
		pageSizeName: 'pageSize',
		sortName: 'sort',
		filterName: '{field}',
		firstPageIndex: 1,
		defaultPageSize: 20,
		maximumPageSize: null,
		ignorePaging: false,
		newestFirst: false,
		clientIdPlace: 'query',
		timeZone: 'UTC',
		basePath: '',
	},
	deliveries: {
		concurrency: 5,
		retries: 4,
		backoffSeconds: [0.5, 1, 2, 4],
		timeoutSeconds: 30,
		delayMs: 0,
		duplicates: 0,
		reorder: 0,
		paused: false,
	},
	sms: { statusDelaySeconds: 0, intermediateStatuses: false },
	voice: { callsPerSecond: 10 },
	clients: [
		{ clientId: 1001, callFlowIds: [301, 302], cliIds: [401, 402], optOutLinkIds: [501, 502] },
		{ clientId: 1002, callFlowIds: [303], cliIds: [403], optOutLinkIds: [503] },
	],
	nullFieldsForSomeClients: false,
});

const object = (properties: Record<string, unknown>, required: string[] = []) => ({
	type: 'object',
	additionalProperties: false,
	properties,
	required,
});
const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const count = (minimum: number) => ({ type: 'integer', minimum });
const seconds = { type: 'number', minimum: 0 };
const texts = { type: 'object', additionalProperties: { type: 'string' } };
const ids = { type: 'array', items: { type: 'integer' } };
const kind = (name: string, properties: Record<string, unknown>, required: string[]) =>
	object({ kind: { const: name }, ...properties }, ['kind', ...required]);

const schema = object({
	strict: flag,
	validateResponses: flag,
	authentication: {
		type: 'object',
		required: ['kind'],
		discriminator: { propertyName: 'kind' },
		oneOf: [
			kind('none', {}, []),
			kind('basic', { username: text, password: text }, ['username', 'password']),
			kind('bearer', { token: text }, ['token']),
			kind('header', { name: text, value: text }, ['name', 'value']),
			kind('query', { name: text, value: text }, ['name', 'value']),
			kind('custom', { headers: texts, query: texts, body: texts }, []),
		],
	},
	conventions: object({
		pageIndexName: text,
		pageSizeName: text,
		sortName: text,
		filterName: { type: 'string', pattern: '\\{field\\}' },
		firstPageIndex: { enum: [0, 1] },
		defaultPageSize: count(1),
		maximumPageSize: { type: ['integer', 'null'], minimum: 1 },
		ignorePaging: flag,
		newestFirst: flag,
		clientIdPlace: { enum: ['query', 'path', 'body'] },
		timeZone: text,
		basePath: { type: 'string', pattern: '^(/[^/]+)*$' },
	}),
	deliveries: object({
		concurrency: count(1),
		retries: count(0),
		backoffSeconds: { type: 'array', minItems: 1, items: seconds },
		timeoutSeconds: { type: 'number', exclusiveMinimum: 0 },
		delayMs: count(0),
		duplicates: count(0),
		reorder: count(0),
		paused: flag,
	}),
	sms: object({ statusDelaySeconds: seconds, intermediateStatuses: flag }),
	voice: object({ callsPerSecond: count(1) }),
	clients: {
		type: 'array',
		minItems: 1,
		items: object(
			{ clientId: { type: 'integer' }, callFlowIds: ids, cliIds: ids, optOutLinkIds: ids },
			['clientId', 'callFlowIds', 'cliIds', 'optOutLinkIds'],
		),
	},
	nullFieldsForSomeClients: flag,
});

const validate = new Ajv2020({ allErrors: true, discriminator: true, strict: false }).compile(
	schema,
);

const describe = ({ instancePath, message, params }: ErrorObject): string => {
	const { additionalProperty } = params as { additionalProperty?: string };
	const place = instancePath.slice(1).replaceAll('/', '.') || 'settings';
	return `${place} ${message ?? 'is not valid'}${additionalProperty ? ` (${additionalProperty})` : ''}`;
};

/** Holds the settings; a change is checked and takes effect at once. */
export class SettingsStore {
	readonly #initial: Settings;
	#current: Settings;

	constructor(initial: Settings) {
		this.#initial = structuredClone(initial);
		this.#current = structuredClone(initial);
	}

	get current(): Settings {
		return this.#current;
	}

	/** The client of requests that carry no client identifier. */
	get defaultClient(): Client {
		const [client] = this.#current.clients;
		if (!client) throw new Error('The settings hold no client');
		return client;
	}

	client(clientId: number): Client | undefined {
		return this.#current.clients.find((client) => client.clientId === clientId);
	}

	/** Groups of settings are merged; `authentication` and lists are replaced whole. */
	change(change: unknown): Settings {
		if (!validate(change)) {
			throw problem(400, (validate.errors ?? []).map(describe).join('; '));
		}
		const parts = change as SettingsChange;
		if (parts.conventions?.timeZone && !IANAZone.isValidZone(parts.conventions.timeZone)) {
			throw problem(400, 'conventions.timeZone is not an IANA time zone');
		}
		const { current } = this;
		this.#current = structuredClone({
			...current,
			...parts,
			conventions: { ...current.conventions, ...parts.conventions },
			deliveries: { ...current.deliveries, ...parts.deliveries },
			sms: { ...current.sms, ...parts.sms },
			voice: { ...current.voice, ...parts.voice },
		});
		return this.#current;
	}

	/** Back to the settings that the sandbox was started with. */
	reset(): void {
		this.#current = structuredClone(this.#initial);
	}
}
