import { Failure } from '../failure';
import type { ReachOf } from '../reach';
import type { Complaint, Screen } from '../reason';
import type { PostRequest, TurnCheck } from '../transport/request';
import { refusedRecipients, refusedUnknown } from './refused';
import type { Blocked } from './rules/rule';
import type { SentNote, SentTexts } from './sentTexts';
import type { TextCheck } from './textCheck';
import { timingOf, type Timing } from './timing';

/** A request that was judged this long ago may have come into another minute of the day. */
const STILL_VALID_MS = 1000;

/** What the policy says about one request, each time that it is asked, before the maximum of recipients. */
export interface Judgement extends TurnCheck {
	recipients: number;
	/** @param earlier texts that count as sent, beside those that are: those of a review */
	refusal(earlier?: SentTexts): Failure | undefined;
	/** Notes its texts as sent; undefined for a request without texts. */
	noteIn(sent: SentTexts): SentNote | undefined;
}

/** A judgement that does not change. @param failure why the request is refused, if it is */
export const settled = (failure: Failure | undefined): Judgement => ({
	recipients: 0,
	prepare: async () => await Promise.resolve(),
	refusal: () => failure,
	noteIn: () => undefined,
});

/** What a request is judged by. */
export interface Judged {
	request: PostRequest;
	/** Whom it reaches. */
	known: ReachOf<'messages' | 'calls'>;
	/** Whether the rules depend on the time, which must be known then. */
	isTimed: boolean;
	/** IANA zone of the service's clock. */
	zone: string;
	/** Why the rules do not allow a number at a time. */
	screenAt(timing: Timing): Screen;
	/** Reads who must not be contacted, if there is such a list. */
	readBlocked(): Promise<Blocked | undefined>;
	/** What other texts the people get, if that matters. */
	texts: TextCheck | undefined;
}

/** Judges a request whose recipients are known: when it is asked for, and when its turn comes. */
export class JudgedRequest implements Judgement {
	readonly recipients: number;
	private readonly judged: Judged;
	private blocked: Blocked | undefined;
	private checkedAt = -Infinity;

	/** @param blocked as it was read for it */
	constructor(judged: Judged, blocked: Blocked | undefined) {
		this.judged = judged;
		this.blocked = blocked;
		this.recipients = judged.known.numbers.length;
	}

	async prepare(): Promise<void> {
		const latest = await this.judged.readBlocked();
		if (latest?.readAt !== this.blocked?.readAt) this.checkedAt = -Infinity;
		this.blocked = latest;
		await this.judged.texts?.prepare();
	}

	refusal(earlier?: SentTexts): Failure | undefined {
		const { texts } = this.judged;
		const old = this.blocked?.refusal() ?? texts?.tooOld();
		return old ?? this.refusedByRules() ?? this.refusedForTexts(texts?.complaints(earlier) ?? []);
	}

	noteIn(sent: SentTexts): SentNote | undefined {
		return this.judged.texts?.noteIn(sent);
	}

	private refusedByRules(): Failure | undefined {
		const now = Date.now();
		if (now - this.checkedAt <= STILL_VALID_MS) return undefined;
		const { request, known, isTimed, zone, screenAt } = this.judged;
		const timing = isTimed ? timingOf(known, now, zone) : [];
		if (timing === undefined) return refusedUnknown(request);
		const screen = screenAt(timing);
		const reasons = known.numbers.flatMap((number, place): Complaint[] => {
			const reason = this.blocked?.screen(number) ?? screen(number);
			return reason ? [{ ...reason, place, phoneNumber: shownNumber(number) }] : [];
		});
		if (reasons.length > 0) return refusedRecipients(reasons, known.numbers.length);
		this.checkedAt = now;
		return undefined;
	}

	/** These can be left out; of a campaign that exists, nobody can. */
	private refusedForTexts(complaints: readonly Complaint[]): Failure | undefined {
		if (complaints.length === 0) return undefined;
		const shown = complaints.map((each) => ({
			...each,
			phoneNumber: shownNumber(each.phoneNumber),
		}));
		const refusal = refusedRecipients(shown, this.recipients);
		if (this.judged.request.reaches.kind === 'campaign') return refusal;
		const { message, description, facts } = refusal;
		return new Failure(message, description, { ...facts, isLeftOut: true });
	}
}

function shownNumber(number: unknown): string {
	const text = typeof number === 'string' || typeof number === 'number' ? String(number) : '';
	return text.slice(0, 30);
}
