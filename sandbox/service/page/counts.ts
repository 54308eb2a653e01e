import { summaryOf } from '../steering.ts';
import { html, type Part } from './html.ts';
import { amount, live } from './parts.ts';
import type { View } from './view.ts';

const total = (list: string, label: string, value: number, note: string | false = false) =>
	html`<li>
		<a href="#${list}"><strong>${amount(value)}</strong> ${label}</a>
		${note && html`<small>${note}</small>`}
	</li>`;

/** How much there is of everything, with links to it. */
export const counts = (view: View): Part => {
	const all = summaryOf(view.service);
	const { failed, pending, noUrl } = all.deliveries;
	const states = [
		pending > 0 && `${amount(pending)} on their way`,
		failed > 0 && `${amount(failed)} failed`,
		noUrl > 0 && `${amount(noUrl)} without URL`,
	].filter((state) => state !== false);
	return live(
		'counts',
		html`<ul class="counts" aria-label="What the sandbox holds">
			${total('deliveries', 'deliveries', all.deliveries.total, states.join(', ') || false)}
			${total('sms-campaigns', 'SMS campaigns', all.smsCampaigns)}
			${total(
				'messages',
				'messages',
				all.smsCampaignContacts + all.smsMessages + all.voiceSmss,
				all.smsCampaignContacts > 0 && `${amount(all.smsCampaignContacts)} of campaigns`,
			)}
			${total('voice-campaigns', 'voice campaigns', all.voiceCampaigns)}
			${total(
				'calls',
				'calls',
				all.calls,
				all.voicePhoneNumbers > 0 && `${amount(all.voicePhoneNumbers)} numbers to call`,
			)}
			${total('stored-numbers', 'stored numbers', all.storedPhoneNumbers)}
			${total('opt-outs', 'opt-outs', all.optOuts)} ${total('requests', 'requests', all.requests)}
		</ul>`,
	);
};
