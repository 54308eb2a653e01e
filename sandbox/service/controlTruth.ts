import type { FastifyInstance } from 'fastify';
import { IANAZone } from 'luxon';
import { problem } from './errors.ts';
import type { Service } from './service.ts';
import { checksumOf, readTruth, truthLists, type TruthQuery } from './truth.ts';

const schema = {
	params: {
		type: 'object',
		properties: { list: { enum: Object.keys(truthLists) } },
	},
	querystring: {
		type: 'object',
		additionalProperties: false,
		properties: {
			campaignId: { type: 'string', minLength: 1 },
			phoneNumber: { type: 'string', minLength: 1 },
			timeZone: { type: 'string', minLength: 1 },
			after: { type: 'integer', minimum: 0 },
			limit: { type: 'integer', minimum: 0, default: 10_000 },
		},
	},
};

/** What has really happened, for tests to compare with what they have read through the service's own interface. */
export const controlTruth = (service: Service, app: FastifyInstance): void => {
	app.get<{ Params: { list: string }; Querystring: TruthQuery }>(
		'/truth/:list',
		{ schema },
		({ params: { list }, query }) => {
			if (query.timeZone !== undefined && !IANAZone.isValidZone(query.timeZone)) {
				throw problem(400, 'timeZone is not an IANA time zone');
			}
			return readTruth(service, list, query);
		},
	);

	app.get<{ Params: { channel: 'sms' | 'voice'; campaignId: string } }>(
		'/truth/recipients/:channel/:campaignId',
		{ schema: { params: { type: 'object', properties: { channel: { enum: ['sms', 'voice'] } } } } },
		async ({ params: { channel, campaignId } }) => {
			const checksum = await checksumOf(service, channel, campaignId);
			if (!checksum) throw problem(404, `There is no ${channel} campaign '${campaignId}'.`);
			return checksum;
		},
	);
};
