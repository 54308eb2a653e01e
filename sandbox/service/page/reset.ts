import { buttonForm } from './forms.ts';
import { html, type Part } from './html.ts';
import { details, section } from './parts.ts';
import type { Action, View } from './view.ts';

/** Forgetting everything; opened before it can be pushed. */
export const reset = (view: View): Part =>
	section(
		view,
		'reset',
		'Start over',
		details(
			'reset-details',
			'Forget everything ...',
			html`<p>
					All campaigns, messages, calls, stored numbers, deliveries, requests, the registered
					webhook, faults, settings and the pushed time. This cannot be undone.
				</p>
				${buttonForm(view, 'reset', { text: 'Forget everything', id: 'reset-button' })}`,
		),
	);

/** The action of the section. */
export const resetActions: Record<string, Action> = {
	reset: (service) => {
		service.reset();
		return 'Everything is forgotten. Republish your workflow to register its webhook again.';
	},
};
