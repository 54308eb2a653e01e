import { utcText } from '../clock.ts';
import type { CodeSchema } from '../contract.ts';
import { problem } from '../errors.ts';
import { callResult, secondsOf, userInputOf } from '../magicNumbers.ts';
import { sampleEvent, type EventRequest } from '../sampleEvents.ts';
import type { Service } from '../service.ts';
import { defaultClient } from '../settings.ts';
import { form, wholeNumber, type Fields } from './forms.ts';
import { html, type Html, type Part } from './html.ts';
import { counted, foldedSection } from './parts.ts';
import type { Action, View } from './view.ts';

const every = 'every';
const usual = 'usual';
const mostAtOnce = 1000;

const options = ({ contract }: Service, schema: CodeSchema): [string, string][] =>
	[...contract.codeNames(schema)].map(([code, name]) => [String(code), `${String(code)} ${name}`]);

const recipientFields = (fields: Fields): Html =>
	html`${fields.text('phoneNumber', 'Phone number', '+447700900123')}
	${fields.number('count', 'How many', mostAtOnce)}`;

const callForm = (view: View): Html =>
	form(
		view,
		'fire-call',
		(fields) =>
			html`<h3>Call attempted</h3>
				<div class="fields">
					${fields.choice(
						'outcome',
						'Outcome',
						[...options(view.service, 'CallOutcomeCode'), [every, 'Every outcome in turn']],
						true,
					)}
					${fields.choice(
						'stage',
						'Stage',
						[
							[usual, 'Usual for the outcome'],
							...options(view.service, 'CallStageCode'),
							[every, 'Every stage in turn'],
						],
						true,
					)}
					${recipientFields(fields)}
					<button>Fire call event</button>
				</div>`,
	);

const smsForm = (view: View): Html => {
	// Delivered, the usual one, comes first.
	const [sent, delivered, ...others] = options(view.service, 'SmsStatusCode');
	const statuses = [delivered, sent].filter((option) => option !== undefined);
	return form(
		view,
		'fire-sms',
		(fields) =>
			html`<h3>SMS status</h3>
				<div class="fields">
					${fields.choice(
						'statusCode',
						'Status',
						[...statuses, ...others, [every, 'Every status in turn']],
						true,
					)}
					${recipientFields(fields)}
					<button>Fire SMS event</button>
				</div>`,
	);
};

/** Firing any event at the registered URL. */
export const events = (view: View): Part =>
	foldedSection(view, 'events', 'Fire events', html`${callForm(view)} ${smsForm(view)}`);

/** The codes that a field chooses: one, or every one of its kind. */
const chosen = (
	{ contract }: Service,
	schema: CodeSchema,
	fields: URLSearchParams,
	name: string,
): number[] => {
	const text = fields.get(name) ?? '';
	const codes = [...contract.codeNames(schema).keys()];
	if (text === every) return codes;
	const code = codes.find((one) => String(one) === text);
	if (code === undefined) throw problem(400, `There is no ${name} code '${text}'.`);
	return [code];
};

const fire = (service: Service, requests: EventRequest[]): string => {
	service.database.transaction(() => {
		for (const request of requests) sampleEvent(service, request);
	});
	const { clientId } = defaultClient;
	const hasUrl = service.database.get('SELECT 1 FROM webhooks WHERE clientId = ?', clientId);
	const fired = `${counted(requests.length, 'event')} fired for client ${String(clientId)}`;
	return hasUrl ? `${fired}.` : `${fired}, but no URL is registered (see Connect).`;
};

/** Each of them as many times as the form says. */
const repeated = <Item>(fields: URLSearchParams, items: Item[]): Item[] => {
	const count = wholeNumber(fields, 'count', 'How many', mostAtOnce);
	return Array.from({ length: count }, () => items).flat();
};

const phoneNumberOf = (fields: URLSearchParams): string => fields.get('phoneNumber')?.trim() ?? '';

/** The actions of the section. */
export const eventActions: Record<string, Action> = {
	'fire-call': (service, fields) => {
		const outcomes = chosen(service, 'CallOutcomeCode', fields, 'outcome');
		const stages =
			fields.get('stage') === usual
				? [undefined]
				: chosen(service, 'CallStageCode', fields, 'stage');
		const calls = repeated(
			fields,
			outcomes.flatMap((outCome) =>
				stages.map((stage) => ({ outCome, stage: stage ?? callResult(outCome).stage })),
			),
		);
		const now = service.clock.now();
		return fire(
			service,
			// A second apart: two calls that agree in everything would be one and the same event.
			calls.map(({ outCome, stage }, index) => {
				const end = now - (calls.length - 1 - index) * 1000;
				return {
					webHookType: 0,
					data: {
						outCome,
						stage,
						startTime: utcText(end - secondsOf(outCome) * 1000),
						endTime: utcText(end),
						userInput: userInputOf(stage),
						phoneNumber: phoneNumberOf(fields),
					},
				};
			}),
		);
	},
	'fire-sms': (service, fields) =>
		fire(
			service,
			repeated(fields, chosen(service, 'SmsStatusCode', fields, 'statusCode')).map(
				(statusCode) => ({
					webHookType: 1,
					data: { statusCode, phoneNumber: phoneNumberOf(fields) },
				}),
			),
		),
};
