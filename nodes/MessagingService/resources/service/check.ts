import { maxBy } from 'lodash';
import { messageOf } from '../../texts';
import { defineOperation } from '../define';
import { workflowZone } from '../shared/zones';
import { readAccess } from './address';
import { fieldsFinding, numbersFinding, statusFinding } from './contents';
import { failed, type Finding } from './finding';
import { readLists, type List, type Lists } from './lists';
import { failedPaging, readPaging, untriedPaging, type Paging } from './paging';
import { readMessagePath, readStorage } from './paths';
import { Probe } from './probe';
import { orderFinding, orderOf, zoneFinding, type Order } from './times';

/**
 * Asks the service what the interface leaves open. It only reads, makes at most 40 requests, and
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
		const probe = new Probe(client);
		const access = await readAccess(probe);
		if (!access.isOpen) return [...access.findings, notAsked()];
		const lists = await readLists(probe, access.campaigns);
		const storage = await readStorage(probe);
		const found = [...lists.found, ...(storage.list === undefined ? [] : [storage.list])];
		const paging = await pagingOf(probe, lists);
		const messages = ofMessages(paging.longest) ?? lists.found.find(isOfMessages);
		const order = messages && orderOf(messages);
		const { timeZone: ownZone, defaultCountry } = client.settings;
		return [
			...access.findings,
			...lists.findings,
			...storage.findings,
			...paging.findings,
			orderFinding(order),
			await readMessagePath(probe, messages),
			zoneFinding({
				messages: await newestPage(messages, order, paging),
				ownZone,
				workflowZone: workflowZone(context),
			}),
			numbersFinding(found, defaultCountry),
			statusFinding(found),
			fieldsFinding(found),
		];
	},
});

/** All other questions of a service that does not let anybody in. */
function notAsked(): Finding {
	return failed(
		'Everything else',
		'not asked without access',
		'Fix what is above, then check again.',
	);
}

const isOfMessages = ({ kind }: List) => kind === 'messages';

const ofMessages = (list: List | undefined) => (list && isOfMessages(list) ? list : undefined);

/** Pages of the list with the most records, messages first: their times tell more. */
async function pagingOf(
	probe: Probe,
	{ found }: Lists,
): Promise<Partial<Paging> & Pick<Paging, 'findings'>> {
	const paged = found.filter(
		({ path, records, firstPage, total }) =>
			records.length > 1 && (firstPage ?? total) !== undefined && path.startsWith('/api/'),
	);
	const list =
		paged.find((each) => isOfMessages(each) && each.records.length > 2) ??
		maxBy(paged, ({ records }) => records.length);
	if (list === undefined) return { findings: untriedPaging() };
	try {
		return await readPaging(probe, list);
	} catch (error) {
		return { findings: failedPaging(messageOf(error)) };
	}
}

/** The page with the newest message: the last one of a list that begins with the oldest. */
async function newestPage(
	messages: List | undefined,
	order: Order | undefined,
	{ longest, pageAt }: Partial<Paging>,
): Promise<List | undefined> {
	const { totalPages = 1, firstPage = 1 } = longest ?? {};
	const isElsewhere = messages === longest && order === 'oldest first' && totalPages > 1;
	if (!isElsewhere || pageAt === undefined) return messages;
	return (await pageAt(firstPage + totalPages - 1).catch(() => undefined)) ?? messages;
}
