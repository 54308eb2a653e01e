import { Failure, type Sent } from '../failure';
import { numbersIn, type ReachOf } from '../reach';
import { isComplaint, type Complaint, type StartScreen } from '../reason';
import { envelopeList, PAGE_SIZE } from '../transport/listRequests';
import { readList } from '../transport/paginate';
import type { PostRequest, ReadClient } from '../transport/request';
import type { OptOutMatches } from '../parameters/operationInput';
import { CredentialRules } from './credentialRules';
import type { SendingPolicy } from './policy';
import { sentTextsOf } from './recentTexts';
import { refusedRecipients, refusedUnknown } from './refused';
import { Rehearsal } from './rehearsal';
import { RequestCheck } from './requestCheck';
import { withoutList } from './rules/doNotContact';
import { textScreen } from './textScreen';
import { startOf } from './timing';

/** What of the policy is kept in the node's context, as plain JSON. */
interface Counted {
	policy?: { recipients: number };
}

/** What the guard asks of n8n and of the service. */
interface GuardDeps {
	/**
	 * The node's context, which n8n keeps for all runs, loops, calls by an agent and tries of one
	 * execution: the recipients that were reached are counted in it.
	 */
	context: object;
	/** Reads whom a request reaches, and who must not be contacted. */
	client: ReadClient;
	/** Whether n8n runs the workflow for an evaluation, in which nobody is reached. */
	isEvaluation: boolean;
	/** Is told of stored numbers that are no phone numbers, by their storage IDs. */
	noteUnreadable(storageIds: readonly string[]): void;
}

/** Why nothing is sent, though everything is in order: Simulate of the policy, or an evaluation. */
export type SimulatedBy = 'policy' | 'evaluation';

/** Whom a request reaches, and the sender of its messages. */
interface Reached {
	reach: ReachOf<'messages' | 'calls'>;
	sender: unknown;
	/** The existing campaign whose contacts they are, in lower case. */
	campaignId?: string;
}

/**
 * Enforces the sending policy of a credential. It is asked about every request that is about to be
 * sent, whichever operation made it. Only the trigger registers its URL without asking: that reaches
 * nobody.
 *
 * Before anything is sent, lists are screened (`screenOfList`) and requests rehearsed (`rehearse`).
 * Each request is checked before it is sent and, by the same `RequestCheck`, at its turn (`check`).
 * What it came to is told afterwards (`noteResult`).
 */
export class SendingGuard {
	/** Why a policy that cannot be read refuses everything. */
	private readonly unreadable: Failure | undefined;
	private readonly rules: CredentialRules;
	private readonly deps: GuardDeps;

	constructor(policy: SendingPolicy | Failure | undefined, deps: GuardDeps) {
		this.unreadable = policy instanceof Failure ? policy : undefined;
		this.deps = deps;
		const rules = policy instanceof Failure ? [] : policy;
		this.rules = new CredentialRules(rules, deps.client, deps.noteUnreadable);
	}

	/**
	 * Leaves out of a list whom no workflow sends to, who has another text within the hours, and who is
	 * outside of the sending hours, if that is wanted.
	 * @param request the list's, whose recipients need not be known yet
	 * @returns undefined where nobody would be left out
	 * @throws what reading the stored numbers and the recent texts throws
	 */
	async screenOfList(
		request: () => PostRequest,
		{ skipsOutsideHours }: { skipsOutsideHours: boolean },
	): Promise<StartScreen | undefined> {
		const { rules } = this;
		const blocked = (await rules.readBlocked?.())?.screen;
		const startTexts = await this.textScreenOf(request);
		const hours = skipsOutsideHours && rules.isOn ? rules.hoursScreenOf(request()) : undefined;
		if (blocked === undefined && startTexts === undefined && hours === undefined) return undefined;
		return () => {
			const texts = startTexts?.();
			return (number) => blocked?.(number) ?? texts?.(number) ?? hours?.(number);
		};
	}

	/** The count of the node, which other calls look at meanwhile, stays as it is. */
	startRehearsal(): Rehearsal {
		return new Rehearsal((this.deps.context as Counted).policy);
	}

	/**
	 * Checks requests before the first of them is sent. Unless any of them is refused, they count in the
	 * rehearsal.
	 * @param requests of one list: `place` of the reasons counts through all of them
	 * @returns why none of them may be sent, or that everybody is left out
	 */
	async rehearse(
		requests: readonly PostRequest[],
		rehearsal = this.startRehearsal(),
	): Promise<Failure | undefined> {
		const refused: Complaint[] = [];
		let first: Failure | undefined;
		let firstLeftOut: Failure | undefined;
		let total = 0;
		let leftOut = 0;
		const before = rehearsal.checkpoint();
		for (const request of requests) {
			const { failure, recipients } = await this.rehearseOne(request, rehearsal);
			const complaints = failure?.facts.reasons?.filter(isComplaint) ?? [];
			if (failure?.facts.isLeftOut === true) {
				// They are left out when the request is sent.
				leftOut += complaints.length;
				firstLeftOut ??= failure;
			} else if (failure !== undefined) {
				for (const each of complaints) refused.push({ ...each, place: total + each.place });
				first ??= failure;
			}
			total += recipients;
		}
		const nobodyLeft = leftOut === total ? firstLeftOut : undefined;
		const failure =
			refused.length > 0
				? refusedRecipients(refused, total)
				: (first ?? nobodyLeft ?? this.count(total - leftOut, rehearsal));
		if (failure !== undefined) rehearsal.takeBack(before);
		return failure;
	}

