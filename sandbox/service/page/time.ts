import { problem } from '../errors.ts';
import { localText, utcText } from '../clock.ts';
import type { Service } from '../service.ts';
import { pushTime } from '../steering.ts';
import { buttonForm, form, wholeNumber } from './forms.ts';
import { html, type Part } from './html.ts';
import { amount, counted, facts, live, section, wholeMoment } from './parts.ts';
import { zoneOf, type Action, type View } from './view.ts';

const units = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const;
type Unit = keyof typeof units;

const isUnit = (text: string): text is Unit => Object.hasOwn(units, text);

/** A span of time in its two largest units. */
const spanOf = (milliseconds: number): string => {
	let seconds = Math.round(milliseconds / 1000);
	const parts: string[] = [];
	for (const [unit, length] of Object.entries(units).reverse()) {
		const whole = Math.floor(seconds / length);
		seconds -= whole * length;
		if (whole > 0) parts.push(counted(whole, unit));
	}
	return parts.slice(0, 2).join(' ') || '0 seconds';
};

/** Advancing the clock. */
export const time = (view: View): Part => {
	const { clock, simulation } = view.service;
	const due = simulation.nextDue;
	return section(
		view,
		'time',
		'Clock',
		html`${live(
			'time-live',
			html`${facts([
				['Now', wholeMoment(view, clock.nowIso())],
				['Time zone', zoneOf(view.service)],
				['Seconds per real second', amount(clock.rate)],
				['Status', clock.status === 'ready' ? 'Ready' : 'Advancing'],
				['Advanced by', spanOf(clock.offset)],
				['Next due', due === undefined ? 'Nothing is due' : wholeMoment(view, utcText(due))],
			])}
			${
				due !== undefined &&
				due > clock.now() &&
				buttonForm(view, 'next', { text: 'Advance to what is due next', id: 'next' })
			}`,
		)}
		${form(
			view,
			'advance',
			(fields) =>
				html`<div class="fields">
					${fields.input('amount', {
						label: 'Advance by',
						type: 'number',
						value: '1',
						min: 1,
						max: 1_000_000,
						required: true,
					})}
					${fields.select(
						'unit',
						'Unit',
						(['hour', 'minute', 'second', 'day'] satisfies Unit[]).map((unit) => [
							unit,
							`${unit}s`,
						]),
					)}
					<button>Advance the clock</button>
				</div>`,
		)}`,
	);
};

const nowText = (service: Service): string => {
	const now = localText(service.clock.now(), zoneOf(service));
	return `It is now ${now.slice(0, 19).replace('T', ' ')} (${zoneOf(service)}).`;
};

/** The actions of the section. */
export const timeActions: Record<string, Action> = {
	advance: async (service, fields) => {
		const unit = fields.get('unit') ?? '';
		if (!isUnit(unit)) throw problem(400, `There is no unit of time '${unit}'.`);
		const value = wholeNumber(fields, 'amount', {
			label: 'The time to advance by',
			min: 1,
			max: 1_000_000,
		});
		await pushTime(service, value * units[unit] * 1000);
		return nowText(service);
	},
	next: async (service) => {
		const due = service.simulation.nextDue;
		if (due === undefined) throw problem(409, 'Nothing is due any more.');
		await pushTime(service, Math.max(0, due - service.clock.now()));
		return nowText(service);
	},
};
