import { problem } from './errors.ts';
import { addSms, type SendRequest } from './newSms.ts';
import { listPage } from './paging.ts';
import { ok, type Handler } from './service.ts';

const send: Handler = (service, { body, client }) => {
	const newId = addSms(service, {
		...(body as SendRequest),
		clientId: client.clientId,
		createdAt: service.clock.moment(),
	});
	service.clock.wake();
	return ok(newId);
};

/** By the number `id` or by the GUID `newId`; messages that voice campaigns have sent on busy are found too. */
const get: Handler = ({ database, contract, settings }, { params: { Id }, operation }) => {
	const { messagePath } = settings.current.conventions;
	const path = operation.operationId === 'getSmsMessageWithSlash' ? 'slash' : 'noSlash';
	if (messagePath !== 'either' && messagePath !== path) {
		throw problem(404, 'There is no such path.');
	}
	const columns = contract.fields('SmsMessage').join(', ');
	const id = String(Id);
	const message = database.get(
		`SELECT ${columns} FROM smsMessageDetails WHERE ${/^\d+$/.test(id) ? 'id = CAST(? AS INTEGER)' : 'newId = lower(?)'}`,
		id,
	);
	if (!message) throw problem(404, `There is no SMS message '${id}'.`);
	return ok(message);
};

/** The operations on SMS messages (interface: "Endpoints", "SMS messages"). */
export const smsMessageHandlers: Record<string, Handler> = {
	listSmsMessages: (service, call) =>
		ok(listPage(service, call, 'smsMessageRecords', service.contract.fields('SmsMessage'))),
	sendSmsMessage: send,
	getSmsMessage: get,
	getSmsMessageWithSlash: get,
};
