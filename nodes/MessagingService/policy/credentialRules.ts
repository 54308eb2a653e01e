import { comparedIn, type NumberOptions } from '../numbers/readNumber';
import type { ReachOf } from '../reach';
import type { Reason, Screen } from '../reason';
import { isTimeZone } from '../times';
import type { PostRequest, ReadClient } from '../transport/request';
import { holdingFailures } from '../transport/sharedReadings';
import type { SendingPolicy } from './policy';
import { readRecentTexts, type RecentTexts } from './recentTexts';
import { WITHOUT_POLICY } from './rules/blockedNumberTypes';
import { Recipient, type Blocked, type Checks } from './rules/rule';
import { timingOf, type Timing } from './timing';

/** The rules of a credential, with what its account has: a clock, a country, and lists of people. */
export class CredentialRules {
	/** IANA zone of the service's clock; undefined where the credential does not say it. */
	readonly zone: string | undefined;
	/** How numbers of requests and of the service are read to compare them. */
	readonly numbers: NumberOptions;
	/** The hours that must lie between two texts to one person; undefined without that rule. */
	readonly hoursBetween: number | undefined;
	/** Reads who must not be contacted; undefined where there is no such list. */
	readonly readBlocked: (() => Promise<Blocked>) | undefined;
	/** Reads who was texted lately; undefined where that does not matter. */
	readonly readTexts: (() => Promise<RecentTexts>) | undefined;
	/** Whether the credential has a policy: without one, only some types of numbers are refused. */
	readonly isOn: boolean;
	private readonly rules: readonly Checks[];

	/**
	 * @param policy undefined where it is off: then only some types of numbers are refused
	 * @param noteUnreadable is told of stored numbers that are no phone numbers, by their storage IDs
	 */
	constructor(
		policy: SendingPolicy | undefined,
		client: ReadClient,
		noteUnreadable: (storageIds: readonly string[]) => void,
	) {
		const { timeZone, defaultCountry } = client.settings;
		this.isOn = policy !== undefined;
		this.rules = policy ?? WITHOUT_POLICY;
		this.zone = isTimeZone(timeZone) ? timeZone : undefined;
		this.numbers = comparedIn(defaultCountry);
		const readBlocked = this.first((rule) => rule.readBlocked);
		this.readBlocked =
			readBlocked && holdingFailures(async () => readBlocked(client, noteUnreadable));
		const hours = this.first((rule) => rule.hoursBetween);
		this.hoursBetween = hours;
		const reading = { zone: this.zone ?? 'utc', numbers: this.numbers };
		this.readTexts =
			hours === undefined
				? undefined
				: holdingFailures(async () => readRecentTexts(client, { ...reading, hours }));
	}

	/** What the first rule says that says something. */
	first<Result>(of: (rule: Checks) => Result | undefined): Result | undefined {
		return firstResult(this.rules, of);
	}

	/** Why a request may not go out, whoever its recipients are: while sending is paused, nothing else matters. */
	refusalOf(request: PostRequest) {
		return firstResult([...this.rules].reverse(), (rule) => rule.ofRequest?.(request, this.zone));
	}

	/** Why a number may not be reached; undefined where nobody can tell when the request reaches it. */
	screenOf(reach: ReachOf<'messages' | 'calls'>): Screen | undefined {
		// Without a policy, nothing depends on the time.
		const timing = this.isOn ? this.timingOf(reach) : [];
		return timing && this.screenBy(this.rules, timing);
	}

	/** Whom the sending hours do not allow; undefined without hours, or a time that nobody can tell. */
	hoursScreenOf(request: PostRequest): Screen | undefined {
		const { reaches } = request;
		if (reaches.kind !== 'messages' && reaches.kind !== 'calls') return undefined;
		const rule = this.rules.find(({ isOfHours }) => isOfHours);
		if (rule === undefined || rule.ofRequest?.(request, this.zone) !== undefined) return undefined;
		const timing = this.timingOf(reaches);
		return timing && this.screenBy([rule], timing);
	}

	private timingOf(reach: ReachOf<'messages' | 'calls'>): Timing | undefined {
		return timingOf(reach, Date.now(), this.zone ?? 'utc');
	}

	private screenBy(rules: readonly Checks[], timing: Timing): Screen {
		// Without a zone, nothing depends on it.
		const checks = rules.flatMap((rule) => rule.ofRecipients?.(timing, this.zone ?? 'utc') ?? []);
		return (number): Reason | undefined => {
			const recipient = new Recipient(number);
			return firstResult(checks, (check) => check(recipient));
		};
	}
}

function firstResult<Each, Result>(
	list: readonly Each[],
	resultOf: (each: Each) => Result | undefined,
): Result | undefined {
	for (const each of list) {
		const result = resultOf(each);
		if (result !== undefined) return result;
	}
	return undefined;
}
