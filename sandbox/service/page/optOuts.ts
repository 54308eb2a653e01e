import { html } from './html.ts';
import { defineList } from './lists.ts';
import { moment } from './parts.ts';

interface Row {
	key: number;
	clientId: number;
	channel: string;
	phoneNumber: string;
	at: string;
}

/** People who want no more calls or messages. */
export const optOuts = defineList<Row>({
	id: 'opt-outs',
	title: 'Opt-outs',
	empty: html`Nobody has opted out. A call to a number that ends with 814 does, and so does a
	message of a campaign with an opt-out link to one that ends with 920.`,
	select: 'clientId, channel, phoneNumber, at',
	from: 'optOuts',
	search: ['phoneNumber'],
	key: 'rowid',
	columns: (view) => [
		{ label: 'Time', cell: ({ at }) => moment(view, at) },
		{ label: 'Client', kind: 'number', cell: ({ clientId }) => clientId },
		{
			label: 'From',
			cell: ({ channel }) => (channel === 'sms' ? 'Messages' : 'Calls'),
		},
		{ label: 'Phone number', cell: ({ phoneNumber }) => phoneNumber },
	],
});
