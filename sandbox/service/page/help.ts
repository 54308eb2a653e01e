import { html, type Part } from './html.ts';
import { details, section } from './parts.ts';
import type { View } from './view.ts';

const endings: [ending: string, message: string, call: string][] = [
	['900 to 910', 'status code 0 to 10', ''],
	['920', 'Delivered, then opts out by the opt-out link', ''],
	['934, 999', 'status code 34, 1000', ''],
	['701 to 713', '', 'outcome 1 to 13'],
	['721, 723', '', 'No Answer, or Busy; then Answered'],
	['800 to 820', '', 'Answered, with stage 0 to 20'],
	['anything else', 'Delivered', 'Answered'],
];

const controls: [path: string, what: string][] = [
	['/_sandbox/summary', 'what it holds'],
	['/_sandbox/requests', 'requests it has received'],
	['/_sandbox/deliveries', 'events it has delivered'],
	['/_sandbox/webhook', 'the registered webhook'],
	['/_sandbox/settings', 'its settings'],
	['/_sandbox/faults', 'faults that are set'],
];

/** What to know beyond the page. */
export const help = (view: View): Part =>
	section(
		view,
		'help',
		'Good to know',
		html`<p>
				This is a local stand-in for the messaging service. It sends nothing to anybody: messages
				and calls are simulated, webhook events are delivered for real.
			</p>
			${details(
				'endings',
				'Phone numbers decide what becomes of them',
				html`<ul>
					${endings.map(
						([ending, message, call]) =>
							html`<li>
								<strong>${ending}</strong>:
								${[message && `a message is ${message}`, call && `a call is ${call}`]
									.filter((part) => part !== '')
									.join('; ')}
							</li>`,
					)}
				</ul>`,
			)}
			${details(
				'operations',
				'Operations of the service',
				html`<ul>
					${view.service.contract.operations.map(
						({ method, path }) => html`<li><code>${method} ${path}</code></li>`,
					)}
				</ul>`,
			)}
			${details(
				'control',
				'Control API for programs',
				html`<ul>
						${controls.map(([path, what]) => html`<li><a href="${path}">${path}</a>: ${what}</li>`)}
					</ul>
					<p>All of it: <code>sandbox/README.md</code></p>`,
			)}`,
	);
