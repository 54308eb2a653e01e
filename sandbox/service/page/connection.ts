import type { Authentication, Client } from '../settings.ts';
import { html, type Part } from './html.ts';
import { facts, section } from './parts.ts';
import type { View } from './view.ts';

const code = (text: string) => html`<code class="copy">${text}</code>`;

const pairs = (place: string, values: Record<string, string> = {}): [string, Part][] =>
	Object.entries(values).map(([name, value]) => [`${place} ${name}`, code(value)]);

const authenticationOf = (authentication: Authentication): [string, Part][] => {
	switch (authentication.kind) {
		case 'none':
			return [['Authentication', 'None']];
		case 'basic':
			return [
				['Authentication', 'Basic Auth'],
				['User', code(authentication.username)],
				['Password', code(authentication.password)],
			];
		case 'bearer':
			return [
				['Authentication', 'Bearer Token'],
				['Token', code(authentication.token)],
			];
		case 'header':
			return [
				['Authentication', 'API Key in Header'],
				['Header', code(authentication.name)],
				['API key', code(authentication.value)],
			];
		case 'query':
			return [
				['Authentication', 'API Key in Query'],
				['Parameter', code(authentication.name)],
				['API key', code(authentication.value)],
			];
		case 'custom':
			return [
				['Authentication', 'Custom'],
				...pairs('Header', authentication.headers),
				...pairs('Parameter', authentication.query),
				...pairs('Body field', authentication.body),
			];
	}
};

const idsOf = ({ callFlowIds, cliIds, optOutLinkIds }: Client): [string, Part][] => [
	['Call flow IDs', callFlowIds.join(', ')],
	['CLI IDs', cliIds.join(', ')],
	['Opt-out link IDs', optOutLinkIds.join(', ')],
];

/** What belongs into a credential, and what the operator has set up for its client. */
export const connection = (view: View): Part => {
	const { origin, service } = view;
	const { authentication, conventions } = service.settings.current;
	const { defaultClient } = service.settings;
	return section(
		view,
		'connection',
		'Connect',
		html`<p>Put this into the credential of n8n.</p>
			${facts([
				['Base URL', code(`${origin}${conventions.basePath}`)],
				...authenticationOf(authentication),
				['Client ID', code(String(defaultClient.clientId))],
				...idsOf(defaultClient),
			])}`,
	);
};
