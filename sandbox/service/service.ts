import { Clock, localText } from './clock.ts';
import { Contract, type Operation } from './contract.ts';
import { Database } from './database.ts';
import { Deliveries } from './deliveries.ts';
import { Faults } from './faults.ts';
import { RequestLog } from './requestLog.ts';
import { type Client, defaultSettings, SettingsStore } from './settings.ts';
import { Simulation } from './simulation.ts';
import { SmsWork } from './smsSimulation.ts';
import { VoiceWork } from './voiceSimulation.ts';

/** How a sandbox is started. */
export interface ServiceOptions {
	/** A file for the store; without one it lives in memory. */
	database?: string | undefined;
	apiKey?: string | undefined;
	/** Turns an answer that does not match openapi.yaml into a 500. */
	validateResponses?: boolean | undefined;
}

/** Everything that the parts of the sandbox share. */
export class Service {
	readonly contract = new Contract();
	readonly clock = new Clock();
	readonly faults = new Faults(this.contract);
	readonly database: Database;
	readonly settings: SettingsStore;
	readonly requests: RequestLog;
	readonly deliveries: Deliveries;
	readonly simulation: Simulation;
	/** Answers and events that did not match openapi.yaml. */
	readonly violations: string[] = [];
	/** How many requests are being answered, and how many were at most. */
	readonly load = { now: 0, most: 0 };

	constructor({ database, apiKey, validateResponses = false }: ServiceOptions = {}) {
		this.database = new Database(database);
		this.settings = new SettingsStore({ ...defaultSettings(apiKey), validateResponses });
		this.requests = new RequestLog(this.database, this.settings);
		this.deliveries = new Deliveries(this.database, this.settings, (kind, event) => {
			if (!this.settings.current.validateResponses) return;
			const mismatch = this.contract.eventMismatch(kind, event);
			if (mismatch) this.violations.push(mismatch);
		});
		this.simulation = new Simulation(this.clock, [new SmsWork(this), new VoiceWork(this)]);
	}

	/** A moment as a "datetime without time zone" of the service. */
	localText(milliseconds: number): string {
		return localText(milliseconds, this.settings.current.conventions.timeZone);
	}

	/** Forgets all data, faults, settings and pushed time. */
	reset(): void {
		this.deliveries.reset();
		this.database.clear();
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

/** What an operation answers. */
export interface ServiceAnswer {
	status: number;
	body?: unknown;
}

/** Carries out an operation of openapi.yaml. */
export type Handler = (service: Service, call: ServiceCall) => ServiceAnswer;

/** 200 with a JSON body. */
export const ok = (body: unknown): ServiceAnswer => ({ status: 200, body });
