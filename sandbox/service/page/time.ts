import { localText, utcText } from '../clock.ts';
import { problem } from '../errors.ts';
import type { Service } from '../service.ts';
import { buttonForm, form, wholeNumber } from './forms.ts';
import { html, type Part } from './html.ts';
import { facts, live, foldedSection, wholeMoment } from './parts.ts';
import { zoneOf, type Action, type View } from './view.ts';

const units: Record<string, number> = { hours: 3600, minutes: 60, seconds: 1, days: 86_400 };
const longest = 1_000_000;

/** Advancing the clock. */
export const time = (view: View): Part => {
	const { clock } = view.service;
	const due = clock.nextDue;
	return foldedSection(
		view,
		'time',
		'Clock',
		html`${live(
			'time-live',
			html`${facts([
				['Now', wholeMoment(view, clock.nowIso())],
				['Time zone', zoneOf(view.service)],
				['Next due', due === undefined ? 'Nothing is due' : wholeMoment(view, utcText(due))],
			])}
			${
				due !== undefined &&
				buttonForm(view, 'next', { text: 'Advance to what is due next', id: 'next' })
			}`,
		)}
		${form(
			view,
			'advance',
			(fields) =>
				html`<div class="fields">
					${fields.number('amount', 'Advance by', longest)}
					${fields.choice(
						'unit',
						'Unit',
						Object.keys(units).map((unit) => [unit, unit]),
					)}
					<button>Advance the clock</button>
				</div>`,
		)}`,
	);
};

const advance = (service: Service, moment: number): string => {
	service.clock.goTo(moment);
	const now = localText(service.clock.now(), zoneOf(service));
	return `It is now ${now.slice(0, 19).replace('T', ' ')} (${zoneOf(service)}).`;
};

/** The actions of the section. */
export const timeActions: Record<string, Action> = {
	advance: (service, fields) => {
		const unit = fields.get('unit') ?? '';
		const seconds = Object.hasOwn(units, unit) ? units[unit] : undefined;
		if (seconds === undefined) throw problem(400, `There is no unit of time '${unit}'.`);
		const amount = wholeNumber(fields, 'amount', 'The time to advance by', longest);
		return advance(service, service.clock.now() + amount * seconds * 1000);
	},
	next: (service) => {
		const due = service.clock.nextDue;
		if (due === undefined) throw problem(409, 'Nothing is due any more.');
		return advance(service, due);
	},
};
