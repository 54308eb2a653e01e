import { Failure, type Sent } from '../failure';
import type { ReachOf } from '../reach';
import type { Complaint, Screen } from '../reason';
import type { PostRequest, TurnCheck } from '../transport/request';
import { identifierOf } from '../transport/responseShape';
import type { CredentialRules } from './credentialRules';
import { knownPerson } from './listedTexts';
import type { RecentTexts } from './recentTexts';
import { refusedAsOld, refusedRecipients, refusedUnknown } from './refused';
import type { Blocked } from './rules/rule';
import { noteResult, type SentRequest, type SentTexts } from './sentTexts';
import { textScreen } from './textScreen';
import { startOf } from './timing';

/** A request that was checked this long ago may have come into another minute of the day. */
const STILL_VALID_MS = 1000;

/** A request whose recipients are known. */
interface AskedRequest {
	request: PostRequest;
	/** Whom it reaches. */
	reach: ReachOf<'messages' | 'calls'>;
	/** The campaign that it changes, in lower case. */
	campaignId: string | undefined;
	rules: CredentialRules;
}

/** What the policy says of one request, each time that it is asked: before it is sent, and at its turn. */
export class RequestCheck implements TurnCheck {
	/** How many people it reaches, as far as the policy counts them. */
	readonly recipients: number;
	private readonly asked: AskedRequest | undefined;
	/** Those who must not be contacted, and those who were texted lately, as they were read last. */
	private blocked: Blocked | undefined;
	private texts: RecentTexts | undefined;
	private checkedAt = -Infinity;
	/** Its own texts, once they are noted. */
	private sentRequest: SentRequest | undefined;

	/** @param asked undefined for a request about whose recipients nobody asks */
	constructor(asked?: AskedRequest) {
		this.asked = asked;
		this.recipients = this.asked?.reach.numbers.length ?? 0;
	}

	/** Reads the lists of people, unless that was done a short time ago. */
	async prepare(): Promise<void> {
		if (this.asked === undefined) return;
		const { rules, reach } = this.asked;
		const blocked = await rules.readBlocked?.();
		if (blocked?.readAt !== this.blocked?.readAt) this.checkedAt = -Infinity;
		this.blocked = blocked;
		this.texts = reach.kind === 'messages' ? await rules.readTexts?.() : undefined;
	}

	/** @param rehearsed texts that count as sent, beside those that are */
	refusal(rehearsed?: SentTexts): Failure | undefined {
		if (this.asked === undefined) return undefined;
		return (
			refusedAsOld(this.blocked, 'do-not-contact list') ??
			refusedAsOld(this.texts, 'list of messages') ??
			this.refusedByRules(this.asked) ??
			this.refusedForTexts(this.asked, rehearsed)
		);
	}

	/** Notes its texts as sent, but for those who are left out: they count for other requests. */
	noteIn(texts: SentTexts, leftOut: readonly Complaint[] = []): SentRequest | undefined {
		if (this.asked?.reach.kind !== 'messages') return undefined;
		const { reach, rules } = this.asked;
		const places = new Set(leftOut.map(({ place }) => place));
		const texted = reach.numbers.filter((_, place) => !places.has(place));
		const people = texted.flatMap((number) => knownPerson(number, rules.numbers) ?? []);
		this.sentRequest = texts.add(people, startOf(reach));
		return this.sentRequest;
	}

	/** Notes what its texts came to. @param response of the service, where it was accepted */
	noteResult(sent: Sent, response?: unknown): void {
		if (this.sentRequest === undefined) return;
		// The texts of a campaign that was changed are those of the campaign.
		noteResult(this.sentRequest, sent, this.asked?.campaignId ?? identifierOf(response));
	}

	private refusedByRules({ request, reach, rules }: AskedRequest): Failure | undefined {
		const now = Date.now();
		if (now - this.checkedAt <= STILL_VALID_MS) return undefined;
		const screen = rules.screenOf(reach);
		if (screen === undefined) return refusedUnknown(request);
		const { blocked } = this;
		const complaints = complaintsOf(reach, (number) => blocked?.screen(number) ?? screen(number));
		if (complaints.length > 0) return refusedRecipients(complaints, this.recipients);
		this.checkedAt = now;
		return undefined;
	}

	/** Those with another text can be left out; of a campaign that exists, nobody can. */
	private refusedForTexts(
		{ reach, campaignId, rules }: AskedRequest,
		rehearsed: SentTexts | undefined,
	): Failure | undefined {
		const { texts } = this;
		if (texts === undefined || reach.kind !== 'messages') return undefined;
		const at = startOf(reach);
		const own = this.sentRequest;
		// What is noted of it goes out now.
		if (own !== undefined) own.at = at;
		const complaints = complaintsOf(
			reach,
			textScreen(rules, { at, texts, own, campaignId, rehearsed }),
		);
		if (complaints.length === 0) return undefined;
		const { message, description, facts } = refusedRecipients(complaints, this.recipients);
		return new Failure(message, description, { ...facts, isLeftOut: campaignId === undefined });
	}
}

function complaintsOf({ numbers }: AskedRequest['reach'], screen: Screen): Complaint[] {
	return numbers.flatMap((number, place): Complaint[] => {
		const reason = screen(number);
		return reason === undefined ? [] : [{ ...reason, place, phoneNumber: shownNumber(number) }];
	});
}

function shownNumber(number: unknown): string {
	const text = typeof number === 'string' || typeof number === 'number' ? String(number) : '';
	return text.slice(0, 30);
}