	private async rehearseOne(
		request: PostRequest,
		rehearsal: Rehearsal,
	): Promise<{ failure: Failure | undefined; recipients: number }> {
		const check = await this.read(request);
		if (check instanceof Failure) {
			return { failure: check, recipients: numbersIn(request.reaches)?.length ?? 0 };
		}
		const failure = check.refusal(rehearsal.texts);
		const isRefused = failure !== undefined && failure.facts.isLeftOut !== true;
		if (!isRefused && this.rules.readTexts !== undefined) {
			rehearsal.note(check, failure?.facts.reasons?.filter(isComplaint) ?? []);
		}
		return { failure, recipients: check.recipients };
	}

	/**
	 * Checks a request.
	 * @returns why it is refused; otherwise it may go out now, and its recipients are counted
	 */
	async check(request: PostRequest): Promise<RequestCheck | Failure> {
		const check = await this.read(request);
		if (check instanceof Failure) return check;
		// Nothing may wait between the look at the count and its change.
		const refusal = check.refusal() ?? this.count(check.recipients, this.deps.context);
		if (refusal !== undefined) return refusal;
		const sent =
			this.simulatedBy(request) === undefined ? sentTextsOf(this.deps.client) : undefined;
		if (sent !== undefined) check.noteIn(sent);
		return check;
	}

	/** Notes what a request came to that went out. @param response of the service, if it was accepted */
	noteResult(check: RequestCheck, sent: Sent, response?: unknown): void {
		if (sent === 'no') this.count(-check.recipients, this.deps.context);
		check.noteResult(sent, response);
	}

	/** Why a request that may go out is not sent all the same. */
	simulatedBy({ reaches: { kind } }: PostRequest): SimulatedBy | undefined {
		if (kind === 'nobody') return undefined;
		if (this.deps.isEvaluation) return 'evaluation';
		return this.rules.first(({ isSimulated }) => isSimulated || undefined) && 'policy';
	}

	/**
	 * What stored numbers have that must not be contacted.
	 * @throws Failure where the credential has no do-not-contact list, or a policy that cannot be read
	 */
	optOutMatches(): OptOutMatches {
		if (this.unreadable !== undefined) throw this.unreadable;
		const matches = this.rules.first((rule) => rule.matches);
		if (matches === undefined) throw withoutList();
		return matches;
	}

	/** Counts recipients, unless they are too many beside those that were reached: then it says why. */
	private count(recipients: number, counted: Counted): Failure | undefined {
		const { recipients: reached } = counted.policy ?? { recipients: 0 };
		const failure = this.rules.first((rule) => rule.ofCount?.(reached, recipients));
		if (failure === undefined) counted.policy = { recipients: reached + recipients };
		return failure;
	}

	/** Reads what a request is checked with: whom it reaches, and what is known of them. Or why it is refused. */
	private async read(request: PostRequest): Promise<RequestCheck | Failure> {
		const { rules } = this;
		const { reaches } = request;
		// Of a request that does not name whom it reaches, only a policy asks.
		const isUnasked = !rules.isOn && (numbersIn(reaches) ?? []).length === 0;
		if (reaches.kind === 'nobody' || isUnasked) return new RequestCheck();
		if (this.unreadable !== undefined) return this.unreadable;
		if (reaches.kind === 'events') {
			return rules.first((rule) => rule.ofWebhook?.()) ?? new RequestCheck();
		}
		const refusal = rules.refusalOf(request);
		if (refusal !== undefined) return refusal;
		const { reach, sender, campaignId } = (await this.reachedBy(request)) ?? {};
		if (reach === undefined || reach.numbers.length === 0) return refusedUnknown(request);
		const isMessage = reach.kind === 'messages';
		const ofSender = isMessage ? rules.first((rule) => rule.ofSender?.(sender)) : undefined;
		if (ofSender !== undefined) return ofSender;
		const check = new RequestCheck({ request, reach, campaignId, rules });
		await check.prepare();
		return check;
	}

	/** Who is reached, and from whom; undefined where nobody can tell. */
	private async reachedBy({ reaches, body }: PostRequest): Promise<Reached | undefined> {
		if (reaches.kind === 'messages' || reaches.kind === 'calls') {
			return { reach: reaches, sender: body?.sender };
		}
		if (reaches.kind !== 'campaign') return undefined;
		const { client } = this.deps;
		const { path } = reaches;
		const { startDateTime, sender } = await client.record({ method: 'GET', path });
		const list = envelopeList(client, `${path}/Contacts`, PAGE_SIZE);
		const numbers = await readList(list, ({ phoneNumber }) => phoneNumber);
		return {
			// One without a start is sent immediately.
			reach: { kind: 'messages', numbers, start: reaches.start ?? startDateTime },
			sender: body?.sender ?? sender,
			campaignId: decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)).toLowerCase(),
		};
	}

	/** Who has another text within the hours of a list's request; undefined where that does not matter. */
	private async textScreenOf(request: () => PostRequest): Promise<StartScreen | undefined> {
		const { rules } = this;
		// Without a zone, the policy refuses all of them.
		if (rules.readTexts === undefined || rules.zone === undefined) return undefined;
		const { reaches } = request();
		if (reaches.kind !== 'messages') return undefined;
		const texts = await rules.readTexts();
		return () => textScreen(rules, { at: startOf(reaches), texts });
	}
}
