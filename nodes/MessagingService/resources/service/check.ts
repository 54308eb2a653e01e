import { defineOperation } from '../define';
import { workflowZone } from '../shared/zones';
import { numbersFinding, statusFinding } from './contents';
import { failed, ok, type Finding } from './finding';
import { CAMPAIGNS, Lists } from './lists';
import { readPaging } from './paging';
import { isOfMessages, listIn, look, shapeOf, type Look } from './probe';
import { orderFinding, readNewest, zoneFinding } from './times';

const ACCESS = 'Does the service let n8n in?';

/**
 * Asks the service what the interface leaves open. It only reads, makes some 30 requests, and
 * outputs nothing personal, so that the output can be sent to the operator.
 */
export const check = defineOperation({
	value: 'check',
	name: 'Check',
	action: 'Check service',
	description:
		'Find out how your service differs, and what to enter in the credential. It only reads, and its output has no personal data: it can be sent to the operator.',
	fields: [],
	async run({ client, context }) {
		const response = await look(client, { path: CAMPAIGNS });
		const campaigns = listIn(CAMPAIGNS, response);
		if (campaigns === undefined) return [noAccess(response), nothingElse()];
		const lists = new Lists(client, campaigns);
		await lists.read();
		const { found } = lists;
		const paging = await readPaging(client, found);
		const ofMessages = [paging.largest, ...found].find((list) => list && isOfMessages(list));
		const { timeZone, defaultCountry } = client.settings;
		return [
			ok(ACCESS, 'a list of SMS campaigns'),
			...lists.findings,
			...paging.findings,
			orderFinding(ofMessages),
			zoneFinding(await readNewest(ofMessages, paging), timeZone, workflowZone(context)),
			numbersFinding(found, defaultCountry),
			statusFinding(found),
		];
	},
});

/** Why the list that every account has was not given out. */
function noAccess(response: Look): Finding {
	const { status = '', problem = '', invalid } = response;
	if (invalid !== undefined) return failed(ACCESS, problem, invalid.advice, invalid.setting);
	if (['401', '403'].includes(status)) {
		const advice =
			'Check the kind of authentication and its secret in the credential, or ask the operator which one the service wants.';
		return failed(ACCESS, problem, advice, 'Authentication');
	}
	// The titles of all errors of a login that was made say so.
	if (/\blog ?in\b/i.test(problem)) {
		const advice = 'Check the fields of the login in the credential, and the Token URL.';
		return failed(ACCESS, problem, advice, 'Log In With');
	}
	const advice =
		'Check the Base URL in the credential: the service has /api/Campaigns below it, so the Base URL does not end with /api.';
	return failed(ACCESS, shapeOf(response), advice, 'Base URL');
}

/** All other questions of a service that does not let n8n in. */
function nothingElse(): Finding {
	const advice = 'Fix what is above, then check again.';
	return failed('Everything else', 'not asked without access', advice);
}
