import { problem } from '../errors.ts';
import type { Delivery, DeliveryAttempt, DeliveryStatus } from '../deliveries.ts';
import type { Service } from '../service.ts';
import { outcomeBadge, smsBadge, stageNote } from './codes.ts';
import { buttonForm } from './forms.ts';
import { html, type Html, type Part } from './html.ts';
import { defineList } from './lists.ts';
import { badge, details, moment, shortened, verbatim, type Tone } from './parts.ts';
import type { Action, View } from './view.ts';

const states: Record<DeliveryStatus, [text: string, tone: Tone]> = {
	pending: ['Pending', 'waiting'],
	acknowledged: ['Acknowledged', 'good'],
	failed: ['Failed', 'bad'],
	noUrl: ['No URL', 'waiting'],
};

const eventOf = (service: Service, { event }: Delivery): Part => {
	const { webHookType, data } = event;
	switch (webHookType) {
		case 0:
			return html`Call ${outcomeBadge(service, data.outCome)}
			${stageNote(service, data.outCome, data.stage)}`;
		case 1:
			return html`SMS ${smsBadge(service, data.statusCode)}`;
		default:
			return `webHookType ${String(webHookType)}`;
	}
};

const phoneNumberOf = ({ event }: Delivery): string => {
	const { phoneNumber } = event.data;
	return typeof phoneNumber === 'string' ? phoneNumber : '';
};

const answerOf = ({ status, error }: DeliveryAttempt): string =>
	status === null ? (error ?? 'No response') : `HTTP ${String(status)}`;

const longestPreview = 200;

const summaryOf = ({ attempts, status }: Delivery): string => {
	const last = attempts.at(-1);
	if (last) {
		return `${answerOf(last)}, try ${String(attempts.length)}, ${String(last.durationMs)} ms`;
	}
	return status === 'noUrl' ? 'No URL was registered' : 'Not tried yet';
};

/** What the receiver said where it did not acknowledge the event. */
const previewOf = ({ attempts, status }: Delivery): Html | false => {
	const body = attempts.at(-1)?.body ?? '';
	return (
		status !== 'acknowledged' &&
		body !== '' &&
		html`<code class="preview">${shortened(body, longestPreview)}</code>`
	);
};

const triesOf = (view: View, { attempts }: Delivery): Html =>
	html`<ol>
		${attempts.map(
			(attempt) =>
				html`<li>
					${moment(view, attempt.at)} ${answerOf(attempt)} in ${attempt.durationMs} ms from
					<code>${attempt.url}</code>
					${(attempt.body ?? '') !== '' && verbatim('Response body', attempt.body ?? '')}
				</li>`,
		)}
	</ol>`;

const resultOf = (view: View, delivery: Delivery): Html => {
	const { id, attempts, event, status } = delivery;
	return html`${badge(...states[status])}
	${details(
		`delivery-${String(id)}`,
		summaryOf(delivery),
		html`${attempts.length > 0 && triesOf(view, delivery)}
		${verbatim('Event', JSON.stringify(event, undefined, 2))}
		${
			status !== 'pending' &&
			buttonForm(view, 'redeliver', {
				text: 'Deliver again',
				about: `event ${String(id)}`,
				fields: { id },
				id: `redeliver-${String(id)}`,
			})
		}`,
	)}
	${previewOf(delivery)}`;
};

/** Events and the responses to them. */
export const deliveries = defineList<Delivery & { key: number }>({
	id: 'deliveries',
	title: 'Deliveries',
	isFolded: true,
	empty: html`No events yet. <a href="#events">Fire one</a>, or send a message in n8n.`,
	from: 'deliveries',
	key: 'id',
	complete: ({ key }, { service }) => {
		const delivery = service.deliveries.get(key);
		if (!delivery) throw new Error(`Delivery ${String(key)} is gone`);
		return { ...delivery, key };
	},
	columns: (view) => [
		{ label: 'Time', cell: ({ serviceTime }) => moment(view, serviceTime) },
		{ label: 'Event', cell: (delivery) => eventOf(view.service, delivery) },
		{ label: 'Phone number', cell: phoneNumberOf },
		{ label: 'Response', kind: 'main', cell: (delivery) => resultOf(view, delivery) },
	],
});

/** The actions of the list. */
export const deliveryActions: Record<string, Action> = {
	redeliver: ({ deliveries: sent }, fields) => {
		const id = fields.get('id') ?? '';
		if (!sent.sendAgain(Number(id))) {
			throw problem(404, `There is no finished delivery ${id}.`);
		}
		return `Event ${id} is delivered again.`;
	},
};
