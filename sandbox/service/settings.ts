import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { IANAZone } from 'luxon';
import { smsCampaignStatus, voiceCampaignStatus } from './campaignStatuses.ts';
import type { Database } from './database.ts';
import { problem } from './errors.ts';
import type { NumberResults } from './magicNumbers.ts';

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
	/** Responds to every page request with the first page. */
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
	/** Lets the clock go on only when every event so far has been tried once. */
	clockWaits: boolean;
}

/** The codes that stand for the statuses of campaigns (interface: "allowed values not shown"). */
export type StatusCodes<Names extends Record<string, number>> = Record<keyof Names, number>;

/** How many records of each kind are kept; the oldest go first, events that are not delivered yet never. */
export interface KeepSettings {
	requests: number;
	deliveries: number;
}

/** A client that the service knows, with what the operator has set up for it. */
export interface Client {
	clientId: number;
	callFlowIds: number[];
	cliIds: number[];
	optOutLinkIds: number[];
	/** Only webhook URLs that start with one of these are taken; any unless given (interface: "Events"). */
	agreedWebhookUrls?: string[];
}

/** All settings of the sandbox. */
export interface Settings {
	/** Refuses unknown fields and parameters. */
	strict: boolean;
	/** Turns a response that does not match openapi.yaml into a 500. */
	validateResponses: boolean;
	authentication: Authentication;
	conventions: Conventions;
	deliveries: DeliverySettings;
	sms: {
		statusDelaySeconds: number;
		/** Accepted and Sent are written and reported too, each at its own moment. */
		intermediateStatuses: boolean;
		campaignStatuses: StatusCodes<typeof smsCampaignStatus>;
		/** The `status` of message records by delivery status code, where they differ (interface: not told). */
		messageStatuses: Record<string, number>;
	};
	voice: { callsPerSecond: number; campaignStatuses: StatusCodes<typeof voiceCampaignStatus> };
	/** Results of calls and messages by number or prefix, before the magic endings. */
	results: NumberResults[];
	/** Time zones of recipients by prefix; the number's country decides otherwise. */
	recipientZones: Record<string, string>;
	keep: KeepSettings;
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

/** Half an hour off the full hour all year, so that a time that is taken for UTC shows. */
export const defaultTimeZone = 'Asia/Kolkata';

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
		timeZone: defaultTimeZone,
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
		clockWaits: false,
	},
	sms: {
		statusDelaySeconds: 0,
		intermediateStatuses: false,
		campaignStatuses: { ...smsCampaignStatus },
		messageStatuses: {},
	},
	voice: { callsPerSecond: 10, campaignStatuses: { ...voiceCampaignStatus } },
	results: [],
	recipientZones: {},
	keep: { requests: 100_000, deliveries: 2_000_000 },
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
const codes = (names: Record<string, number>) =>
	object(
		Object.fromEntries(Object.keys(names).map((name) => [name, { type: 'integer' }])),
		Object.keys(names),
	);
