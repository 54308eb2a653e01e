import { credentialType, nodeTypes } from '../../host/workflows.ts';
import {
	postAll,
	runNodes,
	type BenchN8n,
	type BenchNode,
	type BenchService,
	type Sample,
} from './measure.mts';

/** What is compared with what, and what we want to reach. */
export interface Comparison {
	name: string;
	measure: string;
	beside: string;
	/** How our value relates to the other's: `speed` of items (more is better), `time` or `memory`. */
	kind: 'speed' | 'time' | 'memory';
	aim: number;
	/** Responses of the service take this long, in milliseconds. */
	latency?: number;
	ours(): Promise<Sample>;
	other(): Promise<Sample>;
}

const NODE = 'Contender';
const sender = 'Bench';

/** JavaScript for a Code node that makes rows. */
const rowsCode = (count: number, row: string) =>
	`return Array.from({ length: ${String(count)} }, (_, i) => ({ json: ${row} }));`;

const PHONE = '`+4477${String(i).padStart(8, "0")}`';
const smsRow = `{ phoneNumber: ${PHONE}, message: "Hello " + i, sender: "${sender}" }`;
const contactRow = `{ phoneNumber: ${PHONE}, name: "Name " + i, city: "Leeds" }`;
const parameters = Array.from({ length: 9 }, (_, index) => `parameter${String(index + 1)}`);
/** A field with the expression that names the column of this name. */
const columnOf = (name: string): [string, string] => [name, `={{ $json.${name} }}`];
const storedRow = `{ storageID: "customer-" + i, number: ${PHONE}, ${parameters
	.map((name) => `${name}: "${name} " + i`)
	.join(', ')} }`;

