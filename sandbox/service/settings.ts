import { IANAZone } from 'luxon';
import type { Authentication } from './authentication.ts';
import type { Database } from './database.ts';
import { problem } from './errors.ts';
import { count, flag, object, text, texts } from './schemas.ts';
import type { TokenSettings } from './tokens.ts';

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
	/** The order of a paged list whose request asks for none. */
	listOrder: 'newestLast' | 'newestFirst' | 'none';
	clientIdPlace: 'query' | 'path' | 'body';
	/** The zone of every "datetime without time zone", of voice campaign dates and times. */
	timeZone: string;
	/** How lists and events write phone numbers: as they came in, without the plus, or as within the country. */
	numberForm: 'asSent' | 'withoutPlus' | 'national';
	/** Which path of one SMS message there is: `/api/SMSMessages:Id`, with a slash before the id, or both. */
	messagePath: 'either' | 'slash' | 'noSlash';
	/** Messages have a field and a status that the interface does not show. */
	undocumented: boolean;
}

/** How webhook events are delivered (interface: not told). */
export interface DeliverySettings {
	/** How often an event is tried again after its first failure. */
	retries: number;
	/** The waits before the retries; the last one repeats. */
	backoffSeconds: number[];
	/** Delivers every event this many times more. */
	duplicates: number;
	/** Delivers the latest waiting event first. */
	reorder: boolean;
	/** Holds everything back until it is false again. */
	paused: boolean;
}

/** All settings of the sandbox. */
export interface Settings {
	/** Refuses unknown fields and parameters. */
	strict: boolean;
	authentication: Authentication;
	tokens: TokenSettings;
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

/** The API key that clients need, unless the settings ask for something else. */
export const apiKey = 'sandbox-key';

const defaults: Settings = {
	strict: true,
	authentication: { headers: { 'X-Api-Key': apiKey } },
	tokens: { expiresInSeconds: 3600, tellsExpiry: true, onePerClient: false },
	conventions: {
		pageIndexName: 'pageIndex',
		pageSizeName: 'pageSize',
		firstPageIndex: 1,
		defaultPageSize: 20,
		maximumPageSize: null,
		ignorePaging: false,
		listOrder: 'newestLast',
		clientIdPlace: 'query',
		timeZone: 'UTC',
		numberForm: 'asSent',
		messagePath: 'either',
		undocumented: false,
	},
	deliveries: {
		retries: 4,
		backoffSeconds: [0.5, 1, 2, 4],
		duplicates: 0,
		reorder: false,
		paused: false,
	},
	voice: { callsPerSecond: 10 },
	nullFieldsForSomeClients: false,
};

/** What the page changes to be another service, and what it changes back. */
export const otherConventions = {
	pageIndexName: 'page',
	pageSizeName: 'limit',
	firstPageIndex: 0,
	listOrder: 'newestFirst',
	numberForm: 'withoutPlus',
	undocumented: true,
} as const satisfies Partial<Conventions>;
const { pageIndexName, pageSizeName, firstPageIndex, listOrder, numberForm, undocumented } =
	defaults.conventions;
export const usualConventions: Partial<Conventions> = {
	pageIndexName,
	pageSizeName,
	firstPageIndex,
	listOrder,
	numberForm,
	undocumented,
};

/** The schema of a change. */
export const settingsSchema = object({
	strict: flag,
	authentication: object({ headers: texts, query: texts, tokenOnly: flag }),
	tokens: object({
		expiresInSeconds: { type: ['number', 'null'], exclusiveMinimum: 0 },
		tellsExpiry: flag,
		onePerClient: flag,
	}),
	conventions: object({
		pageIndexName: text,
		pageSizeName: text,
		firstPageIndex: { enum: [0, 1] },
		defaultPageSize: count(1),
		maximumPageSize: { ...count(1), nullable: true },
		ignorePaging: flag,
		listOrder: { enum: ['newestLast', 'newestFirst', 'none'] },
		clientIdPlace: { enum: ['query', 'path', 'body'] },
		timeZone: text,
		numberForm: { enum: ['asSent', 'withoutPlus', 'national'] },
		messagePath: { enum: ['either', 'slash', 'noSlash'] },
		undocumented: flag,
	}),
	deliveries: object({
		retries: count(0),
		backoffSeconds: { type: 'array', minItems: 1, items: { type: 'number', minimum: 0 } },
		duplicates: count(0),
		reorder: flag,
		paused: flag,
	}),
	voice: object({ callsPerSecond: count(1) }),
	nullFieldsForSomeClients: flag,
});

/** Groups of settings are merged; `authentication` is replaced whole. */
const merged = (base: Settings, change: SettingsChange): Settings => ({
	...base,
	...change,
	tokens: { ...base.tokens, ...change.tokens },
	conventions: { ...base.conventions, ...change.conventions },
	deliveries: { ...base.deliveries, ...change.deliveries },
	voice: { ...base.voice, ...change.voice },
});

/** Holds the settings; a change takes effect immediately and survives a restart. */
export class SettingsStore {
	readonly #database: Database;

	current: Settings;

	constructor(database: Database) {
		this.#database = database;
		this.current = merged(defaults, database.readState<Settings>('settings') ?? {});
	}

	/** Throws a 400 that names what the schema cannot find wrong; nothing changes then. */
	change(change: SettingsChange): Settings {
		const settings = merged(this.current, change);
		const { timeZone, pageIndexName, pageSizeName } = settings.conventions;
		if (!IANAZone.isValidZone(timeZone)) {
			throw problem(400, 'conventions.timeZone is not an IANA time zone');
		}
		if (new Set([pageIndexName, pageSizeName, 'sort']).size < 3) {
			throw problem(400, 'conventions: pageIndexName, pageSizeName and "sort" must differ');
		}
		this.#database.writeState('settings', settings);
		this.current = settings;
		return settings;
	}

	/** Back to the settings that the sandbox was started with. */
	reset(): void {
		this.current = defaults;
	}
}
