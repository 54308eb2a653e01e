import { buttonForm } from './forms.ts';
import { html, type Part } from './html.ts';
import { details, section } from './parts.ts';
import type { Action, View } from './view.ts';

/** Removing everything; the details are opened first. */
export const reset = (view: View): Part =>
	section(
		view,
		'reset',
		'Start over',
		details(
			'reset-details',
			'Remove everything ...',
			html`<p>
					Removes all campaigns, messages, calls, stored numbers, deliveries, requests, webhook URLs
					and faults, and resets the settings and the clock. This cannot be undone.
				</p>
				${buttonForm(view, 'reset', { text: 'Remove everything', id: 'reset-button' })}`,
		),
	);

/** The action of the section. */
export const resetActions: Record<string, Action> = {
	reset: (service) => {
		service.reset();
		return 'Everything was removed. Publish your workflow again to register its webhook URL.';
	},
};
