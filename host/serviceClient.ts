import { Agent } from 'node:http';
import axios, { type AxiosInstance } from 'axios';

/** How many events are in which state (sandbox/reference.md, "GET /_sandbox/summary"). */
interface DeliveryCounts {
	total: number;
	pending: number;
	acknowledged: number;
	failed: number;
	noUrl: number;
}

/** Some of what the sandbox says about itself. */
interface ServiceSummary {
	smsCampaigns: number;
	smsCampaignContacts: number;
	deliveries: DeliveryCounts;
	/** Responses and events that did not match openapi.yaml. */
	contractViolations: number;
}

/** A request that the sandbox has received. */
interface ServiceRequest {
	id: number;
	method: string;
	path: string;
	status: number | null;
	body: unknown;
}

/** Requests that the sandbox has received; `total` counts all that fit, not only those given. */
interface ServiceRequests {
	total: number;
	items: ServiceRequest[];
}

/** What the demonstration and the tests need of the sandbox: its control interface, and campaigns. */
export class ServiceClient {
	private readonly http: AxiosInstance;

	constructor(url: string, apiKey: string) {
		this.http = axios.create({
			baseURL: url,
			proxy: false,
			timeout: 60_000,
			// On a busy machine, a connection that is kept may be closed just as it is used again.
			httpAgent: new Agent({ keepAlive: false }),
			headers: { 'X-Api-Key': apiKey },
		});
	}

	/** Anything of the control interface. */
	async control<T>(
		method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
		path: string,
		body?: unknown,
	): Promise<T> {
		return (await this.http.request<T>({ method, url: `/_sandbox${path}`, data: body })).data;
	}

	/** What the sandbox says about itself. */
	async summary(): Promise<ServiceSummary> {
		return await this.control('GET', '/summary');
	}

	/** The requests with this method and this in their path, without the first `skip` of them. */
	async requests(method: string, path: string, skip = 0): Promise<ServiceRequests> {
		const items: ServiceRequest[] = [];
		for (;;) {
			const after = String(items.at(-1)?.id ?? 0);
			const query = new URLSearchParams({ method, path, after, limit: '1000' });
			const page = await this.control<ServiceRequests>('GET', `/requests?${query}`);
			items.push(...page.items);
			// The total counts what comes after as well.
			if (page.items.length === page.total) break;
		}
		return { total: items.length, items: items.slice(skip) };
	}

	/** The URL that is registered for events, if one is. */
	async webhookUrl(): Promise<string | undefined> {
		const { url } = await this.control<{ url: string | null }>('GET', '/webhook');
		return url ?? undefined;
	}

	/** How many SMS campaigns there are. */
	async smsCampaignCount(): Promise<number> {
		return (await this.summary()).smsCampaigns;
	}
}
