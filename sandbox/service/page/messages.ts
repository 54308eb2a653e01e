import { smsBadge } from './codes.ts';
import { html, type Html, type Part } from './html.ts';
import type { List } from './lists.ts';
import { amount, badge, live, moment, section, shortened } from './parts.ts';
import type { View } from './view.ts';

interface Message {
	phoneNumber: string;
	name: string;
	sender: string | null;
	message: string | null;
	status: number;
	price: number;
	/** Milliseconds since 1970; null where it was not sent yet. */
	createdAt: number | null;
	isOfCampaign: number;
	isOnBusy: number;
}

/** How much is shown: of a long list, the latest messages, and of these the first phones. */
const mostMessages = 300;
const mostPhones = 12;
const mostOfPhone = 5;
const longestMessage = 480;

const latest = ({ service: { database } }: View): Message[] =>
	database.all<Message>(
		`SELECT phoneNumber, name, COALESCE(senderNumber, smsCampaigns.sender) AS sender,
			COALESCE(sms.message, smsCampaigns.message) AS message, sms.status AS status, price,
			sms.createdAt AS createdAt, campaignId IS NOT NULL AS isOfCampaign,
			voiceNumberId IS NOT NULL AS isOnBusy
		FROM sms LEFT JOIN smsCampaigns ON smsCampaigns.id = sms.campaignId
		ORDER BY sms.id DESC LIMIT ?`,
		mostMessages,
	);

const originOf = ({ isOfCampaign, isOnBusy }: Message): string =>
	isOfCampaign ? 'SMS campaign' : isOnBusy ? 'SMS on busy' : 'Single message';

/** A text with its links, as phones show them. */
const withLinks = (text: string): Part[] =>
	text
		.split(/(https?:\/\/\S*[^\s.,;:!?)])/)
		.map((part, index) =>
			index % 2 === 0 ? part : html`<a href="${part}" target="_blank" rel="noreferrer">${part}</a>`,
		);

const bubble = (view: View, message: Message): Html => {
	const { sender, createdAt, status, price } = message;
	const sent = createdAt === null ? 'Not yet' : moment(view, new Date(createdAt).toISOString());
	const state = createdAt === null ? badge('Scheduled', 'plain') : smsBadge(view.service, status);
	return html`<li>
		<small>${sender ?? ''}</small>
		<p class="bubble">${withLinks(shortened(message.message ?? '', longestMessage))}</p>
		<small>${sent}, ${originOf(message)}, ${price.toFixed(2)} ${state}</small>
	</li>`;
};

/** The messages of one number as its owner sees them: the latest at the end. */
const phone = (view: View, messages: Message[]): Html => {
	const [{ phoneNumber, name } = { phoneNumber: '', name: '' }] = messages;
	const shown = messages.slice(0, mostOfPhone).reverse();
	const hidden = messages.length - shown.length;
	return html`<article class="phone">
		<header><strong>${phoneNumber}</strong> ${name !== '' && html`<small>${name}</small>`}</header>
		${hidden > 0 && html`<small>${amount(hidden)} earlier</small>`}
		<ol>
			${shown.map((message) => bubble(view, message))}
		</ol>
	</article>`;
};

/** The messages of each number; who got the latest one comes first. */
const byPhone = (messages: Message[]): Map<string, Message[]> => {
	const phones = new Map<string, Message[]>();
	for (const message of messages) {
		const { phoneNumber } = message;
		phones.set(phoneNumber, [...(phones.get(phoneNumber) ?? []), message]);
	}
	return phones;
};

const show = (view: View): Html => {
	const total = view.service.database.number('SELECT count(*) AS n FROM sms') ?? 0;
	const phones = byPhone(latest(view));
	const shown = [...phones.values()].slice(0, mostPhones);
	const isWhole = shown.length === phones.size && total <= mostMessages;
	return section(
		'messages',
		'Messages',
		live(
			'messages-live',
			total === 0
				? html`<p class="empty">
						No messages yet. In n8n, use the operation <strong>SMS Message: Send</strong>.
					</p>`
				: html`<p>
							${amount(total)}, latest
							first${!isWhole && `: those of ${amount(shown.length)} phones`}
						</p>
						<div class="phones">${shown.map((messages) => phone(view, messages))}</div>`,
		),
	);
};

/** Every message, by phone: of campaigns, sent one by one, and after a busy line. */
export const messages: List = { id: 'messages', title: 'Messages', show };
