import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { countryOptions } from '../nodes/MessagingService/numbers/countries';
import { policyFields } from '../nodes/MessagingService/policy/policy';

const SECRET = { typeOptions: { password: true } } satisfies Partial<INodeProperties>;

/** A field that one kind of authentication needs. */
function authenticationField(
	authentication: string,
	displayName: string,
	name: string,
	more: Partial<INodeProperties> = {},
): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		required: true,
		...more,
		displayOptions: { show: { authentication: [authentication] } },
	};
}

/** A field of the login for a token; those of one kind of login have its name. */
function loginField(
	displayName: string,
	name: string,
	more: Partial<INodeProperties>,
	loginWith?: string[],
): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		...more,
		displayOptions: {
			show: { authentication: ['accessToken'], ...(loginWith !== undefined && { loginWith }) },
		},
	};
}

const OAUTH = ['clientCredentials', 'password'];

/** A login that gives a token (RFC 6749, 4.3 and 4.4, or JSON). */
const accessTokenFields: INodeProperties[] = [
	loginField('Token URL', 'tokenUrl', {
		default: '/token',
		required: true,
		placeholder: 'e.g. https://login.example.com/token',
		description: 'Where n8n logs in: an address, or a path on the Base URL',
	}),
	loginField('Log In With', 'loginWith', {
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
	loginField('User Name', 'username', { required: true }, ['password']),
	loginField('Password', 'password', SECRET, ['password']),
	loginField(
		'OAuth Client ID',
		'oauthClientId',
		{ hint: 'Optional for a login with user name and password' },
		OAUTH,
	),
	loginField('OAuth Client Secret', 'oauthClientSecret', SECRET, OAUTH),
	loginField('Scope', 'scope', { description: 'Scopes, separated by spaces, if needed' }, OAUTH),
	loginField(
		'Client Credentials In',
		'clientCredentialsIn',
		{
			type: 'options',
			options: [
				{ name: 'Body', value: 'body', description: 'As client_id and client_secret' },
				{ name: 'Header', value: 'header', description: 'As Basic authentication' },
			],
			default: 'body',
			description: 'Where the request of the login has the client ID and secret',
		},
		OAUTH,
	),
	loginField(
		'Login JSON',
		'loginJson',
		{
			...SECRET,
			required: true,
			placeholder: 'e.g. { "username": "me", "password": "..." }',
			description: 'The JSON object that the service expects as a login',
		},
		['json'],
	),
	loginField(
		'Token Field',
		'tokenField',
		{
			default: 'access_token',
			placeholder: 'e.g. data.token',
			description:
				'Field of the response that holds the token, with dots for a nested one. Leave it empty if the response is the token itself.',
		},
		['json'],
	),
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
		authenticationField('basicAuth', 'User Name', 'username'),
		authenticationField('basicAuth', 'Password', 'password', { ...SECRET, required: false }),
		authenticationField('bearer', 'Token', 'token', SECRET),
		authenticationField('header', 'Header Name', 'headerName', { default: 'X-Api-Key' }),
		authenticationField('header', 'Header Value', 'headerSecret', SECRET),
		authenticationField('query', 'Parameter Name', 'queryName', { default: 'apiKey' }),
		authenticationField('query', 'Parameter Value', 'querySecret', SECRET),
		authenticationField('customJson', 'JSON', 'secretJson', {
			...SECRET,
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
