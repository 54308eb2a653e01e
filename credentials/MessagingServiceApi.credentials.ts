import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { countryOptions } from '../nodes/MessagingService/numbers/countries';
import { policyFields } from '../nodes/MessagingService/policy/policy';

const SECRET = { typeOptions: { password: true } } satisfies Partial<INodeProperties>;

const REQUIRED_SECRET = { ...SECRET, required: true } satisfies Partial<INodeProperties>;

/** A text field, unless `more` says otherwise, that some kinds of authentication or of login have. */
function fieldOf(
	show: Record<string, string[]>,
	displayName: string,
	name: string,
	more: Partial<INodeProperties> = {},
): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...more, displayOptions: { show } };
}

const kind = (authentication: string) => ({ authentication: [authentication] });

const LOGIN = kind('accessToken');
const PASSWORD_LOGIN = { ...LOGIN, loginWith: ['password'] };
const OAUTH_LOGIN = { ...LOGIN, loginWith: ['clientCredentials', 'password'] };
const JSON_LOGIN = { ...LOGIN, loginWith: ['json'] };

/** A login that gives a token (RFC 6749, 4.3 and 4.4, or JSON). */
const accessTokenFields: INodeProperties[] = [
	fieldOf(LOGIN, 'Token URL', 'tokenUrl', {
		default: '/token',
		required: true,
		placeholder: 'e.g. https://login.example.com/token',
		description: 'Where n8n logs in: an address, or a path on the Base URL',
	}),
	fieldOf(LOGIN, 'Log In With', 'loginWith', {
		type: 'options',
		options: [
			{
				name: 'Client Credentials',
				value: 'clientCredentials',
				description: 'OAuth 2: a client ID and a client secret',
			},
			{ name: 'JSON', value: 'json', description: 'A JSON object that you enter' },
			{
				name: 'User Name and Password',
				value: 'password',
				description: 'OAuth 2: the password grant',
			},
		],
		default: 'clientCredentials',
		description: 'What the service wants for a token. Ask the service operator.',
	}),
	fieldOf(PASSWORD_LOGIN, 'User Name', 'username', { required: true }),
	fieldOf(PASSWORD_LOGIN, 'Password', 'password', SECRET),
	fieldOf(OAUTH_LOGIN, 'OAuth Client ID', 'oauthClientId', {
		hint: 'Optional for a login with user name and password',
	}),
	fieldOf(OAUTH_LOGIN, 'OAuth Client Secret', 'oauthClientSecret', SECRET),
	fieldOf(OAUTH_LOGIN, 'Scope', 'scope', { description: 'Scopes, separated by spaces, if needed' }),
	fieldOf(OAUTH_LOGIN, 'Client Credentials In', 'clientCredentialsIn', {
		type: 'options',
		options: [
			{ name: 'Body', value: 'body', description: 'As client_id and client_secret' },
			{ name: 'Header', value: 'header', description: 'As Basic authentication' },
		],
		default: 'body',
		description: 'Where the request of the login has the client ID and secret',
	}),
	fieldOf(JSON_LOGIN, 'Login JSON', 'loginJson', {
		...REQUIRED_SECRET,
		placeholder: 'e.g. { "username": "me", "password": "..." }',
		description: 'The JSON object that the service expects as a login',
	}),
	fieldOf(JSON_LOGIN, 'Token Field', 'tokenField', {
		default: 'access_token',
		placeholder: 'e.g. data.token',
		description:
			'Field of the response that holds the token, with dots for a nested one. Leave it empty if the response is the token itself.',
	}),
];

const onlyWithConventions = { show: { serviceConventions: [true] } };

/** A heading over fields of the form: n8n has no other than a notice, which it shows without markup. */
function heading(title: string): INodeProperties {
	return {
		displayName: title,
		name: `${title.toLowerCase().replace(/\W/g, '')}Heading`,
		type: 'notice',
		default: '',
	};
}

/**
 * The service's address, how it wants to be authenticated, and the client it is used for.
 * The interface describes no authentication scheme, so every common one can be chosen. The action
 * node tests it (`methods/credentialTest.ts`).
 */
export class MessagingServiceApi implements ICredentialType {
	name = 'messagingServiceApi';

	displayName = 'Messaging Service API';

