import type { FastifyInstance } from 'fastify';
import { utcText } from './clock.ts';
import { readList } from './listing.ts';
import { count, object, text } from './schemas.ts';
import type { Service } from './service.ts';
import { defaultClient } from './settings.ts';
import { summaryOf, webhookUrls } from './summary.ts';

interface Page {
	after?: number;
	limit: number;
}

interface RequestQuery extends Page {
	method?: string;
	path?: string;
	operationId?: string;
}

interface CallQuery extends Page {
	campaignId?: string;
}

/** The query of a list: what picks its records, and the part that is wanted. */
const listQuery = (picks: Record<string, object> = {}, limit = 100) => ({
	schema: {
		querystring: object({ ...picks, after: count(0), limit: { ...count(0), default: limit } }),
	},
});

/** What the sandbox holds: counts, requests, deliveries, calls and webhook URLs. */
export const controlRecords = (service: Service, app: FastifyInstance): void => {
	const { database, deliveries, requests } = service;

	app.get('/summary', () => summaryOf(service));

	app.get<{ Querystring: RequestQuery }>(
		'/requests',
		listQuery({ method: text, path: text, operationId: text }),
		({ query }) => requests.list(query),
	);

	app.get<{ Querystring: Page }>('/deliveries', listQuery(), ({ query }) => deliveries.list(query));

	app.get('/webhook', () => ({
		url: webhookUrls(service).get(defaultClient.clientId) ?? null,
		clients: Object.fromEntries(webhookUrls(service)),
		history: database.all('SELECT at, url, clientId FROM webhookHistory ORDER BY id'),
	}));

	app.get('/violations', () => ({ items: service.violations }));

	app.get<{ Querystring: CallQuery }>(
		'/truth/calls',
		listQuery({ campaignId: text }, 10_000),
		({ query }) => callsMade(service, query),
	);
};

interface CallRow {
	startTime: number;
	endTime: number;
}

/** Every call that was made, in the order in which they ended, for tests to compare with what they have read. */
const callsMade = ({ database }: Service, { campaignId, after, limit }: CallQuery) => {
	const { total, items } = readList<CallRow>(database, {
		from: 'calls JOIN voiceNumbers ON voiceNumbers.id = calls.numberId',
		columns: `calls.id AS id, campaignId, numberId, number AS phoneNumber, attemptNumber, outcome, stage, userInput,
			price, secondsDuration, calls.startedAt AS startTime, endedAt AS endTime`,
		key: 'calls.id',
		conditions: [
			['CAST(campaignId AS TEXT) = ?', campaignId],
			['calls.id > ?', after],
		],
		limit,
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
