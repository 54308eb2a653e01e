import type { ICredentialDataDecryptedObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	Refused,
	SendingGuard,
	type Admission,
	type GuardSurroundings,
	type HoursOfNumber,
} from '../policy/guard';
import { readPolicy } from '../policy/policy';
import { RecipientCount } from '../policy/recipientCount';
import { PolicyReview } from '../policy/review';
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
	private readonly policy: ReturnType<typeof readPolicy>;
	private readonly around: GuardSurroundings;
	private readonly guard: SendingGuard;

	constructor(
		context: IExecuteFunctions,
		credential: ICredentialDataDecryptedObject,
		client: ReadClient,
	) {
		const { timeZone } = client.settings;
		this.context = context;
		this.policy = readPolicy(credential);
		this.isOn = this.policy !== undefined;
		this.around = {
			count: new RecipientCount(context.getContext('node')),
			zone: timeZone === '' ? undefined : timeZone,
			now: () => Date.now(),
			readCampaign: async (path) => await readCampaign(client, path),
		};
		this.guard = new SendingGuard(this.policy, this.around);
	}

	/**
	 * Lets a request go out.
	 * @throws NodeApiError that says which rule refuses it, or why its recipients cannot be read
	 */
	async admit(request: ServiceRequest): Promise<Admission> {
		const [judged] = await Promise.allSettled([this.guard.admit(request)]);
		if (judged.status === 'fulfilled') return judged.value;
		const error: unknown = judged.reason;
		throw error instanceof Refused ? toNodeApiError(this.context.getNode(), error.failure) : error;
	}

	/** Tells of each number whether the sending hours allow a request, whose recipients may be open. */
	hoursFor(request: ServiceRequest): HoursOfNumber | undefined {
		return this.guard.hoursFor(request);
	}

	/** Starts to ask about requests that are planned. */
	startReview(): PolicyReview {
		return new PolicyReview(this.policy, this.around);
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
