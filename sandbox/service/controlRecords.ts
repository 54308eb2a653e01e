import type { FastifyInstance } from 'fastify';
import { utcText } from './clock.ts';
import { readList } from './listing.ts';
import { object, text, whole } from './schemas.ts';
import type { Service } from './service.ts';
import { defaultClient } from './settings.ts';
import { summaryOf, webhookUrls } from './summary.ts';

interface ListQuery {
	method?: string;
	path?: string;
	operationId?: string;
	kind?: string;
	phoneNumber?: string;
	after?: number;
	limit: number;
}

/** What the sandbox holds: counts, requests, deliveries, calls and webhook URLs. */
export const controlRecords = (service: Service, app: FastifyInstance): void => {
	const { database, deliveries, requests } = service;

	app.get('/summary', () => summaryOf(service));

	app.get<{ Querystring: ListQuery & { status?: number } }>(
		'/requests',
		{
			schema: {
				querystring: object({
					method: text,
					path: text,
					operationId: text,
					status: whole,
					after: whole,
					limit: { ...whole, default: 100 },
				}),
			},
		},
		({ query }) => requests.list(query),
	);

	app.get<{ Querystring: ListQuery & { status?: string } }>(
		'/deliveries',
		{
			schema: {
				querystring: object({
					status: { enum: ['pending', 'acknowledged', 'failed', 'noUrl'] },
					kind: { enum: ['callAttempted', 'smsStatus', 'unknown'] },
					phoneNumber: text,
					after: whole,
					limit: { ...whole, default: 100 },
				}),
			},
		},
		({ query }) => deliveries.list(query),
	);

	app.get('/webhook', () => ({
		url: webhookUrls(service).get(defaultClient.clientId) ?? null,
		clients: Object.fromEntries(webhookUrls(service)),
		history: database.all('SELECT at, url, clientId FROM webhookHistory ORDER BY id'),
	}));

	app.get('/violations', () => ({ items: service.violations }));

	app.get<{ Querystring: CallQuery }>(
		'/truth/calls',
		{
			schema: {
				querystring: object({
					campaignId: text,
					phoneNumber: text,
					after: whole,
					limit: { ...whole, default: 10_000 },
				}),
			},
		},
		({ query }) => callsMade(service, query),
	);
};

interface CallQuery {
	campaignId?: string;
	phoneNumber?: string;
	after?: number;
	limit: number;
}

interface CallRow {
	startTime: number;
	endTime: number;
}

/** Every call that was made, in the order in which they ended, for tests to compare with what they have read. */
const callsMade = ({ database }: Service, query: CallQuery) => {
	const { total, items } = readList<CallRow>(database, {
		from: 'calls JOIN voiceNumbers ON voiceNumbers.id = calls.numberId',
		columns: `calls.id AS id, campaignId, numberId, number AS phoneNumber, attemptNumber, outcome, stage, userInput,
			price, secondsDuration, calls.startedAt AS startTime, endedAt AS endTime`,
		key: 'calls.id',
		conditions: [
			['CAST(campaignId AS TEXT) = ?', query.campaignId],
			['number = ?', query.phoneNumber],
			['calls.id > ?', query.after],
		],
		limit: query.limit,
	});
	return {
		total,
		items: items.map((call) => ({
			...call,
			startTime: utcText(call.startTime),
			endTime: utcText(call.endTime),
		})),
	};
};