	icon = {
		light: 'file:../nodes/MessagingService/messagingService.svg',
		dark: 'file:../nodes/MessagingService/messagingService.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/example/n8n-nodes-messaging-service/blob/main/README.md#credentials';

	/**
	 * No other node can use the credential around the sending policy: this is for n8n 2. And the nodes sign
	 * their requests themselves (`transport/authentication.ts`), so that n8n's HTTP Request gets no key.
	 */
	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://messaging.example.com',
			description: 'Address of the service, without the /api part',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{
					name: 'Header',
					value: 'header',
					description: 'One header with a name of your choice',
				},
				{
					name: 'Access Token',
					value: 'accessToken',
					description: 'A login that gives a token, which n8n renews (OAuth 2 or JSON)',
				},
				{
					name: 'Basic Auth',
					value: 'basicAuth',
					description: 'User name and password',
				},
				{
					name: 'Bearer Token',
					value: 'bearer',
					description: 'Authorization header with a bearer token',
				},
				{
					name: 'Custom JSON',
					value: 'customJson',
					description: 'Several headers or query parameters',
				},
				{
					name: 'None',
					value: 'none',
					description: 'For example when the service knows you by your IP address',
				},
				{
					name: 'Query Parameter',
					value: 'query',
					description: 'One query parameter with a name of your choice',
				},
			],
			default: 'header',
			description: 'How the service recognizes you. Ask the service operator which one to use.',
		},
		...accessTokenFields,
		fieldOf(kind('basicAuth'), 'User Name', 'username', { required: true }),
		fieldOf(kind('basicAuth'), 'Password', 'password', SECRET),
		fieldOf(kind('bearer'), 'Token', 'token', REQUIRED_SECRET),
		fieldOf(kind('header'), 'Header Name', 'headerName', { default: 'X-Api-Key', required: true }),
		fieldOf(kind('header'), 'Header Value', 'headerSecret', REQUIRED_SECRET),
		fieldOf(kind('query'), 'Parameter Name', 'queryName', { default: 'apiKey', required: true }),
		fieldOf(kind('query'), 'Parameter Value', 'querySecret', REQUIRED_SECRET),
		fieldOf(kind('customJson'), 'JSON', 'secretJson', {
			...REQUIRED_SECRET,
			placeholder: 'e.g. { "headers": { "X-User": "me", "X-Key": "..." } }',
			description: 'A JSON object with "headers", "qs" (query parameters) or both',
		}),
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1001',
			hint: 'Needed by the webhook trigger and the Webhook operations, and to create voice campaigns for another client',
			description: 'Client identifier issued by the service',
		},
		{
			displayName: 'Default Country',
			name: 'defaultCountry',
			type: 'options',
			options: [{ name: 'None', value: '' }, ...countryOptions()],
			default: '',
			hint: 'For phone numbers without a country code: 07700 900123 becomes +447700900123',
			description: 'Default Country in the Options of a node takes precedence',
		},
		{
			displayName: 'Price per Message Part',
			name: 'pricePerPart',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			hint: '0: no estimate',
			description: 'What one SMS part costs you, for the estimated cost of messages and campaigns',
		},
		{
			displayName: 'Currency',
			name: 'currency',
			type: 'string',
			default: '',
			placeholder: 'e.g. EUR',
			hint: 'Empty: costs are shown without one',
			description: 'Currency of the price, which outputs and hints show with each estimated cost',
		},
		...policyFields,
		heading('Technical settings, rarely needed'),
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			hint: 'Needed if the webhook trigger has a Path, which others could guess',
			description:
				'Any long random text. A token made from it becomes part of the registered webhook URL, and the trigger accepts only events that carry it.',
		},
		{
			displayName: 'Requests per Second',
			name: 'requestsPerSecond',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			hint: '0: no limit',
			description:
				'Maximum number of requests to start per second, for all workflows of this n8n process together',
		},
		{
			displayName: 'Max Concurrent Requests',
			name: 'concurrentRequests',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 10,
			hint: '1: one request at a time',
			description: 'Maximum number of requests in progress',
		},
		{
			displayName: 'Timeout (Seconds)',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 0.1, maxValue: 86_400 },
			default: 300,
			description:
				'How long to wait for a response. A message may have been sent even if no response arrived.',
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'ignoreSslIssues',
			type: 'boolean',
			default: false,
			description: 'Whether to connect even if the certificate of the service cannot be verified',
		},
		{
			displayName: 'Service Conventions',
			name: 'serviceConventions',
			type: 'boolean',
			default: false,
			description:
				'Whether to adjust names and paths that the interface of the service leaves open. Leave it off unless lists or client IDs do not work.',
		},
		{
			displayName: 'Page Index Parameter',
			name: 'pageIndexParameter',
			type: 'string',
			default: 'pageIndex',
			description: 'Name of the query parameter that chooses the page of a list',
			displayOptions: onlyWithConventions,
		},
		{
			displayName: 'Page Size Parameter',
			name: 'pageSizeParameter',
			type: 'string',
			default: 'pageSize',
			description: 'Name of the query parameter that sets the number of records per page',
			displayOptions: onlyWithConventions,
		},
		{
			displayName: 'Send Client ID In',
			name: 'clientIdPlace',
			type: 'options',
			options: [
				{ name: 'Body', value: 'body' },
				{ name: 'Path', value: 'path' },
				{ name: 'Query', value: 'query' },
			],
			default: 'query',
			description: 'Which part of the request carries the client ID',
			displayOptions: onlyWithConventions,
		},
		{
			displayName: 'Service Time Zone',
			name: 'serviceTimeZone',
			type: 'string',
			default: '',
			placeholder: 'e.g. Europe/London',
			description:
				'Time zone of the dates and times that have none, in voice campaigns and lists. Defaults to the time zone of the workflow. Sending Hours of calls, those in the time zone of the service, and Hours Between Texts need it.',
			displayOptions: onlyWithConventions,
		},
	];
}
