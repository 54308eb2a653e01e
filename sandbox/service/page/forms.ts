import { problem } from '../errors.ts';
import { html, type Html, type Part } from './html.ts';
import { addressOf, type View } from './view.ts';

/** Where the forms are sent. */
export const actionsPath = '/_sandbox/page';

/** Attributes of an input. */
export interface InputOptions {
	label: string;
	value?: string;
	type?: 'text' | 'number' | 'tel';
	min?: number;
	max?: number;
	required?: boolean;
	hint?: string;
}

/** The fields of a form: labelled, and with what was filled in when the form has just been sent. */
export class Fields {
	readonly #action: string;
	readonly #sent: URLSearchParams | undefined;

	constructor({ note }: View, action: string) {
		this.#action = action;
		this.#sent = note?.action === action ? note.fields : undefined;
	}

	input(name: string, { label, hint, type = 'text', ...options }: InputOptions): Html {
		const { value = '', min, max, required = false } = options;
		return this.#labelled(
			{ name, label, hint },
			(id) =>
				html`<input
					id="${id}"
					name="${name}"
					type="${type}"
					value="${this.#sent?.get(name) ?? value}"
					autocomplete="off"
					${min === undefined ? '' : html`min="${min}"`}
					${max === undefined ? '' : html`max="${max}"`}
					${required && html`required`}
					${hint !== undefined && html`aria-describedby="${id}-hint"`}
				/>`,
		);
	}

	/** A choice between short texts. */
	select(name: string, label: string, options: [value: string, text: string][]): Html {
		return this.#options(name, label, options, false);
	}

	/** A choice between texts that need the whole width. */
	choice(name: string, label: string, options: [value: string, text: string][]): Html {
		return this.#options(name, label, options, true);
	}

	area(name: string, label: string, value: string): Html {
		return this.#labelled(
			{ name, label, isWhole: true },
			(id) =>
				html`<textarea id="${id}" name="${name}" rows="3" spellcheck="false">
${this.#sent?.get(name) ?? value}</textarea>`,
		);
	}

	#options(
		name: string,
		label: string,
		options: [value: string, text: string][],
		isWhole: boolean,
	): Html {
		const chosen = this.#sent?.get(name);
		return this.#labelled(
			{ name, label, isWhole },
			(id) =>
				html`<select id="${id}" name="${name}">
					${options.map(
						([value, text]) =>
							html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
					)}
				</select>`,
		);
	}

	#labelled(
		field: { name: string; label: string; hint?: string | undefined; isWhole?: boolean },
		control: (id: string) => Html,
	): Html {
		const { name, label, hint, isWhole = false } = field;
		const id = `${this.#action}-${name}`;
		return html`<div class="field ${isWhole && 'whole'}">
			<label for="${id}">${label}</label>
			${control(id)} ${hint !== undefined && html`<small id="${id}-hint">${hint}</small>`}
		</div>`;
	}
}

/** A form that does an action and comes back to where it was. */
export const form = (view: View, action: string, content: (fields: Fields) => Part): Html =>
	html`<form method="post" action="${actionsPath}/${action}">
		<input type="hidden" name="back" value="${addressOf(view.selection)}" />
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
					class="small"
					${button.about !== undefined && html`aria-label="${button.text}: ${button.about}"`}
				>
					${button.text}
				</button>`,
	);

/** A whole number of a form; what is wrong with it otherwise. */
export const wholeNumber = (
	fields: URLSearchParams,
	name: string,
	{ label, min, max }: { label: string; min: number; max: number },
): number => {
	const text = fields.get(name)?.trim() ?? '';
	const value = Number(text);
	if (text === '' || !Number.isInteger(value) || value < min || value > max) {
		throw problem(
			400,
			`${label} must be a whole number from ${String(min)} to ${String(max)}, not '${text}'.`,
		);
	}
	return value;
};
