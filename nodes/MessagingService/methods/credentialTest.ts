import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { Failure } from '../failure';
import { readPolicy } from '../policy/policy';
import { countryOf } from '../recipients/phoneNumber';
import { serviceZone } from '../resources/shared/zones';
import { clientFor, INTERACTIVE } from '../transport/connection';
import type { HttpResponse, Port } from '../transport/port';
import { readSettings } from '../transport/settings';

/** Of somebody who waits for the result, and is told of the first failure. */
const ONE_TRY = { ...INTERACTIVE, maxTries: 1 };

const PATH = '/api/Campaigns';

const untested = () =>
	new Failure('The connection could not be tested', 'Check the fields of the credential.');

/**
 * The test of the credential: lists SMS campaigns, the one read that every account has. As code and
 * not as the usual description of a request, so that failures have the words of the nodes' errors.
 */
export async function testMessagingService(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	const problem = (await listProblem(this, data)) ?? fieldProblem(data);
	if (problem === undefined) return { status: 'OK', message: 'Connection successful!' };
	const { message, description } = problem;
	return { status: 'Error', message: `${message.replace(/\.$/, '')}. ${description}` };
}

/** What keeps the node from reading the list; undefined where it was read. */
async function listProblem(
	context: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
): Promise<Failure | undefined> {
	try {
		const client = clientFor(testPort(context), data, {}, ONE_TRY);
		await client.page({ method: 'GET', path: PATH });
		return undefined;
	} catch (error) {
		const failure = error instanceof Failure ? error : untested();
		if (failure.facts.httpCode !== '404') return failure;
		const shorter = String(data.baseUrl).replace(/\/api\/*$/i, '');
		// Gateways may have such an address, so nothing is cut off without a look.
		const isThere =
			shorter !== data.baseUrl &&
			(await listProblem(context, { ...data, baseUrl: shorter })) === undefined;
		const advice = isThere ? ` Without /api at its end, it has: ${shorter}` : '';
		return new Failure(`This address has no ${PATH}`, `Check the Base URL.${advice}`);
	}
}

/** What is wrong with a field that no request shows. */
function fieldProblem(data: ICredentialDataDecryptedObject): Failure | undefined {
	try {
		const settings = readSettings(data);
		countryOf(settings);
		serviceZone({ context: { getTimezone: () => 'utc' }, client: { settings } });
	} catch (error) {
		return error instanceof Failure ? error : untested();
	}
	const policy = readPolicy(data);
	return policy instanceof Failure ? policy : undefined;
}

/** n8n gives a test its older HTTP helper only, which no signal ends. */
function testPort({ helpers }: ICredentialTestFunctions): Port {
	return {
		http: async ({ url, qs, body, skipSslCertificateValidation, ...request }) =>
			(await helpers.request({
				method: request.method,
				uri: url,
				qs,
				qsStringifyOptions: { arrayFormat: 'repeat' },
				headers: request.headers,
				body,
				// The body of a login, as text: JSON is made of it by us.
				json: false,
				timeout: request.timeout,
				rejectUnauthorized: skipSslCertificateValidation !== true,
				useStream: true,
				resolveWithFullResponse: true,
				simple: false,
				followRedirect: false,
			})) as HttpResponse,
	};
}
