import { randomUUID } from 'node:crypto';
import { ErrorCollector, problem } from './errors.ts';
import { listPage } from './paging.ts';
import { countryOf, invalidNumberMessage, isValidPhoneNumber } from './phoneNumbers.ts';
import { ok, type Handler, type Service, type ServiceCall } from './service.ts';
import type { Client } from './settings.ts';
import { smsCampaignStatus, smsState } from './smsSimulation.ts';
import { partsOf } from './smsText.ts';

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

type InvalidNumbers = 'accept' | 'ignore' | 'reject';

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

const create =
	(invalidNumbers: InvalidNumbers): Handler =>
	(service, { body, client }) => {
		const { contacts: all, ...fields } = body as CampaignFields & { contacts: Contact[] };
		const { database, clock } = service;
		const errors = new ErrorCollector();
		checkLinks(fields, client, errors);
		const contacts =
			invalidNumbers === 'ignore'
				? all.filter(({ phoneNumber }) => isValidPhoneNumber(phoneNumber))
				: all;
		if (contacts.length === 0) errors.add('contacts', 'No contact has a valid phone number.');
		if (invalidNumbers === 'reject') {
			for (const [index, { phoneNumber }] of all.entries()) {
				if (isValidPhoneNumber(phoneNumber)) continue;
				errors.add(`contacts[${String(index)}].phoneNumber`, invalidNumberMessage(phoneNumber));
			}
		}
		errors.throwIfAny();

		const id = randomUUID();
		const now = clock.now();
		const { startDateTime = new Date(now).toISOString(), message = '' } = fields;
		const smsCount = partsOf(message);
		database.transaction(() => {
			database.run(
				`INSERT INTO smsCampaigns (id, client_Id, startDateTime, sender, recipientCount, message, status,
					optOutLinkId, trackLinkUrl, startAt)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				id,
				client.clientId,
				startDateTime,
				fields.sender ?? '',
				contacts.length,
				message,
				smsCampaignStatus.scheduled,
				fields.optOutLinkId ?? 0,
				fields.trackLinkUrl ?? '',
				Math.max(now, Date.parse(startDateTime)),
			);
			for (const contact of contacts) {
				database.run(
					`INSERT INTO sms (newId, client_Id, campaignId, phoneNumber, name, custom1, custom2, contactGroupId,
						smsCount, countryCode, state)
					VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
					randomUUID(),
					client.clientId,
					id,
					contact.phoneNumber,
					contact.name ?? '',
					contact.custom1 ?? '',
					contact.custom2 ?? '',
					contact.contactGroupId ?? null,
					smsCount,
					countryOf(contact.phoneNumber),
					smsState.waitingForCampaign,
				);
			}
		});
		service.simulation.wake();
		return ok(id);
	};

const update: Handler = (service, { params, body, client }) => {
	const { Id } = params;
	const campaign = find(service, Id);
	if (body === undefined) return ok(campaign);
	const fields = body as CampaignFields;
	const errors = new ErrorCollector();
	checkLinks(fields, client, errors);
	errors.throwIfAny();
	const { database, clock, contract, simulation } = service;
	const changeable = contract.fields('SmsCampaignUpdate');
	database.transaction(() => {
		for (const [field, value] of Object.entries(fields)) {
			if (!changeable.includes(field)) continue;
			database.change(`UPDATE smsCampaigns SET "${field}" = ? WHERE id = ?`, value, String(Id));
		}
		if (fields.startDateTime !== undefined) {
			database.change(
				'UPDATE smsCampaigns SET startAt = ? WHERE id = ?',
				Math.max(clock.now(), Date.parse(fields.startDateTime)),
				String(Id),
			);
		}
		if (fields.message !== undefined) {
			database.change(
				'UPDATE sms SET smsCount = ? WHERE campaignId = ? AND state = ?',
				partsOf(fields.message),
				String(Id),
				smsState.waitingForCampaign,
			);
		}
	});
	simulation.wake();
	return ok(find(service, Id));
};

const listContacts = (service: Service, call: ServiceCall) => {
	const { Id } = call.params;
	find(service, Id);
	return ok(
		listPage(service, call, 'smsContactRecords', service.contract.fields('SmsCampaignContact'), {
			campaignId: Id,
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