/** Every comparison, at a scale: 1 is what the results are given for. */
export function comparisons(n8n: BenchN8n, service: BenchService, scale: number): Comparison[] {
	const scaled = (count: number) => Math.max(10, Math.round(count * scale));
	const { serviceCredential, headerCredential } = n8n;
	const ourNode = (fields: Record<string, unknown>): BenchNode => ({
		name: NODE,
		type: nodeTypes.action,
		typeVersion: 1,
		parameters: fields,
		credentials: { [credentialType]: serviceCredential },
	});
	const httpNode = (fields: Record<string, unknown>): BenchNode => ({
		name: NODE,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			...fields,
		},
		credentials: { httpHeaderAuth: headerCredential },
	});
	/** The service responds with a JSON string, which the node's default response format refuses. */
	const asText = { response: { response: { responseFormat: 'text' } } };
	const postNode = (
		path: string,
		body: [string, string][],
		options: Record<string, unknown> = {},
	) =>
		httpNode({
			method: 'POST',
			url: `${service.url}${path}`,
			sendBody: true,
			bodyParameters: { parameters: body.map(([name, value]) => ({ name, value })) },
			options: { ...asText, ...options },
		});
	const run = async (rows: string, ...nodes: BenchNode[]) => await runNodes(n8n, rows, nodes);

	const sms = scaled(1000);
	const smsRows = rowsCode(sms, smsRow);
	const smsFields: [string, string][] = [
		['phoneNumber', '+447700900123'],
		['message', '={{ $json.message }}'],
		['sender', sender],
	];
	const send = { resource: 'smsMessage', operation: 'send', ...Object.fromEntries(smsFields) };
	const ourSend = async () => await run(smsRows, ourNode(send));

	const slow = scaled(1000);
	const slowRows = rowsCode(slow, smsRow);
	const stored = scaled(10_000);
	const storedRows = rowsCode(stored, storedRow);
	const contacts = scaled(100_000);
	const contactRows = rowsCode(contacts, contactRow);
	const campaign = async () =>
		await run(
			contactRows,
			ourNode({
				resource: 'smsCampaign',
				operation: 'create',
				message: 'Hello',
				sender,
				contactsSource: 'inputItems',
				phoneNumberField: 'phoneNumber',
				additionalFields: { otherFields: { name: 'name', custom1: 'city' } },
			}),
		);
	// Aggregate or Code with an HTTP Request node end in "Expression timed out"; this one works.
	const campaignByCode = async () =>
		await run(contactRows, {
			name: NODE,
			type: 'n8n-nodes-base.code',
			typeVersion: 2,
			parameters: {
				jsCode: `const contacts = $input.all().map(({ json }) => ({ phoneNumber: json.phoneNumber, name: json.name, custom1: json.city }));
const id = await this.helpers.httpRequest({ method: 'POST', url: '${service.url}/api/Campaigns', headers: { 'X-Api-Key': 'bench' }, body: { message: 'Hello', sender: '${sender}', contacts }, json: true });
return [{ json: { id } }];`,
			},
		});
	const listRows = rowsCode(1, '{ i }');
	const list = (pageSize: number) => async () =>
		await run(
			listRows,
			ourNode({
				resource: 'phoneNumberStorage',
				operation: 'getAll',
				returnAll: true,
				options: { pageSize },
			}),
		);
	const httpList = (pageSize: number) => async () =>
		await run(
			listRows,
			httpNode({
				url: `=${service.url}/api/PhoneNumberStorageItem/${String(pageSize)}/1`,
				options: {
					pagination: {
						pagination: {
							paginationMode: 'responseContainsNextURL',
							nextURL: `=${service.url}/api/PhoneNumberStorageItem/${String(pageSize)}/{{ $pageCount + 1 }}`,
							paginationCompleteWhen: 'other',
							completeExpression: '={{ $response.body.pageIndex >= $response.body.totalPages }}',
						},
					},
				},
			}),
			{
				name: 'Split',
				type: 'n8n-nodes-base.splitOut',
				typeVersion: 1,
				parameters: { fieldToSplitOut: 'items', options: {} },
			},
		);

	const plainBodies = Array.from({ length: sms }, (_, i) => ({
		phoneNumber: '+447700900123',
		message: `Hello ${String(i)}`,
		sender,
	}));
	const plainCampaign = {
		message: 'Hello',
		sender,
		contacts: Array.from({ length: contacts }, (_, i) => ({
			phoneNumber: `+4477${String(i).padStart(8, '0')}`,
			name: `Name ${String(i)}`,
			custom1: 'Leeds',
		})),
	};

	return [
		{
			name: 'sms-expression',
			measure: `${String(sms)} single SMS, one expression field, header credential`,
			beside: 'HTTP Request node, same fields and credential, its defaults',
			kind: 'speed',
			aim: 1.5,
			ours: ourSend,
			other: async () => await run(smsRows, postNode('/api/SMSMessages', smsFields)),
		},
		{
			name: 'sms-plain',
			measure: `${String(sms)} single SMS, one expression field`,
			beside: 'plain axios outside n8n, 10 requests in parallel, a new connection each',
			kind: 'speed',
			aim: 0.7,
			ours: ourSend,
			other: async () => await postAll(`${service.url}/api/SMSMessages`, plainBodies, 10),
		},
		{
			name: 'sms-latency',
			measure: `${String(slow)} single SMS, one expression field, 50 ms latency`,
			// Without an interval, the node's batches do not wait for each other.
			beside: 'HTTP Request node in batches of one, 50 ms apart',
			kind: 'speed',
			aim: 5,
			latency: 50,
			ours: async () => await run(slowRows, ourNode(send)),
			other: async () =>
				await run(
					slowRows,
					postNode('/api/SMSMessages', smsFields, {
						batching: { batch: { batchSize: 1, batchInterval: 50 } },
					}),
				),
		},
		{
			name: 'stored',
			measure: `${String(stored)} stored numbers with 9 parameters, each from a column`,
			beside: 'HTTP Request node, same body from expressions',
			kind: 'speed',
			aim: 8,
			ours: async () =>
				await run(
					storedRows,
					ourNode({
						...{ resource: 'phoneNumberStorage', operation: 'create' },
						...Object.fromEntries(['storageID', 'number'].map(columnOf)),
						parameters: Object.fromEntries(parameters.map(columnOf)),
					}),
				),
			other: async () =>
				await run(
					storedRows,
					postNode(
						'/api/PhoneNumberStorageItem',
						['storageID', 'number', ...parameters].map(columnOf),
					),
				),
		},
		{
			name: 'campaign-time',
			measure: `${String(contacts)} rows to one campaign, node time`,
			beside: 'Code node that sends by itself, the fastest generic arrangement that works',
			kind: 'time',
			aim: 0.35,
			ours: campaign,
			other: campaignByCode,
		},
		{
			name: 'campaign-memory',
			measure: `${String(contacts)} rows to one campaign, peak memory of n8n`,
			beside: 'the same',
			kind: 'memory',
			aim: 1,
			ours: campaign,
			other: campaignByCode,
		},
		{
			name: 'campaign-plain',
			measure: `${String(contacts)} rows to one campaign, node time`,
			beside: 'plain axios POST outside n8n',
			kind: 'time',
			aim: 2,
			ours: campaign,
			other: async () => await postAll(`${service.url}/api/Campaigns`, [plainCampaign], 1),
		},
		...[1000, 10_000].map((pageSize): Comparison => ({
			name: `list-${String(pageSize)}`,
			measure: `100000 stored numbers listed, page size ${String(pageSize)}`,
			beside: 'HTTP Request pagination and Split Out',
			kind: 'time',
			aim: 0.6,
			ours: list(pageSize),
			other: httpList(pageSize),
		})),
	];
}
