import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
	ITriggerFunctions,
} from 'n8n-workflow';

/** The n8n contexts from which the service is called. */
export type ServiceContext =
	IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions | IPollFunctions | ITriggerFunctions;

/** A response whose body is still to be read: decompressed, as n8n's HTTP helper streams it. */
export interface HttpResponse {
	statusCode: number;
	headers: IDataObject;
	body: AsyncIterable<Uint8Array>;
}

/** How a client reaches the service. */
export interface Port {
	/**
	 * Sends a signed request.
	 * @param signal ends it
	 * @throws what n8n's HTTP helper throws where there is no response
	 */
	http(request: IHttpRequestOptions, signal: AbortSignal): Promise<HttpResponse>;
	/** Ends when the user cancels the execution. */
	signal?: AbortSignal | undefined;
}

/** The port of a node that runs. n8n's helper that authenticates would put its own signal in place of ours. */
export function portOf(context: ServiceContext): Port {
	return {
		http: async (request, signal) =>
			(await context.helpers.httpRequest({ ...request, abortSignal: signal })) as HttpResponse,
		signal: 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined,
	};
}
