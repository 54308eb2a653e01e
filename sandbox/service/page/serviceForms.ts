import { DateTime } from 'luxon';
import { problem } from '../errors.ts';
import type { ServiceRequest } from '../serviceCall.ts';
import type { Service } from '../service.ts';
import { form, type Fields } from './forms.ts';
import { html, type Html, type Part } from './html.ts';
import { details, section, shortened } from './parts.ts';
import { zoneOf, type Action, type View } from './view.ts';

const samplePhoneNumber = '+447700900123';
const longestResponse = 500;

const inDetails = (
	view: View,
	[action, title, button]: [string, string, string],
	fields: (fields: Fields) => Part,
): Html =>
	details(
		`${action}-details`,
		title,
		form(
			view,
			action,
			(all) =>
				html`<div class="fields">
					${fields(all)}
					<button>${button}</button>
				</div>`,
		),
		view.note?.action === action,
	);

/** The day after today in the service's zone. */
const tomorrow = ({ clock, settings }: Service): string =>
	DateTime.fromMillis(clock.now(), { zone: settings.current.conventions.timeZone })
		.plus({ days: 1 })
		.toFormat('yyyy-MM-dd');

const numbersField = (fields: Fields): Html =>
	fields.area('numbers', 'Phone numbers, one per line', samplePhoneNumber);

/** Requests to the service without n8n. */
export const serviceForms = (view: View): Part =>
	section(
		view,
		'service',
		'Send',
		html`<p>Send a request as client ${view.service.settings.defaultClient.clientId}.</p>
			${inDetails(view, ['send-message', 'Send an SMS message', 'Send message'], (fields) => [
				fields.input('sender', { label: 'Sender', value: 'Shop' }),
				fields.input('phoneNumber', {
					label: 'Phone number',
					type: 'tel',
					value: samplePhoneNumber,
				}),
				fields.area('message', 'Message', 'Hello'),
			])}
			${inDetails(
				view,
				['create-sms-campaign', 'Create an SMS campaign', 'Create SMS campaign'],
				(fields) => [
					fields.input('sender', { label: 'Sender', value: 'Shop' }),
					fields.input('startDateTime', {
						label: 'Start',
						hint: 'e.g. 2030-01-31T09:00:00Z; empty: now',
					}),
					fields.area('message', 'Message', 'Hello'),
					numbersField(fields),
				],
			)}
			${inDetails(
				view,
				['create-voice-campaign', 'Create a voice campaign', 'Create voice campaign'],
				(fields) => [
					fields.input('name', { label: 'Name', value: 'Reminder' }),
					fields.input('startDate', {
						label: 'Start date',
						value: tomorrow(view.service),
						hint: zoneOf(view.service),
					}),
					fields.input('startTime', { label: 'Start time', value: '09:00' }),
					fields.input('finishTime', { label: 'Finish time', value: '17:00' }),
					numbersField(fields),
				],
			)}
			${inDetails(view, ['register', 'Register a webhook URL', 'Register URL'], (fields) =>
				fields.input('url', { label: 'URL', hint: 'Empty: removes the URL' }),
			)}`,
	);

const valuesOf = (fields: URLSearchParams, names: string[]): Record<string, string> =>
	Object.fromEntries(
		names.map((name) => [name, fields.get(name)?.trim() ?? '']).filter(([, value]) => value !== ''),
	) as Record<string, string>;

const numbersOf = (fields: URLSearchParams): string[] =>
	(fields.get('numbers') ?? '')
		.split(/\r?\n/)
		.map((line) => line.trim())
		.filter((line) => line !== '');

/** An action that sends one request and says what the service responded. */
const sending =
	(requestOf: (fields: URLSearchParams, service: Service) => ServiceRequest): Action =>
	async (service, fields, call) => {
		const { status, text } = await call(requestOf(fields, service));
		const response = `Response ${String(status)}${text === '' ? '' : `: ${shortened(text, longestResponse)}`}`;
		if (status >= 300) throw problem(400, response);
		return response;
	};

/** The actions of the section. */
export const serviceActions: Record<string, Action> = {
	'send-message': sending((fields) => ({
		method: 'POST',
		url: '/api/SMSMessages',
		body: valuesOf(fields, ['sender', 'phoneNumber', 'message']),
	})),
	'create-sms-campaign': sending((fields) => ({
		method: 'POST',
		url: '/api/Campaigns',
		body: {
			...valuesOf(fields, ['sender', 'startDateTime', 'message']),
			contacts: numbersOf(fields).map((phoneNumber) => ({ phoneNumber })),
		},
	})),
	'create-voice-campaign': sending((fields, { settings }) => ({
		method: 'POST',
		url: '/api/campaigns/voice',
		body: {
			...valuesOf(fields, ['name', 'startDate', 'startTime', 'finishTime']),
			callflow_Id: settings.defaultClient.callFlowIds[0],
			defaultCli_Id: settings.defaultClient.cliIds[0],
			answerMachineDetected: 0,
			smsOnBusy: 0,
			phoneNumbers: numbersOf(fields).map((number) => ({ number })),
		},
	})),
	register: sending((fields, { settings }) => ({
		method: 'POST',
		url: `/api/integrations/UpdateWebHook?${new URLSearchParams({ url: fields.get('url')?.trim() ?? '' }).toString()}`,
		clientId: settings.defaultClient.clientId,
	})),
};
