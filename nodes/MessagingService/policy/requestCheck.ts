import { Failure, type Sent } from '../failure';
import type { NumberOptions } from '../numbers/readNumber';
import type { ReachOf } from '../reach';
import type { Complaint, Screen } from '../reason';
import type { PostRequest, TurnCheck } from '../transport/request';
import { refusedRecipients, refusedUnknown } from './refused';
import type { Blocked } from './rules/rule';
import type { SentNote, SentTexts } from './sentTexts';
import { personOf, type TextCheck } from './textCheck';
import { startOf } from './timing';

/** A request that was checked this long ago may have come into another minute of the day. */
const STILL_VALID_MS = 1000;

/** What recipients are checked with: the guard has it. */
interface RecipientRules {
	/** How numbers of requests and of the service are read to compare them. */
	numbers: NumberOptions;
	/** Why the rules do not allow a number when a request reaches it; undefined if that time is not known. */
	screenOf(reach: ReachOf<'messages' | 'calls'>): Screen | undefined;
	/** Reads who must not be contacted; undefined where there is no such list. */
	readBlocked: (() => Promise<Blocked>) | undefined;
}

/** A request whose recipients are known. */
interface KnownRequest {
	request: PostRequest;
	/** Whom it reaches. */
	known: ReachOf<'messages' | 'calls'>;
	rules: RecipientRules;
	/** Those who must not be contacted, as they were read for it. */
	blocked: Blocked | undefined;
	/** What other texts the people get, if that matters. */
	texts: TextCheck | undefined;
}

/** What the policy says of one request, each time that it is asked: before it is sent, and at its turn. */
export class RequestCheck implements TurnCheck {
	/** How many people it reaches, as far as the policy counts them. */
	readonly recipients: number;
	/** Why it was refused when the policy was asked to let it out. */
	failure: Failure | undefined;
	private readonly of: KnownRequest | undefined;
	private blocked: Blocked | undefined;
	private checkedAt = -Infinity;
	private noted: { sent: SentTexts; note: SentNote } | undefined;

	/** @param of a request whose recipients matter; else why it is refused, if it is */
	constructor(of: KnownRequest | Failure | undefined) {
		this.failure = of instanceof Failure ? of : undefined;
		this.of = of instanceof Failure ? undefined : of;
		this.blocked = this.of?.blocked;
		this.recipients = this.of?.known.numbers.length ?? 0;
	}

	async prepare(): Promise<void> {
		if (this.of === undefined) return;
		const latest = await this.of.rules.readBlocked?.();
		if (latest?.readAt !== this.blocked?.readAt) this.checkedAt = -Infinity;
		this.blocked = latest;
		await this.of.texts?.prepare();
	}

	/** @param earlier texts that count as sent, beside those that are: those of a rehearsal */
	refusal(earlier?: SentTexts): Failure | undefined {
		if (this.of === undefined) return this.failure;
		const { texts } = this.of;
		const old = this.blocked?.refusal() ?? texts?.tooOld();
		return (
			old ?? this.refusedByRules(this.of) ?? this.refusedForTexts(texts?.complaints(earlier) ?? [])
		);
	}

	/** Notes its texts for the next requests of a rehearsal, if they look at them. */
	rehearseIn(texts: SentTexts): void {
		this.of?.texts?.noteIn(texts);
	}

	/** Notes its texts as sent: those of a policy without hours between texts count for others. */
	noteIn(sent: SentTexts): void {
		if (this.of === undefined) return;
		const { request, rules, texts } = this.of;
		const { reaches } = request;
		if (texts !== undefined) this.noted = { sent, note: texts.noteIn(sent) };
		else if (reaches.kind === 'messages') {
			const people = reaches.numbers.flatMap((number) => personOf(number, rules.numbers) ?? []);
			this.noted = { sent, note: sent.add(people, startOf(reaches)) };
		}
	}

	/** Notes what its texts came to. @param response of the service, where it was accepted */
	settleTexts(outcome: Sent, response?: unknown): void {
		this.noted?.sent.settle(this.noted.note, outcome, response);
	}

	private refusedByRules({ request, known, rules }: KnownRequest): Failure | undefined {
		const now = Date.now();
		if (now - this.checkedAt <= STILL_VALID_MS) return undefined;
		const screen = rules.screenOf(known);
		if (screen === undefined) return refusedUnknown(request);
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
		if (this.of?.request.reaches.kind === 'campaign') return refusal;
		const { message, description, facts } = refusal;
		return new Failure(message, description, { ...facts, isLeftOut: true });
	}
}

function shownNumber(number: unknown): string {
	const text = typeof number === 'string' || typeof number === 'number' ? String(number) : '';
	return text.slice(0, 30);
}
