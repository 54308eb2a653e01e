import type { IDataObject } from 'n8n-workflow';
import type { Complaint } from '../recipients/checks';
import { costlyCharacters, type CostlyCharacters } from '../resources/shared/messageText';
import type { Failure } from '../transport/errors';
import type { ServiceRequest } from '../transport/request';
import type { EarlierOutcome, RequestRecord } from '../transport/requestRecord';
import { identifiersOf } from '../transport/responseShape';
import type { Progress } from './progress';
import { LeftOut } from './screening';
import { hashOf, type Entry, type RecordedCall, type SentRecord } from './sentRecord';
import { AnotherRecipient } from './tryRefused';

/** The request was accepted in another retry, whose response is not known here. */
export class SentByOtherRetry extends Error {}

const EARLIER_TRY = {
	message: 'Possibly sent in an earlier try',
	description:
		'An earlier try ended without a readable response of the service, so the request may have been accepted. Check in the service.',
	sent: 'possibly',
} as const satisfies Failure;

const OTHER_RETRY = {
	message: 'Possibly sent by another retry',
	description:
		'Another retry of this execution is sending this item, or was interrupted while it did. Check in the service when no other retry is running.',
	sent: 'possibly',
} as const satisfies Failure;

/** The record of the one sending request that a call makes. */
export class CallRecord implements RequestRecord {
	/** Whether a request was sent, or found to have been: then a failure does not undo it. */
	isTouched = false;
	/** Whether the request was accepted in this try or an earlier one. */
	isAccepted = false;
	/** Whether the failure is that of an earlier try: it does not stop the others. */
	isEarlierFailure = false;
	/** Whether the sending policy simulated the request. */
	isSimulated = false;
	/** Whether an agent asked for what it had sent already. */
	isRepeat = false;
	/** What makes the message of the request longer than it need be. */
	costly: CostlyCharacters | undefined;
	/** Why a recipient is left out, unless an earlier try has reached it. */
	complaintOf: ((request: ServiceRequest) => Complaint | undefined) | undefined;
	private readonly sent: SentRecord;
	private readonly progress: Progress;
	private readonly call: RecordedCall;
	private key: string;
	/** What a retry claims for the request. */
	private keys: readonly string[];

	constructor(sent: SentRecord, progress: Progress, call: RecordedCall) {
		this.sent = sent;
		this.progress = progress;
		this.call = call;
		this.key = call.key;
		this.keys = [call.key];
	}

	async earlier(request: ServiceRequest): Promise<EarlierOutcome | undefined> {
		if (this.sent.isTool) this.key = hashOf(request);
		this.keys = this.sent.keysOf(this.key, request.body?.phoneNumber ?? this.call.recipients);
		const entry = this.sent.find(this.key);
		if (entry !== undefined) return this.known(entry, EARLIER_TRY);
		const claims = await this.sent.claim(this.keys);
		if (claims === undefined) return undefined;
		const [place, person = place] = claims;
		switch (person) {
			case 'ours':
				if (place === 'accepted') throw new AnotherRecipient();
				return place === 'ours' ? undefined : this.known({ possiblySent: true }, OTHER_RETRY);
			case 'accepted':
				this.known({}, EARLIER_TRY);
				throw new SentByOtherRetry();
			default:
				return this.known({ possiblySent: true }, OTHER_RETRY);
		}
	}

	async starting(request: ServiceRequest): Promise<void> {
		const complaint = this.complaintOf?.(request);
		if (complaint !== undefined) throw new LeftOut(complaint);
		const { body } = request;
		this.isTouched = true;
		if (typeof body?.message === 'string') this.costly = costlyCharacters(body.message);
		this.progress.possiblySent(this.call.rows);
	}

	accepted(_request: ServiceRequest, response: unknown): void {
		this.isAccepted = true;
		this.progress.sent(this.call.rows);
		for (const key of this.keys) this.sent.claims?.accepted(key);
		this.sent.add(this.key, this.call, { response: identifying(response) });
	}

	possiblySent(_request: ServiceRequest, failure: Failure): void {
		const { httpCode } = failure;
		for (const key of this.keys) this.sent.claims?.possiblySent(key);
		this.sent.causes.set(this.key, failure.message);
		this.sent.add(this.key, this.call, {
			possiblySent: true,
			...(httpCode === undefined ? {} : { httpCode }),
		});
	}

	notSent(): void {
		this.isTouched = false;
		this.progress.notSent(this.call.rows);
	}

	simulated(): void {
		this.notSent();
		this.isSimulated = true;
	}

	repeated(): void {
		this.progress.sent(this.call.rows);
		this.isAccepted = true;
		this.isRepeat = true;
	}

	/** Whether it is certain that no try has sent the request, which has failed. */
	async isUnsent(): Promise<boolean> {
		if (this.isTouched || this.sent.has(this.key)) return false;
		return await this.sent.isUnclaimed(this.keys);
	}

	/** @param failure in words of our own, for the service's may quote a number or a text */
	private known(entry: Partial<Entry>, failure: Failure): EarlierOutcome {
		const { response, possiblySent, httpCode } = entry;
		this.isTouched = true;
		this.progress.possiblySent(this.call.rows);
		if (possiblySent !== true) {
			this.isAccepted = true;
			this.progress.sent(this.call.rows);
			return { response };
		}
		this.isEarlierFailure = true;
		const cause = this.sent.causes.get(this.key);
		const description = `${failure.description}${cause === undefined ? '' : ` The reason then: ${cause}.`}`;
		return {
			failure: { ...failure, description, ...(httpCode === undefined ? {} : { httpCode }) },
		};
	}
}

/** Of a response, only what identifies: an ID as such, or the fields that hold one. */
function identifying(response: unknown): unknown {
	if (typeof response === 'string' || typeof response === 'number') return response;
	if (typeof response !== 'object' || response === null) return null;
	return identifiersOf(response as IDataObject);
}
