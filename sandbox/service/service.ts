import { Clock, localText, type ClockSetting } from './clock.ts';
import { Contract, type Operation } from './contract.ts';
import { Database } from './database.ts';
import { Deliveries } from './deliveries.ts';
import { type Fault, Faults } from './faults.ts';
import { Identifiers } from './identifiers.ts';
import { RequestLog } from './requestLog.ts';
import { type Client, defaultSettings, type Settings, SettingsStore } from './settings.ts';
import { Simulation, type TimedWork } from './simulation.ts';

/** How a sandbox is started. */
export interface ServiceOptions {
	/** A file for the store; without one it lives in memory. */
	database?: string | undefined;
	apiKey?: string | undefined;
	/** Turns a response that does not match openapi.yaml into a 500. */
	validateResponses?: boolean | undefined;
	/** The zone of times without a zone, unless the settings change it. */
	timeZone?: string | undefined;
	/** Makes identifiers the same in every run; random without it. */
	seed?: string | undefined;
}

/** Everything that the parts of the sandbox share. */
export class Service {
	readonly contract = new Contract();
	readonly faults: Faults;
	readonly database: Database;
	readonly clock: Clock;
	readonly settings: SettingsStore;
	readonly identifiers: Identifiers;
	readonly requests: RequestLog;
	readonly deliveries: Deliveries;
	readonly simulation: Simulation;
	/** Responses and events that did not match openapi.yaml. */
	readonly violations: string[] = [];
	/** How many requests are being answered, and how many were at most. */
	readonly load = { now: 0, most: 0 };
	/** Counts resets, so that work in progress can tell that its data is gone. */
	epoch = 0;

	/** `worksOf` makes what the simulation carries out as time passes. */
	constructor(options: ServiceOptions, worksOf: (service: Service) => TimedWork[]) {
		this.database = new Database(options.database);
		this.clock = new Clock(this.database.readState<ClockSetting>('clock'), (setting) =>
			this.database.writeState('clock', setting),
		);
		this.settings = new SettingsStore(this.#initialSettings(options), this.database);
		this.faults = new Faults(this.contract, (faults) => this.database.writeState('faults', faults));
		this.faults.restore(this.database.readState<Fault[]>('faults') ?? []);
		this.identifiers = new Identifiers(this.database, options.seed);
		this.requests = new RequestLog(this.database, this.settings);
		this.deliveries = new Deliveries(this, (kind, event) => {
			if (!this.settings.current.validateResponses) return;
			const mismatch = this.contract.eventMismatch(kind, event);
			if (mismatch) this.violations.push(mismatch);
		});
		this.simulation = new Simulation(this.clock, worksOf(this), () =>
			this.settings.current.deliveries.clockWaits ? this.deliveries.tried() : undefined,
		);
	}

	/** A moment as a "datetime without time zone" of the service. */
	localText(milliseconds: number): string {
		return localText(milliseconds, this.settings.current.conventions.timeZone);
	}

	/** Forgets all data, faults, settings and the time that the clock was set to. */
	reset(): void {
		this.epoch += 1;
		this.deliveries.reset();
		this.database.clear();
		this.identifiers.restart();
		this.faults.clear();
		this.settings.reset();
		this.clock.reset();
		this.violations.length = 0;
		this.load.most = this.load.now;
	}

	/** Ends timers and connections. */
	stop(): void {
		this.simulation.stop();
		this.deliveries.stop();
		this.database.close();
	}

	#initialSettings({ apiKey, validateResponses = false, timeZone }: ServiceOptions): Settings {
		const settings = { ...defaultSettings(apiKey), validateResponses };
		if (timeZone === undefined) return settings;
		return { ...settings, conventions: { ...settings.conventions, timeZone } };
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
export type Handler = (
	service: Service,
	call: ServiceCall,
) => ServiceAnswer | Promise<ServiceAnswer>;

/** 200 with a JSON body. */
export const ok = (body: unknown): ServiceAnswer => ({ status: 200, body });
