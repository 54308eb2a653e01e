import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INode,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { readPolicy } from '../policy/policy';
import { InputError } from '../parameters/inputError';
import { countryOf } from '../recipients/numberOptions';
import { clientFor, INTERACTIVE } from '../transport/connection';
import { failureOf, type Failure } from '../transport/errors';
import type { HttpResponse, Port } from '../transport/service';
import { readSettings } from '../transport/settings';

/** Of somebody who waits for the result, and is told of the first failure. */
const ONE_TRY = { ...INTERACTIVE, maxTries: 1, maxWaitMs: 0 };

const PATH = '/api/Campaigns';

const UNTESTED = {
	message: 'The connection could not be tested',
	description: 'Check the fields of the credential.',
};

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
	const problem = (await connectionProblem(this, data)) ?? fieldProblem(data);
	if (problem === undefined) return { status: 'OK', message: 'Connection successful!' };
	const { message, description } = problem;
	return { status: 'Error', message: `${message.replace(/\.$/, '')}. ${description}` };
}

type Problem = Pick<Failure, 'message' | 'description'> | undefined;

/** What keeps the node from reading the list; undefined where it was read. */
async function connectionProblem(
	context: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
): Promise<Problem> {
	try {
		const client = clientFor(portOf(context), data, {}, ONE_TRY);
		await client.page({ method: 'GET', path: PATH });
		return undefined;
	} catch (error) {
		const failure = failureOf(error);
		if (failure?.httpCode !== '404') return failure ?? UNTESTED;
		const shorter = String(data.baseUrl).replace(/\/api\/*$/i, '');
		// Gateways may have such an address, so nothing is cut off without a look.
		const isThere =
			shorter !== data.baseUrl &&
			(await connectionProblem(context, { ...data, baseUrl: shorter })) === undefined;
		const advice = isThere ? ` Without /api at its end, it has: ${shorter}` : '';
		return {
			message: `This address has no ${PATH}`,
			description: `Check the Base URL.${advice}`,
		};
	}
}

/** What is wrong with a field that no request shows. */
function fieldProblem(data: ICredentialDataDecryptedObject): Problem {
	try {
		countryOf(readSettings(data));
	} catch (error) {
		return error instanceof InputError ? error : UNTESTED;
	}
	const policy = readPolicy(data);
	return policy !== undefined && 'sent' in policy ? policy : undefined;
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
