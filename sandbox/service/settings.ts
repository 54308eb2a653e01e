import { Ajv2020 } from 'ajv/dist/2020.js';
import { IANAZone } from 'luxon';
import type { Database } from './database.ts';
import { problem } from './errors.ts';
import { object, schemaProblem, text } from './schemas.ts';

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
	firstPageIndex: 0 | 1;
	defaultPageSize: number;
	/** Larger pages are cut to this size in silence; null for no such cap. */
	maximumPageSize: number | null;
	/** Responds to every page request with the first page. */
	ignorePaging: boolean;
	/** Lists the newest record first, unless sorted. */
	newestFirst: boolean;
	clientIdPlace: 'query' | 'path' | 'body';
	/** The zone of every "datetime without time zone", of voice campaign dates and times. */
	timeZone: string;
}

/** How webhook events are delivered (interface: not told). */
export interface DeliverySettings {
	/** How often an event is tried again after its first failure. */
	retries: number;
	/** The waits before the retries; the last one repeats. */
	backoffSeconds: number[];
	/** Delivers every event this many times more. */
	duplicates: number;
	/** Delivers waiting events in groups of this size, each group backwards; 0 keeps the order. */
	reorder: number;
	/** Holds everything back until it is false again. */
	paused: boolean;
}

/** All settings of the sandbox. */
export interface Settings {
	/** Refuses unknown fields and parameters. */
	strict: boolean;
	authentication: Authentication;
	conventions: Conventions;
	deliveries: DeliverySettings;
	voice: { callsPerSecond: number };
	/** `senderNumber` and `message` of SMS records are null (interface: "null for some clients"). */
	nullFieldsForSomeClients: boolean;
}

/** What a change of the settings may hold: any part of them. */
export type SettingsChange = {
	[Key in keyof Settings]?: Key extends 'authentication' ? Settings[Key] : Partial<Settings[Key]>;
};

/** A client that the service knows, with what the operator has set up for it. */
export interface Client {
	clientId: number;
	callFlowIds: number[];
	cliIds: number[];
	optOutLinkIds: number[];
}

/** The client of every request that carries no client identifier. */
export const defaultClient: Client = {
	clientId: 1001,
	callFlowIds: [301, 302],
	cliIds: [401, 402],
	optOutLinkIds: [501, 502],
};

/** All clients that the service knows. */
export const clients: Client[] = [
	defaultClient,
	{ clientId: 1002, callFlowIds: [303], cliIds: [403], optOutLinkIds: [503] },
];

/** The default API key. */
export const defaultApiKey = 'sandbox-key';

/** Half an hour off the full hour all year, so that a time that is taken for UTC shows. */
export const defaultTimeZone = 'Asia/Kolkata';

const defaults: Settings = {
	strict: true,
	authentication: { kind: 'header', name: 'X-Api-Key', value: defaultApiKey },
	conventions: {
		pageIndexName: 'pageIndex',
		pageSizeName: 'pageSize',
		firstPageIndex: 1,
		defaultPageSize: 20,
		maximumPageSize: null,
		ignorePaging: false,
		newestFirst: false,
		clientIdPlace: 'query',
		timeZone: defaultTimeZone,
	},
	deliveries: {
		retries: 4,
		backoffSeconds: [0.5, 1, 2, 4],
		duplicates: 0,
		reorder: 0,
		paused: false,
	},
	voice: { callsPerSecond: 10 },
	nullFieldsForSomeClients: false,
};

const flag = { type: 'boolean' };
const count = (minimum: number) => ({ type: 'integer', minimum });
const seconds = { type: 'number', minimum: 0 };
const texts = { type: 'object', additionalProperties: { type: 'string' } };
const kind = (name: string, properties: Record<string, unknown>, required: string[]) =>
	object({ kind: { const: name }, ...properties }, ['kind', ...required]);

const validate = new Ajv2020({ allErrors: true, discriminator: true, strict: false }).compile(
	object({
		strict: flag,
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
			firstPageIndex: { enum: [0, 1] },
			defaultPageSize: count(1),
			maximumPageSize: { type: ['integer', 'null'], minimum: 1 },
			ignorePaging: flag,
			newestFirst: flag,
			clientIdPlace: { enum: ['query', 'path', 'body'] },
			timeZone: text,
		}),
		deliveries: object({
			retries: count(0),
			backoffSeconds: { type: 'array', minItems: 1, items: seconds },
			duplicates: count(0),
			reorder: count(0),
			paused: flag,
		}),
		voice: object({ callsPerSecond: count(1) }),
		nullFieldsForSomeClients: flag,
	}),
);

/** Throws a 400 if a time zone does not exist. */
export const checkZone = (place: string, zone: string): void => {
	if (!IANAZone.isValidZone(zone)) throw problem(400, `${place} is not an IANA time zone`);
};

/** Groups of settings are merged; `authentication` is replaced whole. */
const merged = <Base extends SettingsChange>(base: Base, change: SettingsChange): Base => ({
	...base,
	...change,
	...Object.fromEntries(
		(['conventions', 'deliveries', 'voice'] as const)
			.filter((group) => base[group] ?? change[group])
			.map((group) => [group, { ...base[group], ...change[group] }]),
	),
});

/** Holds the settings; a change is checked, takes effect immediately and survives a restart. */
export class SettingsStore {
	readonly #initial: Settings;
	readonly #database: Database;
	#changes: SettingsChange;

	/** What an earlier run has changed goes before `options`. */
	constructor(options: SettingsChange, database: Database) {
		this.#initial = merged(defaults, options);
		this.#database = database;
		this.#changes = database.readState<SettingsChange>('settings') ?? {};
		this.current = merged(this.#initial, this.#changes);
	}

	current: Settings;

	/** Throws a 400 that names what is wrong; nothing changes then. */
	change(change: unknown): Settings {
		if (!validate(change)) throw problem(400, schemaProblem(validate.errors, 'settings'));
		const parts = change as SettingsChange;
		if (parts.conventions?.timeZone !== undefined) {
			checkZone('conventions.timeZone', parts.conventions.timeZone);
		}
		const { pageIndexName, pageSizeName } = merged(this.current, parts).conventions;
		if (new Set([pageIndexName, pageSizeName, 'sort']).size < 3) {
			throw problem(400, 'conventions: pageIndexName, pageSizeName and "sort" must differ');
		}
		this.#changes = merged(this.#changes, parts);
		this.#database.writeState('settings', this.#changes);
		this.current = merged(this.#initial, this.#changes);
		return this.current;
	}

	/** Back to the settings that the sandbox was started with. */
	reset(): void {
		this.#changes = {};
		this.current = this.#initial;
	}
}
