import { summaryOf } from '../steering.ts';
import { html, type Part } from './html.ts';
import { amount, counted, live, noun } from './parts.ts';
import type { View } from './view.ts';

const total = (list: string, label: string, value: number, note: string | false = false) =>
	html`<li>
		<a href="#${list}"><strong>${amount(value)}</strong> ${noun(value, label)}</a>
		${note && html`<small>${note}</small>`}
	</li>`;

/** How much there is of everything, with links to it. */
export const counts = (view: View): Part => {
	const all = summaryOf(view.service);
	const { failed, pending, noUrl } = all.deliveries;
	const states = [
		pending > 0 && `${amount(pending)} pending`,
		failed > 0 && `${amount(failed)} failed`,
		noUrl > 0 && `${amount(noUrl)} without URL`,
	].filter((state) => state !== false);
	return live(
		'counts',
		html`<ul class="counts" aria-label="What the sandbox holds">
			${total('deliveries', 'delivery', all.deliveries.total, states.join(', ') || false)}
			${total('sms-campaigns', 'SMS campaign', all.smsCampaigns)}
			${total(
				'messages',
				'message',
				all.smsCampaignContacts + all.smsMessages + all.voiceSmss,
				all.smsCampaignContacts > 0 && `${amount(all.smsCampaignContacts)} in campaigns`,
			)}
			${total('voice-campaigns', 'voice campaign', all.voiceCampaigns)}
			${total(
				'calls',
				'call',
				all.calls,
				all.voicePhoneNumbers > 0 && `${counted(all.voicePhoneNumbers, 'number')} in campaigns`,
			)}
			${total('stored-numbers', 'stored number', all.storedPhoneNumbers)}
			${total('opt-outs', 'opt-out', all.optOuts)} ${total('requests', 'request', all.requests)}
		</ul>`,
	);
};
