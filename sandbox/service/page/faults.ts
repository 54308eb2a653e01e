import { isDeepStrictEqual } from 'node:util';
import { problem } from '../errors.ts';
import { faultKind, faultKinds } from '../faultKinds.ts';
import type { Fault, FaultRequest } from '../faults.ts';
import type { Service } from '../service.ts';
import type { DeliverySettings } from '../settings.ts';
import { changeSettings } from '../steering.ts';
import { buttonForm, form, wholeNumber } from './forms.ts';
import { html, type Html, type Part } from './html.ts';
import { badge, counted, details, live, section } from './parts.ts';
import type { Action, View } from './view.ts';

/** Something that can go wrong at the push of a button. */
interface Switch {
	name: string;
	what: string;
	isOn: (service: Service) => boolean;
	turn: (service: Service, on: boolean) => void;
}

const isSet = (request: FaultRequest, { match, times, skip, fault }: Fault): boolean =>
	isDeepStrictEqual({ ...request }, { times, fault }) && match === undefined && skip === undefined;

/** The faults of requests that have a switch. */
const requestSwitches: FaultRequest[] = [];

const requestSwitch = (name: string, what: string, fault: FaultRequest['fault']): Switch => {
	const request: FaultRequest = { times: 'always', fault };
	requestSwitches.push(request);
	const set = ({ faults }: Service) => faults.list().filter((one) => isSet(request, one));
	return {
		name,
		what,
		isOn: (service) => set(service).length > 0,
		turn: (service, on) => {
			for (const { id } of set(service)) service.faults.clear(id);
			if (on) service.faults.add(request);
		},
	};
};

const deliverySwitch = <Key extends keyof DeliverySettings>(
	name: string,
	what: string,
	key: Key,
	[off, on]: [DeliverySettings[Key], DeliverySettings[Key]],
): Switch => ({
	name,
	what,
	isOn: ({ settings }) => settings.current.deliveries[key] !== off,
	turn: (service, isOn) => void changeSettings(service, { deliveries: { [key]: isOn ? on : off } }),
});

const switches: Record<string, Switch> = {
	error: requestSwitch('Server error', 'Every request gets a 500.', {
		kind: 'status',
		status: 500,
	}),
	unavailable: requestSwitch('Out of service', '503 with Retry-After: 5.', {
		kind: 'status',
		status: 503,
		retryAfter: 5,
	}),
	limit: requestSwitch('Rate limit', '429 with Retry-After: 2.', {
		kind: 'status',
		status: 429,
		retryAfter: 2,
	}),
	slow: requestSwitch('Slow', 'Every response takes 3 seconds.', { kind: 'delay', delayMs: 3000 }),
	cut: requestSwitch('Connection cut', 'The connection closes before the request is carried out.', {
		kind: 'cut',
	}),
	broken: requestSwitch(
		'Broken JSON',
		'The request is carried out, but half of the response is missing.',
		{
			kind: 'brokenJson',
		},
	),
	login: requestSwitch('Sign-in page', 'A web page with status 200 instead of JSON.', {
		kind: 'html',
	}),
	hold: deliverySwitch(
		'Events held back',
		'Events stay pending until you switch this off.',
		'paused',
		[false, true],
	),
	twice: deliverySwitch(
		'Events twice',
		'Every event is delivered a second time.',
		'duplicates',
		[0, 1],
	),
	reorder: deliverySwitch(
		'Events out of order',
		'Ten pending events at a time are delivered in reverse order.',
		'reorder',
		[0, 10],
	),
};

const shownSwitch = (view: View, id: string, { name, what, isOn }: Switch): Html => {
	const on = isOn(view.service);
	return html`<li>
		<div>
			<strong>${name}</strong> ${badge(on ? 'On' : 'Off', on ? 'bad' : 'plain')}
			<small>${what}</small>
		</div>
		${buttonForm(view, 'switch', {
			text: on ? 'Switch off' : 'Switch on',
			about: name,
			fields: { id, on: on ? 'no' : 'yes' },
			id: `switch-${id}`,
		})}
	</li>`;
};

const describe = ({ match = {}, skip, every, limit, fault }: Fault): string =>
	[
		`${faultKind(fault.kind).text}${fault.status === undefined ? '' : ` (${String(fault.status)})`}`,
		fault.retryAfter !== undefined && `Retry-After ${String(fault.retryAfter)}`,
		fault.delayMs !== undefined && `${String(fault.delayMs)} ms`,
		`for ${[match.method, match.path, match.operationId].filter((part) => part).join(' ') || 'every request'}`,
		fault.when !== undefined && `${fault.when} it is carried out`,
		every !== undefined && `every ${String(every)}. one`,
		limit !== undefined &&
			`above ${counted(limit.requests, 'request')} in ${counted(limit.seconds, 'second')}`,
		skip !== undefined && `after ${counted(skip, 'more request')}`,
	]
		.filter((part) => part !== false)
		.join(', ');

