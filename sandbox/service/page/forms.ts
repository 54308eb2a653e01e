import { problem } from '../errors.ts';
import { html, type Html, type Part } from './html.ts';
import type { View } from './view.ts';

/** Where the forms are sent. */
export const actionsPath = '/_sandbox/page';

/** The fields of a form: labelled, and with what was filled in when the form has just been sent. */
export class Fields {
	readonly #action: string;
	readonly #sent: URLSearchParams | undefined;

	constructor({ note }: View, action: string) {
		this.#action = action;
		this.#sent = note?.action === action ? note.fields : undefined;
	}

	/** A text. */
	text(name: string, label: string, value: string): Html {
		return this.#labelled(name, label, (id) => {
			const shown = this.#sent?.get(name) ?? value;
			return html`<input id="${id}" name="${name}" value="${shown}" autocomplete="off" />`;
		});
	}

	/** A whole number from 1 to `max`. */
	number(name: string, label: string, max: number): Html {
		const value = this.#sent?.get(name) ?? '1';
		return this.#labelled(
			name,
			label,
			(id) =>
				html`<input
					id="${id}"
					name="${name}"
					type="number"
					value="${value}"
					min="1"
					max="${max}"
					required
				/>`,
		);
	}

	/** A choice; `isWhole` gives it the whole width. */
	choice(
		name: string,
		label: string,
		options: [value: string, text: string][],
		isWhole = false,
	): Html {
		const chosen = this.#sent?.get(name);
		return this.#labelled(
			name,
			label,
			(id) =>
				html`<select id="${id}" name="${name}">
					${options.map(
						([value, text]) =>
							html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
					)}
				</select>`,
			isWhole,
		);
	}

	#labelled(name: string, label: string, control: (id: string) => Html, isWhole = false): Html {
		const id = `${this.#action}-${name}`;
		return html`<div class="${isWhole && 'whole'}">
			<label for="${id}">${label}</label>
			${control(id)}
		</div>`;
	}
}

/** A form that does an action and comes back to where it was. */
export const form = (view: View, action: string, content: (fields: Fields) => Part): Html =>
	html`<form method="post" action="${actionsPath}/${action}">
		${content(new Fields(view, action))}
	</form>`;

/** A form that is one button. `about` says what it is for, where the text beside it does not reach the ear. */
export const buttonForm = (
	view: View,
	action: string,
	button: { text: string; about?: string; fields?: Record<string, string | number>; id: string },
): Html =>
	form(
		view,
		action,
		() =>
			html`${Object.entries(button.fields ?? {}).map(
					([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
				)}<button
					id="${button.id}"
					class="minor"
					${button.about !== undefined && html`aria-label="${button.text}: ${button.about}"`}
				>
					${button.text}
				</button>`,
	);

/** A whole number of a form, from 1 to `max`; what is wrong with it otherwise. */
export const wholeNumber = (
	fields: URLSearchParams,
	name: string,
	label: string,
	max: number,
): number => {
	const value = fields.get(name)?.trim() ?? '';
	if (!/^\d+$/.test(value) || Number(value) < 1 || Number(value) > max) {
		throw problem(400, `${label} must be a whole number from 1 to ${String(max)}, not '${value}'.`);
	}
	return Number(value);
};
