import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { SendingGuard } from '../policy/guard';
import { readPolicy } from '../policy/policy';
import { envelopeList, readList } from '../transport/paginate';
import type { ReadClient } from '../transport/request';

const PAGE_SIZE = 1000;

/** The sending policy of the credential, as a run asks it about its requests. */
export function policyOf(
	context: IExecuteFunctions,
	credential: ICredentialDataDecryptedObject,
	client: ReadClient,
): SendingGuard {
	const { timeZone } = client.settings;
	return new SendingGuard(readPolicy(credential), {
		context: context.getContext('node'),
		zone: timeZone === '' ? undefined : timeZone,
		now: () => Date.now(),
		readCampaign: async (path) => await readCampaign(client, path),
	});
}

/** A campaign and all its contacts (interface, "SMS campaigns"). */
async function readCampaign(client: ReadClient, path: string) {
	const campaign = await client.record({ method: 'GET', path });
	const contacts = await readList(envelopeList(client, `${path}/Contacts`, PAGE_SIZE));
	return { start: campaign.startDateTime, contacts };
}
