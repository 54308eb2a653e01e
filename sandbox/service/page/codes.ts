import type { CodeSchema } from '../contract.ts';
import type { Service } from '../service.ts';
import { outcome, smsStatus } from '../magicNumbers.ts';
import { html, type Html } from './html.ts';
import { badge, type Tone } from './parts.ts';

/** The name of a code, or the code itself where the interface has none. */
export const codeName = ({ contract }: Service, schema: CodeSchema, code: unknown): string =>
	contract.codeNames(schema).get(Number(code)) ?? `Code ${String(code)}`;

const toneOfSms = (code: unknown): Tone => {
	switch (code) {
		case smsStatus.delivered:
			return 'good';
		case smsStatus.sent:
		case smsStatus.accepted:
			return 'waiting';
		default:
			return 'bad';
	}
};

/** The state of a message. */
export const smsBadge = (service: Service, code: unknown): Html =>
	badge(codeName(service, 'SmsStatusCode', code), toneOfSms(code));

/** The outcome of a call. */
export const outcomeBadge = (service: Service, code: unknown): Html =>
	badge(
		codeName(service, 'CallOutcomeCode', code),
		code === outcome.answered ? 'good' : code === outcome.unknown ? 'plain' : 'bad',
	);

/** The stage of a call, where it says more than the outcome. */
export const stageNote = (
	service: Service,
	outcomeCode: unknown,
	stageCode: unknown,
): Html | false => {
	const name = codeName(service, 'CallStageCode', stageCode);
	return name !== codeName(service, 'CallOutcomeCode', outcomeCode) && html`<small>${name}</small>`;
};
