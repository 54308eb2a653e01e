import type { Authentication, Client } from '../settings.ts';
import { html, type Part } from './html.ts';
import { copyable, facts, section } from './parts.ts';
import type { View } from './view.ts';

const value = (name: string, text: string): [string, Part] => [name, copyable(text, name)];

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
				value('User Name', authentication.username),
				value('Password', authentication.password),
			];
		case 'bearer':
			return [['Authentication', 'Bearer Token'], value('Token', authentication.token)];
		case 'header':
			return [
				['Authentication', 'Header'],
				value('Header Name', authentication.name),
				value('Header Value', authentication.value),
			];
		case 'query':
			return [
				['Authentication', 'Query Parameter'],
				value('Parameter Name', authentication.name),
				value('Parameter Value', authentication.value),
			];
		case 'custom':
			return [
				['Authentication', 'Custom JSON'],
				value('JSON', JSON.stringify(customJson(authentication))),
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
				value('Base URL', `${origin}${conventions.basePath}`),
				...authenticationOf(authentication),
				value('Client ID', String(defaultClient.clientId)),
				value('Service Time Zone', conventions.timeZone),
				...idsOf(defaultClient),
			])}`,
	);
};
