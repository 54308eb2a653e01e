import type { ICredentialDataDecryptedObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	SendingGuard,
	type Admission,
	type HoursOfNumber,
	type PolicyReview,
} from '../policy/guard';
import { readPolicy } from '../policy/policy';
import { RecipientCount } from '../policy/recipientCount';
import { toNodeApiError } from '../transport/errors';
import { pageQuery, readList, toPage } from '../transport/paginate';
import type { ReadClient, ServiceRequest } from '../transport/request';

const PAGE_SIZE = 1000;
const PAGES_AT_ONCE = 5;

/** The sending policy of the credential, as a run asks it. */
export class RunPolicy {
	/** Whether the credential has one. */
	readonly isOn: boolean;
	private readonly context: IExecuteFunctions;
	private readonly guard: SendingGuard;

	constructor(
		context: IExecuteFunctions,
		credential: ICredentialDataDecryptedObject,
		client: ReadClient,
	) {
		const { timeZone } = client.settings;
		this.context = context;
		const policy = readPolicy(credential);
		this.isOn = policy !== undefined;
		this.guard = new SendingGuard(policy, {
			count: new RecipientCount(context.getContext('node')),
			zone: timeZone === '' ? undefined : timeZone,
			now: () => Date.now(),
			readCampaign: async (path) => await readCampaign(client, path),
		});
	}

	/**
	 * Lets a request go out.
	 * @throws NodeApiError that says which rule refuses it, or why its recipients cannot be read
	 */
	async admit(request: ServiceRequest): Promise<Admission> {
		const judged = await this.guard.admit(request);
		if ('failure' in judged) throw toNodeApiError(this.context.getNode(), judged.failure);
		return judged;
	}

	/** Tells of each number whether the sending hours allow a request, whose recipients may be open. */
	hoursFor(request: ServiceRequest): HoursOfNumber | undefined {
		return this.guard.hoursFor(request);
	}

	/** Starts to ask about requests that are planned. */
	startReview(): PolicyReview {
		return this.guard.startReview();
	}
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
