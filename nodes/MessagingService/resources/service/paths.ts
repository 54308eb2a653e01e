import { pathSegment } from '../../transport/request';
import { RECORD } from '../../transport/responseShape';
import { ask, failed, ok, type Finding } from './finding';
import { listIn, questionOf, shapeOf, type List } from './lists';
import type { Probe } from './probe';

const MESSAGE = 'Which path has a single SMS message?';
const STORAGE = 'Which path do stored numbers have?';

/** The two ways to write the path of a message (interface, "SMS messages"). */
export async function readMessagePath(probe: Probe, messages: List | undefined): Promise<Finding> {
	const { newId, id } = messages?.records[0] ?? {};
	const known = newId ?? id;
	if (typeof known !== 'string' && typeof known !== 'number') {
		const advice = 'Is a message read with GET /api/SMSMessages:Id, or with a slash before the ID?';
		return ask(MESSAGE, 'not tried: there is no SMS message', advice);
	}
	const path = '/api/SMSMessages';
	const problems: string[] = [];
	for (const separator of ['', '/']) {
		const look = await probe.look(`${path}${separator}${pathSegment(known)}`);
		if (RECORD.matches(look.content)) {
			return ok(MESSAGE, `${path}${separator}:Id`, 'n8n tries both.');
		}
		problems.push(shapeOf(look));
	}
	const found = `${path}:Id: ${problems[0]}; ${path}/:Id: ${problems[1]}`;
	return failed(MESSAGE, found, 'Please tell us: with which path is a single SMS message read?');
}

/** The list of stored numbers, and the two ways to write its path (interface, "Phone number storage"). */
export async function readStorage(
	probe: Probe,
): Promise<{ findings: Finding[]; list: List | undefined }> {
	const question = questionOf('the list of stored numbers');
	const problems: string[] = [];
	for (const slash of ['', '/']) {
		const path = `${slash}/api/PhoneNumberStorageItem`;
		const look = await probe.look(`${path}/10/1`);
		const list = listIn('storage', path, look);
		if (list !== undefined) {
			const form = ok(STORAGE, path, 'n8n tries both.');
			return { findings: [ok(question, 'a list'), form], list };
		}
		problems.push(shapeOf(look));
	}
	const found = problems.join('; with two slashes: ');
	const advice =
		'Please tell us: does the service have GET /api/PhoneNumberStorageItem/:pageSize/:pageIndex?';
	const form = failed(STORAGE, 'neither of the two', 'See the question before.');
	return { findings: [failed(question, found, advice), form], list: undefined };
}
