import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INode,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { readPolicy } from '../policy/policy';
import { clientFor, INTERACTIVE } from '../transport/connection';
import { failureOf } from '../transport/errors';
import type { HttpResponse, Port } from '../transport/service';

/** Of somebody who waits for the result, and is told of the first failure. */
const ONE_TRY = { ...INTERACTIVE, maxTries: 1, maxWaitMs: 0 };

/** Errors of n8n belong to a node; a credential is tested without one. */
const NODE: INode = {
	id: '',
	name: 'Messaging Service',
	type: 'messagingService',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/**
 * The test of the credential: lists SMS campaigns, the one read that every account has. As code and
 * not as the usual description of a request, so that failures have the words of the nodes' errors.
 */
export async function testMessagingService(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	try {
		const client = clientFor(portOf(this), data, {}, ONE_TRY);
		await client.page({ method: 'GET', path: '/api/Campaigns' });
		const policy = readPolicy(data);
		if (policy !== undefined && 'sent' in policy) {
			return { status: 'Error', message: `${policy.message}. ${policy.description}` };
		}
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		const { message, description } = failureOf(error) ?? {
			message: 'The connection could not be tested',
			description: 'Check the fields of the credential.',
		};
		return { status: 'Error', message: `${message.replace(/\.$/, '')}. ${description}` };
	}
}

/** n8n gives a test its older HTTP helper only, which no signal ends. */
function portOf({ helpers }: ICredentialTestFunctions): Port {
	return {
		node: NODE,
		http: async ({ url, qs, body, skipSslCertificateValidation, ...request }) =>
			(await helpers.request({
				method: request.method,
				uri: url,
				qs,
				qsStringifyOptions: { arrayFormat: 'repeat' },
				headers: request.headers,
				body,
				json: body !== undefined,
				timeout: request.timeout,
				rejectUnauthorized: skipSslCertificateValidation !== true,
				useStream: true,
				resolveWithFullResponse: true,
				simple: false,
				followRedirect: false,
			})) as HttpResponse,
	};
}