const shownFault = (view: View, fault: Fault): Html =>
	html`<li>
		<div>
			${describe(fault)}
			<small>
				${fault.left === 'always' ? 'Always' : `${counted(fault.left, 'more request')}`}, hit
				${counted(fault.hits, 'time')}
			</small>
		</div>
		${buttonForm(view, 'remove-fault', {
			text: 'Remove',
			about: describe(fault),
			fields: { id: fault.id },
			id: `remove-fault-${String(fault.id)}`,
		})}
	</li>`;

const shownFaults = (view: View): Part => {
	const isSwitch = (fault: Fault) => requestSwitches.some((request) => isSet(request, fault));
	const set = view.service.faults.list().filter((fault) => !isSwitch(fault));
	return (
		set.length > 0 &&
		html`<h3>Other faults</h3>
			<ul class="rows">
				${set.map((fault) => shownFault(view, fault))}
			</ul>
			${buttonForm(view, 'clear-faults', { text: 'Remove all faults', id: 'clear-faults' })}`
	);
};

const faultForm = (view: View): Html =>
	form(
		view,
		'add-fault',
		(fields) =>
			html`<div class="fields">
				${fields.choice(
					'kind',
					'Fault',
					Object.entries(faultKinds).map(([kind, { text }]) => [kind, text]),
				)}
				${fields.select('when', 'When', [
					['', 'As usual for the fault'],
					['before', 'Before the request is carried out'],
					['after', 'After the request is carried out'],
				])}
				${fields.choice('operationId', 'Operation', [
					['', 'Every request'],
					...view.service.contract.operations.map(({ operationId }): [string, string] => [
						operationId,
						operationId,
					]),
				])}
				${fields.input('times', {
					label: 'Times',
					type: 'number',
					min: 1,
					hint: 'Empty: always',
					value: '1',
				})}
				${fields.input('every', {
					label: 'Every N-th',
					type: 'number',
					min: 1,
					hint: 'Empty: every request',
				})}
				${fields.input('limit', {
					label: 'Requests per second',
					type: 'number',
					min: 0,
					hint: 'Only requests above this rate',
				})}
				${fields.input('status', {
					label: 'Status',
					type: 'number',
					min: 200,
					max: 599,
					hint: 'Of the response',
				})}
				${fields.input('retryAfter', {
					label: 'Retry-After',
					hint: 'Seconds or a date',
				})}
				${fields.input('delayMs', { label: 'Delay in milliseconds', type: 'number', min: 0 })}
				<button>Add fault</button>
			</div>`,
	);

/** Switching faults on and off. */
export const faults = (view: View): Part =>
	section(
		view,
		'faults',
		'Faults',
		html`${live(
			'faults-live',
			html`<ul class="rows">
					${Object.entries(switches).map(([id, one]) => shownSwitch(view, id, one))}
				</ul>
				${shownFaults(view)}`,
		)}
		${details('another-fault', 'Another fault', faultForm(view), view.note?.action === 'add-fault')}`,
	);

const optionalNumber = (
	fields: URLSearchParams,
	name: string,
	range: { label: string; min: number; max: number },
): number | undefined =>
	(fields.get(name) ?? '').trim() === '' ? undefined : wholeNumber(fields, name, range);

/** The actions of the section. */
export const faultActions: Record<string, Action> = {
	switch: (service, fields) => {
		const id = fields.get('id') ?? '';
		const one = Object.hasOwn(switches, id) ? switches[id] : undefined;
		if (!one) throw problem(404, `There is no switch '${id}'.`);
		const on = fields.get('on') === 'yes';
		one.turn(service, on);
		return `${one.name}: ${on ? 'on' : 'off'}.`;
	},
	'add-fault': (service, fields) => {
		const max = Number.MAX_SAFE_INTEGER;
		const times = optionalNumber(fields, 'times', { label: 'Times', min: 1, max });
		const status = optionalNumber(fields, 'status', { label: 'The status', min: 200, max: 599 });
		const delayMs = optionalNumber(fields, 'delayMs', { label: 'The delay', min: 0, max });
		const every = optionalNumber(fields, 'every', { label: 'Every N-th', min: 1, max });
		const limit = optionalNumber(fields, 'limit', { label: 'Requests per second', min: 0, max });
		const when = fields.get('when') ?? '';
		const retryAfter = fields.get('retryAfter')?.trim() ?? '';
		const operationId = fields.get('operationId') ?? '';
		const fault = service.faults.add({
			...(operationId === '' ? {} : { match: { operationId } }),
			times: times ?? 'always',
			...(every === undefined ? {} : { every }),
			...(limit === undefined ? {} : { limit: { requests: limit, seconds: 1 } }),
			fault: {
				kind: fields.get('kind'),
				...(when === '' ? {} : { when }),
				...(status === undefined ? {} : { status }),
				...(delayMs === undefined ? {} : { delayMs }),
				...(retryAfter === '' ? {} : { retryAfter }),
			},
		});
		return `Added: ${describe(fault)}.`;
	},
	'remove-fault': ({ faults: set }, fields) => {
		set.clear(Number(fields.get('id') ?? ''));
		return 'The fault was removed.';
	},
	'clear-faults': ({ faults: set }) => {
		set.clear();
		return 'All faults were removed.';
	},
};
