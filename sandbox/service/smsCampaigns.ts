import { randomUUID } from 'node:crypto';
import { smsCampaignStatus } from './campaignStatuses.ts';
import { ErrorCollector, invalid, problem } from './errors.ts';
import { listPage } from './paging.ts';
import { acceptedEntries, countryOf, type InvalidNumbers } from './phoneNumbers.ts';
import { ok, type Handler, type Service, type ServiceCall } from './service.ts';
import type { Client } from './settings.ts';

/** An SMS campaign contact of the create request (interface: "SMS campaign contact"). */
interface Contact {
	phoneNumber: string;
	name?: string;
	custom1?: string;
	custom2?: string;
	contactGroupId?: string;
}

/** The update request, and the create request without its contacts. */
interface CampaignFields {
	startDateTime?: string;
	sender?: string;
	message?: string;
	optOutLinkId?: number;
	trackLinkUrl?: string;
}

const find = ({ database, contract }: Service, id: unknown): Record<string, unknown> => {
	const columns = contract.fields('SmsCampaign').join(', ');
	const campaign = database.get(
		`SELECT ${columns} FROM smsCampaignRecords WHERE id = ?`,
		String(id),
	);
	if (!campaign) throw problem(404, `There is no SMS campaign '${String(id)}'.`);
	return campaign;
};

const checkLinks = (
	{ optOutLinkId, trackLinkUrl }: CampaignFields,
	client: Client,
	errors: ErrorCollector,
): void => {
	if (optOutLinkId && !client.optOutLinkIds.includes(optOutLinkId)) {
		errors.add(
			'optOutLinkId',
			`Opt-out link ${String(optOutLinkId)} has not been set up for client ${String(client.clientId)}.`,
		);
	}
	if (trackLinkUrl && !URL.canParse(trackLinkUrl)) {
		errors.add('trackLinkUrl', 'The string is not in valid URL format.');
	}
};

/** Stores a campaign with its contacts; returns its id. */
const insert = (
	{ database, clock }: Service,
	client: Client,
	fields: CampaignFields,
	contacts: Contact[],
): string => {
	const id = randomUUID();
	const createdAt = clock.moment();
	const { startDateTime = new Date(createdAt).toISOString() } = fields;
	const { sender = '', message = '', optOutLinkId = 0, trackLinkUrl = '' } = fields;
	database.insert('smsCampaigns', {
		id,
		client_Id: client.clientId,
		...{ startDateTime, sender, message, optOutLinkId, trackLinkUrl },
		recipientCount: contacts.length,
		status: smsCampaignStatus.scheduled,
		createdAt,
		startAt: Math.max(createdAt, Date.parse(startDateTime)),
	});
	// By name: unknown fields get here when the strict mode is off.
	for (const { phoneNumber, name = '', custom1 = '', custom2 = '', contactGroupId } of contacts) {
		database.insert('sms', {
			...{ phoneNumber, name, custom1, custom2, contactGroupId: contactGroupId ?? null },
			newId: randomUUID(),
			client_Id: client.clientId,
			campaignId: id,
			countryCode: countryOf(phoneNumber),
		});
	}
	return id;
};

const create =
	(invalidNumbers: InvalidNumbers): Handler =>
	(service, { body, client }) => {
		const { contacts: all, ...fields } = body as CampaignFields & { contacts: Contact[] };
		const errors = new ErrorCollector();
		checkLinks(fields, client, errors);
		const contacts = acceptedEntries(all, ['contacts', 'phoneNumber'], invalidNumbers, errors);
		errors.throwIfAny();

		const id = service.database.transaction(() => insert(service, client, fields, contacts));
		service.clock.wake();
		return ok(id);
	};

const hasStarted = ({ database }: Service, id: string): boolean =>
	database.number('SELECT status AS n FROM smsCampaigns WHERE id = ?', id) !==
	smsCampaignStatus.scheduled;

const update: Handler = (service, { params, body, client }) => {
	const { Id } = params;
	const campaign = find(service, Id);
	if (body === undefined) return ok(campaign);
	const id = String(Id);
	if (hasStarted(service, id)) {
		throw invalid({ Id: ['The campaign has started: it can no longer be changed.'] });
	}
	const fields = body as CampaignFields;
	const errors = new ErrorCollector();
	checkLinks(fields, client, errors);
	errors.throwIfAny();
	const { database, clock, contract } = service;
	const changeable = contract.fields('SmsCampaignUpdate');
	database.transaction(() => {
		for (const [field, value] of Object.entries(fields)) {
			if (!changeable.includes(field)) continue;
			database.change(`UPDATE smsCampaigns SET "${field}" = ? WHERE id = ?`, value, id);
		}
		if (fields.startDateTime !== undefined) {
			database.change(
				'UPDATE smsCampaigns SET startAt = ? WHERE id = ?',
				Math.max(clock.moment(), Date.parse(fields.startDateTime)),
				id,
			);
		}
	});
	clock.wake();
	return ok(find(service, Id));
};

const listContacts = (service: Service, call: ServiceCall) => {
	const { Id } = call.params;
	find(service, Id);
	return ok(
		listPage(service, call, 'smsContactRecords', service.contract.fields('SmsCampaignContact'), {
			field: 'campaignId',
			value: String(Id),
		}),
	);
};

/** The operations on SMS campaigns (interface: "Endpoints", "SMS campaigns"). */
export const smsCampaignHandlers: Record<string, Handler> = {
	listSmsCampaigns: (service, call) =>
		ok(listPage(service, call, 'smsCampaignRecords', service.contract.fields('SmsCampaign'))),
	createSmsCampaign: create('accept'),
	createSmsCampaignIgnoringInvalidNumbers: create('ignore'),
	createSmsCampaignRejectingInvalidNumbers: create('reject'),
	getSmsCampaign: (service, { params }) => ok(find(service, params.Id)),
	updateSmsCampaign: update,
	listSmsCampaignContacts: listContacts,
};
