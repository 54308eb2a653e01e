import { utcText } from '../clock.ts';
import type { CodeSchema } from '../contract.ts';
import { problem } from '../errors.ts';
import { callResult, secondsOf, userInputOf } from '../magicNumbers.ts';
import type { Service } from '../service.ts';
import { addEvent, type EventRequest } from '../steering.ts';
import { form, wholeNumber, type Fields } from './forms.ts';
import { html, type Html, type Part } from './html.ts';
import { counted, details, section } from './parts.ts';
import type { Action, View } from './view.ts';

const every = 'every';
const usual = 'usual';
const mostAtOnce = 1000;
const samplePhoneNumber = '+447700900123';

const options = ({ contract }: Service, schema: CodeSchema): [string, string][] =>
	[...contract.codeNames(schema)].map(([code, name]) => [String(code), `${String(code)} ${name}`]);

const clientField = ({ service }: View, fields: Fields): Html | false => {
	const { clients } = service.settings.current;
	return (
		clients.length > 1 &&
		fields.select(
			'clientId',
			'Client',
			clients.map(({ clientId }) => [String(clientId), String(clientId)]),
		)
	);
};

const commonFields = (view: View, fields: Fields): Html =>
	html`${fields.input('phoneNumber', {
		label: 'Phone number',
		type: 'tel',
		value: samplePhoneNumber,
	})}
	${clientField(view, fields)}
	${fields.input('count', {
		label: 'How many',
		type: 'number',
		value: '1',
		min: 1,
		max: mostAtOnce,
		required: true,
	})}`;

const callForm = (view: View): Html =>
	form(
		view,
		'fire-call',
		(fields) =>
			html`<h3>Call attempted</h3>
				<div class="fields">
					${fields.choice('outcome', 'Outcome', [
						...options(view.service, 'CallOutcomeCode'),
						[every, 'Every outcome in turn'],
					])}
					${fields.choice('stage', 'Stage', [
						[usual, 'Usual for the outcome'],
						...options(view.service, 'CallStageCode'),
						[every, 'Every stage in turn'],
					])}
					${commonFields(view, fields)}
					<button>Fire call event</button>
				</div>`,
	);

const smsForm = (view: View): Html => {
	// Delivered, the usual one, comes first.
	const [sent, delivered, ...others] = options(view.service, 'SmsStatusCode');
	return form(
		view,
		'fire-sms',
		(fields) =>
			html`<h3>SMS status</h3>
				<div class="fields">
					${fields.choice('statusCode', 'Status', [
						...[delivered, sent].filter((option) => option !== undefined),
						...others,
						[every, 'Every status in turn'],
					])}
					${commonFields(view, fields)}
					<button>Fire SMS event</button>
				</div>`,
	);
};

const otherForm = (view: View): Html =>
	form(
		view,
		'fire-other',
		(fields) =>
			html`<div class="fields">
				${fields.input('webHookType', {
					label: 'webHookType',
					type: 'number',
					value: '2',
					required: true,
				})}
				${clientField(view, fields)} ${fields.area('data', 'data (a JSON object)', '{}')}
				<button>Fire this event</button>
			</div>`,
	);

/** Firing any event at the registered URL. */
export const events = (view: View): Part =>
	section(
		view,
		'events',
		'Fire events',
		html`${callForm(view)} ${smsForm(view)}
		${details('other-event', 'Other event', otherForm(view), view.note?.action === 'fire-other')}`,
	);

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

const clientOf = ({ settings }: Service, fields: URLSearchParams): number => {
	const text = fields.get('clientId') ?? String(settings.defaultClient.clientId);
	const client = settings.client(Number(text));
	if (!client) throw problem(400, `Client ${text} is not known.`);
	return client.clientId;
};

const fire = (
	service: Service,
	fields: URLSearchParams,
	kinds: Omit<EventRequest, 'clientId'>[],
): string => {
	const clientId = clientOf(service, fields);
	service.database.transaction(() => {
		for (const event of kinds) addEvent(service, { clientId, ...event });
	});
	const hasUrl = service.database.get('SELECT 1 FROM webhooks WHERE clientId = ?', clientId);
	const fired = `${counted(kinds.length, 'event')} fired for client ${String(clientId)}`;
	return hasUrl ? `${fired}.` : `${fired}, but no URL is registered (see Webhook).`;
};

/** Each of them as many times as the form says. */
const repeated = <Item>(fields: URLSearchParams, items: Item[]): Item[] => {
	const count = wholeNumber(fields, 'count', { label: 'How many', min: 1, max: mostAtOnce });
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
			fields,
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
			fields,
			repeated(fields, chosen(service, 'SmsStatusCode', fields, 'statusCode')).map(
				(statusCode) => ({
					webHookType: 1,
					data: { statusCode, phoneNumber: phoneNumberOf(fields) },
				}),
			),
		),
	'fire-other': (service, fields) => {
		const webHookType = wholeNumber(fields, 'webHookType', {
			label: 'webHookType',
			min: Number.MIN_SAFE_INTEGER,
			max: Number.MAX_SAFE_INTEGER,
		});
		let data: unknown;
		try {
			data = JSON.parse(fields.get('data') ?? '');
		} catch (error) {
			throw problem(400, `data is not valid JSON: ${(error as Error).message}`);
		}
		if (typeof data !== 'object' || data === null || Array.isArray(data)) {
			throw problem(400, 'data must be a JSON object, for example {"key": "value"}.');
		}
		return fire(service, fields, [{ webHookType, data: data as Record<string, unknown> }]);
	},
};
