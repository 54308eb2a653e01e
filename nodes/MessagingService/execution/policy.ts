import type { ICredentialDataDecryptedObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { SendingGuard } from '../policy/guard';
import { readPolicy } from '../policy/policy';
import { RecipientCount } from '../policy/recipientCount';
import { pageQuery, readList, toPage } from '../transport/paginate';
import type { ReadClient } from '../transport/request';

const PAGE_SIZE = 1000;
const PAGES_AT_ONCE = 5;

/** The sending policy of the credential, as a run asks it about its requests. */
export function policyOf(
	context: IExecuteFunctions,
	credential: ICredentialDataDecryptedObject,
	client: ReadClient,
): SendingGuard {
	const { timeZone } = client.settings;
	return new SendingGuard(readPolicy(credential), {
		count: new RecipientCount(context.getContext('node')),
		zone: timeZone === '' ? undefined : timeZone,
		now: () => Date.now(),
		readCampaign: async (path) => await readCampaign(client, path),
	});
}

/** A campaign and all its contacts (interface, "SMS campaigns"). */
async function readCampaign(client: ReadClient, path: string) {
	const campaign = await client.record({ method: 'GET', path });
	const contacts: IDataObject[] = await readList({
		pagesAtOnce: PAGES_AT_ONCE,
		keyOf: ({ id }) => id,
		fetchPage: async (pageIndex) => {
			const query = pageQuery(client.settings, PAGE_SIZE, pageIndex);
			return toPage(await client.page({ method: 'GET', path: `${path}/Contacts`, query }));
		},
	});
	return { start: campaign.startDateTime, contacts };
}