const result = {
	...object({
		number: text,
		prefix: text,
		sms: count(0),
		optsOut: flag,
		calls: {
			type: 'array',
			minItems: 1,
			items: object({ outcome: count(1), stage: count(0) }, ['outcome']),
		},
	}),
	oneOf: [{ required: ['number'] }, { required: ['prefix'] }],
};
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
		clockWaits: flag,
	}),
	sms: object({
		statusDelaySeconds: seconds,
		intermediateStatuses: flag,
		campaignStatuses: codes(smsCampaignStatus),
		messageStatuses: {
			type: 'object',
			propertyNames: { pattern: '^\\d+$' },
			additionalProperties: { type: 'integer' },
		},
	}),
	voice: object({ callsPerSecond: count(1), campaignStatuses: codes(voiceCampaignStatus) }),
	results: { type: 'array', items: result },
	recipientZones: { ...texts, propertyNames: { pattern: '^\\+?\\d+$' } },
	keep: object({ requests: count(1), deliveries: count(1) }),
	clients: {
		type: 'array',
		minItems: 1,
		items: object(
			{
				clientId: { type: 'integer' },
				callFlowIds: ids,
				cliIds: ids,
				optOutLinkIds: ids,
				agreedWebhookUrls: { type: 'array', items: text },
			},
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

/** What is wrong with a time zone, if anything. */
export const zoneProblem = (place: string, zone: string): string | undefined =>
	IANAZone.isValidZone(zone) ? undefined : `${place} is not an IANA time zone`;

const checkZones = ({ conventions, recipientZones = {} }: SettingsChange): void => {
	const zones = Object.entries(recipientZones).map(([prefix, zone]) => [
		`recipientZones.${prefix}`,
		zone,
	]);
	if (conventions?.timeZone) zones.push(['conventions.timeZone', conventions.timeZone]);
	for (const [place = '', zone = ''] of zones) {
		const wrong = zoneProblem(place, zone);
		if (wrong !== undefined) throw problem(400, wrong);
	}
};

/** What is valid by itself but makes requests ambiguous. */
const checkNames = ({ clients, conventions }: Settings): void => {
	const { pageIndexName, pageSizeName, sortName, basePath } = conventions;
	if (new Set([pageIndexName, pageSizeName, sortName]).size < 3) {
		throw problem(400, 'conventions: pageIndexName, pageSizeName and sortName must differ');
	}
	if (/^\/_sandbox(\/|$)/i.test(basePath)) {
		throw problem(400, 'conventions.basePath: /_sandbox is the path of the control API');
	}
	if (new Set(clients.map(({ clientId }) => clientId)).size < clients.length) {
		throw problem(400, 'clients: every clientId must be there once');
	}
};

/** Groups of settings are merged; `authentication` and lists are replaced whole. */
const merged = <Base extends SettingsChange>(base: Base, change: SettingsChange): Base => ({
	...base,
	...change,
	...Object.fromEntries(
		(['conventions', 'deliveries', 'sms', 'voice', 'keep'] as const)
			.filter((group) => base[group] ?? change[group])
			.map((group) => [group, { ...base[group], ...change[group] }]),
	),
});

/** Holds the settings; a change is checked, takes effect immediately and survives a restart. */
export class SettingsStore {
	readonly #initial: Settings;
	readonly #database: Database;
	#changes: SettingsChange;
	#current: Settings;

	/** What an earlier run has changed goes before `initial`. */
	constructor(initial: Settings, database: Database) {
		this.#initial = structuredClone(initial);
		this.#database = database;
		this.#changes = database.readState<SettingsChange>('settings') ?? {};
		this.#current = this.#apply();
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
		checkZones(parts);
		checkNames(merged(this.#current, parts));
		this.#changes = merged(this.#changes, parts);
		this.#database.writeState('settings', this.#changes);
		this.#current = this.#apply();
		return this.#current;
	}

	/** Back to the settings that the sandbox was started with. */
	reset(): void {
		this.#changes = {};
		this.#current = this.#apply();
	}

	#apply(): Settings {
		const settings = structuredClone(merged(this.#initial, this.#changes));
		const { sms, voice } = settings;
		this.#database.transaction(() => {
			this.#database.change('DELETE FROM shownStatuses');
			this.#show('smsCampaign', smsCampaignStatus, sms.campaignStatuses);
			this.#show('voiceCampaign', voiceCampaignStatus, voice.campaignStatuses);
			const codes = Object.keys(sms.messageStatuses).map((code) => [code, Number(code)]);
			this.#show('sms', Object.fromEntries(codes) as Record<string, number>, sms.messageStatuses);
		});
		return settings;
	}

	/** Keeps which code the lists show for a status. */
	#show(kind: string, statuses: Record<string, number>, codes: Record<string, number>): void {
		for (const [name, status] of Object.entries(statuses)) {
			this.#database.run(
				'INSERT INTO shownStatuses (kind, status, shown) VALUES (?, ?, ?)',
				kind,
				status,
				codes[name] ?? status,
			);
		}
	}
}
