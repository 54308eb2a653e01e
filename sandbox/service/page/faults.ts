import { isDeepStrictEqual } from 'node:util';
import { problem } from '../errors.ts';
import type { Fault, FaultEffect } from '../faults.ts';
import type { Service } from '../service.ts';
import type { DeliverySettings } from '../settings.ts';
import { buttonForm } from './forms.ts';
import { html, type Html, type Part } from './html.ts';
import { badge, counted, live, foldedSection } from './parts.ts';
import type { Action, View } from './view.ts';

/** Something that can go wrong at the push of a button: of all requests, or of the deliveries. */
interface Switch {
	name: string;
	what: string;
	fault?: FaultEffect;
	deliveries?: Partial<DeliverySettings>;
}

const switches: Record<string, Switch> = {
	error: {
		name: 'Server error',
		what: 'Every request gets a 500.',
		fault: { kind: 'status', status: 500 },
	},
	unavailable: {
		name: 'Out of service',
		what: '503 with Retry-After: 5.',
		fault: { kind: 'status', status: 503, retryAfter: 5 },
	},
	limit: {
		name: 'Rate limit',
		what: '429 with Retry-After: 2.',
		fault: { kind: 'status', status: 429, retryAfter: 2 },
	},
	slow: {
		name: 'Slow',
		what: 'Every response takes 3 seconds.',
		fault: { kind: 'delay', delayMs: 3000 },
	},
	cut: {
		name: 'Connection cut',
		what: 'The connection closes before the request is carried out.',
		fault: { kind: 'cut' },
	},
	accepted: {
		name: 'Response lost',
		what: 'The connection closes after the request is carried out.',
		fault: { kind: 'cutAfterAccept' },
	},
	login: {
		name: 'Sign-in page',
		what: 'A web page with status 200 instead of JSON.',
		fault: { kind: 'html' },
	},
	hold: {
		name: 'Events held back',
		what: 'Events stay pending until you switch this off.',
		deliveries: { paused: true },
	},
	twice: {
		name: 'Events twice',
		what: 'Every event is delivered a second time.',
		deliveries: { duplicates: 1 },
	},
	reorder: {
		name: 'Events out of order',
		what: 'The latest pending event is delivered first.',
		deliveries: { reorder: true },
	},
};

const off = { paused: false, duplicates: 0, reorder: false };

/** The settings of the deliveries that a switch changes. */
const settingsOf = ({ deliveries = {} }: Switch) => Object.keys(deliveries) as (keyof typeof off)[];

const isSet = ({ fault }: Switch, set: Fault): boolean =>
	set.left === 'always' && set.match === undefined && isDeepStrictEqual(set.fault, fault);

const isOn = ({ faults, settings }: Service, one: Switch): boolean =>
	faults.list().some((set) => isSet(one, set)) ||
	settingsOf(one).some((name) => settings.current.deliveries[name] !== off[name]);

const turn = ({ deliveries, faults, settings }: Service, one: Switch, on: boolean): void => {
	for (const set of faults.list()) if (isSet(one, set)) faults.clear(set.id);
	if (on && one.fault) faults.add({ times: 'always', fault: one.fault });
	const restored = Object.fromEntries(settingsOf(one).map((name) => [name, off[name]]));
	settings.change({ deliveries: (on && one.deliveries) || restored });
	deliveries.wake();
};

const shownSwitch = (view: View, [id, one]: [string, Switch]): Html => {
	const on = isOn(view.service, one);
	return html`<li>
		<div>
			<strong>${one.name}</strong> ${badge(on ? 'On' : 'Off', on ? 'bad' : 'plain')}
			<small>${one.what}</small>
		</div>
		${buttonForm(view, 'switch', {
			text: on ? 'Switch off' : 'Switch on',
			about: one.name,
			fields: { id, on: on ? 'no' : 'yes' },
			id: `switch-${id}`,
		})}
	</li>`;
};

const shownFaults = (view: View): Part => {
	const set = view.service.faults
		.list()
		.filter((fault) => !Object.values(switches).some((one) => isSet(one, fault)));
	return (
		set.length > 0 &&
		html`<h3>Other faults</h3>
			<ul class="rows">
				${set.map(
					({ match, fault, left, hits }) =>
						html`<li>
							<div>
								<code>${JSON.stringify({ match, fault })}</code>
								<small>
									${left === 'always' ? 'Always' : counted(left, 'more request')}, hit
									${counted(hits, 'time')}
								</small>
							</div>
						</li>`,
				)}
			</ul>
			${buttonForm(view, 'clear-faults', { text: 'Remove all faults', id: 'clear-faults' })}`
	);
};

/** Switching faults on and off. Faults that the control API has added are listed below. */
export const faults = (view: View): Part =>
	foldedSection(
		view,
		'faults',
		'Faults',
		live(
			'faults-live',
			html`<ul class="rows">
					${Object.entries(switches).map((one) => shownSwitch(view, one))}
				</ul>
				${shownFaults(view)}`,
		),
	);

/** The actions of the section. */
export const faultActions: Record<string, Action> = {
	switch: (service, fields) => {
		const id = fields.get('id') ?? '';
		const one = Object.hasOwn(switches, id) ? switches[id] : undefined;
		if (!one) throw problem(404, `There is no switch '${id}'.`);
		const on = fields.get('on') === 'yes';
		turn(service, one, on);
		return `${one.name}: ${on ? 'on' : 'off'}.`;
	},
	'clear-faults': ({ faults: set }) => {
		set.clear();
		return 'All faults were removed.';
	},
};
