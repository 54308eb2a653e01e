import { Clock, localText } from './clock.ts';
import { Contract, type Operation } from './contract.ts';
import { Database } from './database.ts';
import { Deliveries } from './deliveries.ts';
import { Faults } from './faults.ts';
import { RequestLog } from './requestLog.ts';
import { SettingsStore, type Client } from './settings.ts';
import { Tokens } from './tokens.ts';

/** How a sandbox is started. */
export interface ServiceOptions {
	/** A file for the store; without one it lives in memory. */
	database?: string | undefined;
}

/** Everything that the parts of the sandbox share. */
export class Service {
	readonly contract = new Contract();
	readonly faults = new Faults();
	readonly tokens = new Tokens();
	readonly database: Database;
	readonly clock: Clock;
	readonly settings: SettingsStore;
	readonly requests: RequestLog;
	readonly deliveries: Deliveries;
	/** Responses and events that did not match openapi.yaml. */
	readonly violations: string[] = [];
	/** How many requests are being answered, and how many were at most. */
	readonly load = { now: 0, most: 0 };

	constructor({ database }: ServiceOptions) {
		this.database = new Database(database);
		this.clock = new Clock(this.database);
		this.settings = new SettingsStore(this.database);
		this.requests = new RequestLog(this.database);
		this.deliveries = new Deliveries(this);
	}

	/** A moment as a "datetime without time zone" of the service. */
	localText(milliseconds: number): string {
		return localText(milliseconds, this.settings.current.conventions.timeZone);
	}

	/** Forgets all data, faults, settings and the time that the clock was set to. */
	reset(): void {
		this.deliveries.reset();
		this.database.clear();
		this.faults.clear();
		this.tokens.reset();
		this.settings.reset();
		this.clock.reset();
		this.violations.length = 0;
		this.load.most = this.load.now;
	}

	/** Ends timers and connections. */
	stop(): void {
		this.clock.stop();
		this.deliveries.stop();
		this.database.close();
	}
}

/** A validated request to an operation. */
export interface ServiceCall {
	operation: Operation;
	params: Record<string, string | number>;
	query: Record<string, string | number | boolean | null>;
	body: unknown;
	/** The client whose resources the request is about. */
	client: Client;
}

/** What an operation responds with. */
export interface ServiceAnswer {
	status: number;
	body?: unknown;
}

/** Carries out an operation of openapi.yaml. */
export type Handler = (service: Service, call: ServiceCall) => ServiceAnswer;

/** 200 with a JSON body. */
export const ok = (body: unknown): ServiceAnswer => ({ status: 200, body });
