import { endings } from '../magicNumbers.ts';
import { clients, defaultClient, otherConventions, usualConventions } from '../settings.ts';
import { webhookUrls } from '../summary.ts';
import { login } from '../tokens.ts';
import { buttonForm } from './forms.ts';
import { html, type Part } from './html.ts';
import { copyable, details, facts, live, foldedSection } from './parts.ts';
import { zoneOf, type Action, type View } from './view.ts';

const value = (name: string, text: string): [string, Part] => [name, copyable(text, name)];

const credentials = ({ service }: View): [string, Part][] => {
	const { headers = {}, query = {} } = service.settings.current.authentication;
	return [
		...Object.entries(headers).map(([name, text]) => value(`Header ${name}`, text)),
		...Object.entries(query).map(([name, text]) => value(`Query parameter ${name}`, text)),
	];
};

const urls = (view: View): Part => {
	const registered = [...webhookUrls(view.service)];
	return live(
		'webhook-live',
		registered.length === 0
			? html`<p class="note waiting">
					No webhook URL is registered, so no event is delivered. In n8n, publish a workflow with
					the <strong>Messaging Service Trigger</strong>.
				</p>`
			: facts(
					registered.map(([clientId, url]) => [
						`Webhook URL of client ${String(clientId)}`,
						html`<code>${url}</code>`,
					]),
				),
	);
};

/** What a login takes, and revoking what it gave. */
const tokens = (view: View): Part =>
	details(
		'tokens-details',
		'Log in for a token ...',
		html`<p>Enter these values for <strong>Access Token</strong>, instead of the header.</p>
			${facts([
				value('Token URL', '/token'),
				value('OAuth Client ID', login.clientId),
				value('OAuth Client Secret', login.clientSecret),
				value('User Name', login.username),
				value('Password', login.password),
				value('Login JSON', JSON.stringify({ username: login.username, password: login.password })),
			])}
			${live('tokens-live', html`<p>${String(view.service.tokens.live)} tokens are valid.</p>`)}
			${buttonForm(view, 'revoke', { text: 'Revoke all tokens', id: 'revoke-button' })}`,
	);

/** Has the sandbox page and write its lists as another service does. */
const conventions = (view: View): Part => {
	const { pageIndexName } = view.service.settings.current.conventions;
	const isOther = pageIndexName === otherConventions.pageIndexName;
	return details(
		'conventions-details',
		'Be another service ...',
		html`<p>
				Services page and write their lists in different ways. Change those of the sandbox, execute
				<strong>Service: Check</strong> or the workflow <strong>Check My Service</strong>, and enter
				in the credential what it says.
			</p>
			${live(
				'conventions-live',
				buttonForm(view, 'conventions', {
					text: isOther ? 'Be the usual service again' : 'Be another service',
					id: 'conventions-button',
				}),
			)}`,
	);
};

/** The actions of the section. */
export const connectionActions: Record<string, Action> = {
	conventions: ({ settings }) => {
		const { pageIndexName } = settings.current.conventions;
		const isOther = pageIndexName === otherConventions.pageIndexName;
		settings.change({ conventions: isOther ? usualConventions : otherConventions });
		return isOther
			? 'The sandbox is the usual service again.'
			: 'The sandbox is another service now. Workflows that read its lists fail until their credential has its conventions.';
	},
	revoke: (service) => {
		service.tokens.revoke();
		return 'All tokens were revoked. n8n logs in again with its next request.';
	},
};

/** What to do first, as long as nothing was sent. */
export const firstSteps = ({ service: { database } }: View): Part => {
	const sent = ['sms', 'voiceCampaigns', 'deliveries'].some(
		(table) => (database.number(`SELECT count(*) AS n FROM ${table}`) ?? 0) > 0,
	);
	return live(
		'first-steps-live',
		!sent &&
			html`<p class="note waiting">
				Nothing has been sent yet. In n8n, open the workflow
				<strong>Start Here: My First Campaign</strong> and select <strong>Execute workflow</strong>.
				For a workflow of your own, enter the values under <a href="#connection">Connect</a> in its
				credential.
			</p>`,
	);
};

/** What belongs into a credential, what the operator has set up, and where events go. */
export const connection = (view: View): Part =>
	foldedSection(
		view,
		'connection',
		'Connect',
		html`<p>Enter these values in the credential in n8n.</p>
			${facts([
				value('Base URL', view.origin),
				...credentials(view),
				value('Client ID', String(defaultClient.clientId)),
				value('Service Time Zone', zoneOf(view.service)),
				...clients.map(({ clientId, callFlowIds, cliIds, optOutLinkIds }): [string, Part] => [
					`Client ${String(clientId)}`,
					`call flows ${callFlowIds.join(', ')}; CLIs ${cliIds.join(', ')}; opt-out links ${optOutLinkIds.join(', ')}`,
				]),
			])}
			${tokens(view)} ${conventions(view)} ${urls(view)}`,
	);

const rangeOf = (from: number, to: number): string =>
	from === to ? String(from) : `${String(from)} to ${String(to)}`;

/** What the last digits of a number decide, and removing everything. */
export const help = (view: View): Part =>
	foldedSection(
		view,
		'help',
		'Good to know',
		html`<p>
				The sandbox is a local stand-in for the messaging service. It simulates messages and calls
				and sends nothing to anyone. Webhook events are delivered for real. Its control API is
				described in <code>sandbox/reference.md</code>.
			</p>
			${details(
				'endings',
				'Results by phone number',
				html`<ul>
					${endings.map(
						({ from, to, message, call }) =>
							html`<li>
								<strong>${rangeOf(from, to)}</strong>:
								${[message && `a message is ${message}`, call && `a call is ${call}`]
									.filter(Boolean)
									.join('; ')}
							</li>`,
					)}
					<li><strong>anything else</strong>: a message is Delivered; a call is Answered</li>
				</ul>`,
			)}
			${details(
				'reset-details',
				'Start over ...',
				html`<p>
						Removes all data, webhook URLs and faults, and resets the settings and the clock. This
						cannot be undone.
					</p>
					${buttonForm(view, 'reset', { text: 'Remove everything', id: 'reset-button' })}`,
			)}`,
	);

/** The action of the section. */
export const helpActions: Record<string, Action> = {
	reset: (service) => {
		service.reset();
		return 'Everything was removed. Publish your workflow again to register its webhook URL.';
	},
};
