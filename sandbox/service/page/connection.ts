import type { Authentication, Client } from '../settings.ts';
import { html, type Part } from './html.ts';
import { facts, section } from './parts.ts';
import type { View } from './view.ts';

const code = (text: string) => html`<code class="copy">${text}</code>`;

const customJson = ({ headers, query, body }: Extract<Authentication, { kind: 'custom' }>) => ({
	headers,
	qs: query,
	body,
});

const authenticationOf = (authentication: Authentication): [string, Part][] => {
	switch (authentication.kind) {
		case 'none':
			return [['Authentication', 'None']];
		case 'basic':
			return [
				['Authentication', 'Basic Auth'],
				['User Name', code(authentication.username)],
				['Password', code(authentication.password)],
			];
		case 'bearer':
			return [
				['Authentication', 'Bearer Token'],
				['Token', code(authentication.token)],
			];
		case 'header':
			return [
				['Authentication', 'Header'],
				['Header Name', code(authentication.name)],
				['Header Value', code(authentication.value)],
			];
		case 'query':
			return [
				['Authentication', 'Query Parameter'],
				['Parameter Name', code(authentication.name)],
				['Parameter Value', code(authentication.value)],
			];
		case 'custom':
			return [
				['Authentication', 'Custom JSON'],
				['JSON', code(JSON.stringify(customJson(authentication)))],
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
		html`<p>Enter these values in the credential in n8n.</p>
			${facts([
				['Base URL', code(`${origin}${conventions.basePath}`)],
				...authenticationOf(authentication),
				['Client ID', code(String(defaultClient.clientId))],
				['Service Time Zone', code(conventions.timeZone)],
				...idsOf(defaultClient),
			])}`,
	);
};
