import { magicEndings } from '../magicNumbers.ts';
import { html, type Part } from './html.ts';
import { details, section } from './parts.ts';
import type { View } from './view.ts';

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
					${magicEndings.map(
						({ from, to, sms, call }) =>
							html`<li>
								<strong
									>${from === undefined ? 'anything else' : from === to ? from : `${String(from)} to ${String(to)}`}</strong
								>:
								${[sms && `a message is ${sms}`, call && `a call is ${call}`]
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
