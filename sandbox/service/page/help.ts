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
				The sandbox is a local stand-in for the messaging service. It simulates messages and calls
				and sends nothing to anyone. Webhook events are delivered for real.
			</p>
			${details(
				'endings',
				'Results by phone number',
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
			<p><a href="/docs">API reference</a></p>
			${details(
				'control',
				'Control API for programs',
				html`<ul>
						${controls.map(([path, what]) => html`<li><a href="${path}">${path}</a>: ${what}</li>`)}
					</ul>
					<p>All of it: <code>sandbox/README.md</code></p>`,
			)}`,
	);
