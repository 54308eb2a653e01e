import type { IDataObject } from 'n8n-workflow';

/** Sends one message. */
export const sendMessage = {
	resource: 'smsMessage',
	operation: 'send',
	phoneNumber: '+447700900123',
	message: 'Hi',
	sender: 'Shop',
};

/** Sends a message to the number of each input item. */
export const sendEach = { ...sendMessage, phoneNumber: '={{ $json.phoneNumber }}' };

/** Creates an SMS campaign from its input items. */
export const createCampaign = {
	resource: 'smsCampaign',
	operation: 'create',
	message: 'Hi',
	sender: 'Shop',
};

/** A resource locator in its "By ID" mode. */
export function byId(value: string | number): IDataObject {
	return { __rl: true, mode: 'id', value: String(value) };
}
