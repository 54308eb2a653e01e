import { DateTime } from 'luxon';
import { classify, type Classification } from '../numbers/classify';
import { type NumberType, TYPE_LABELS } from '../numbers/numberTypes';
import { readNumber } from '../numbers/readNumber';
import { timeZonesOf } from '../numbers/timeZones';
import { outsideTrial } from './onlyTheseNumbers';
import type { SendingPolicy } from './policy';
import { isWindowAllowed, nextAllowed, type SendingHours } from './sendingHours';
import { countriesText, hoursText, type Violation } from './violation';

/** When a request reaches people: at an instant, or in the calling windows of some days. */
export type Timing =
	| { kind: 'instant'; at: number }
	/** Each with its first instant and the instant behind its last. */
	| { kind: 'windows'; windows: readonly (readonly [number, number])[] };

/** Whether the hours of some zones allow a timing, and when they allow it next. */
interface HoursVerdict {
	isAllowed: boolean;
	/** Milliseconds since 1970; undefined where the zones have no allowed time in common. */
	next: number | undefined;
}

const MINUTE = 60_000;

const COMPLETE = { format: 'international' } as const;
const HOW_TO_COMPLETE =
	'Write the number with + and the country code, or set Default Country in the credential or in Options.';

/** Checks the recipients of one request, one after the other. */
export class RecipientRules {
	private readonly policy: SendingPolicy;
	private readonly timing: Timing;
	private readonly serviceZones: readonly string[];
	private readonly needsType: boolean;
	/** By zones: numbers of one area share one array. */
	private readonly verdicts = new Map<readonly string[], HoursVerdict>();

	/** @param serviceZone IANA zone of the service's times */
	constructor(policy: SendingPolicy, timing: Timing, serviceZone: string) {
		this.policy = policy;
		this.timing = timing;
		this.serviceZones = [serviceZone];
		this.needsType = policy.countries.size + policy.blockedTypes.size > 0;
	}

	/** Why a number as the request has it may not be sent to; undefined where it may. */
	violationOf(number: unknown): Violation | undefined {
		const reading = readNumber(number, COMPLETE);
		const e164 = reading.problem === undefined ? reading.e164 : undefined;
		const classification = e164 !== undefined && this.needsType ? classify(e164) : undefined;
		return (
			outsideTrial(this.policy.onlyThese, e164) ??
			this.plan(classification) ??
			this.time(e164, classification)
		);
	}

	/** Why the sending hours do not allow a number; undefined where they do. */
	hoursOf(number: unknown): Violation | undefined {
		const reading = readNumber(number, COMPLETE);
		return this.time(reading.problem === undefined ? reading.e164 : undefined);
	}

	/** The rules about country and type. */
	private plan(classification: Classification | undefined): Violation | undefined {
		const { countries, blockedTypes } = this.policy;
		if (!this.needsType) return undefined;
		if (classification === undefined) {
			return {
				rule: countries.size > 0 ? 'allowedCountries' : 'blockedNumberTypes',
				reason: 'is of an unknown country',
				allowed: `${countries.size > 0 ? countriesText(countries) : this.typesText()} ${HOW_TO_COMPLETE}`,
			};
		}
		const { country, type } = classification;
		if (countries.size > 0 && !(country !== undefined && countries.has(country))) {
			return {
				rule: 'allowedCountries',
				reason: country === undefined ? 'is of no country' : `is of a blocked country (${country})`,
				allowed: countriesText(countries),
			};
		}
		if (!blockedTypes.has(type)) return undefined;
		return {
			rule: 'blockedNumberTypes',
			reason: `is of a blocked type (${TYPE_LABELS[type]})`,
			allowed: this.typesText(),
		};
	}

	private typesText(): string {
		const names = [...this.policy.blockedTypes].map((type: NumberType) => TYPE_LABELS[type]);
		return `Blocked Number Types: ${names.join(', ')}.`;
	}

	/** The rule about hours. */
	private time(e164: string | undefined, classification?: Classification): Violation | undefined {
		const { hours, hoursIn } = this.policy;
		if (hours === undefined) return undefined;
		const zones = this.zonesOf(e164, classification);
		const verdict = zones.length === 0 ? undefined : this.verdict(hours, zones);
		if (verdict?.isAllowed === true) return undefined;
		const allowed = `Sending Hours: ${hoursText(hours)}`;
		if (verdict === undefined) {
			return {
				rule: 'sendingHours',
				reason: 'is of an unknown time zone',
				allowed: `${allowed}, in the time zone of the recipient. ${HOW_TO_COMPLETE}`,
			};
		}
		const { next } = verdict;
		const shownZones = zones.slice(0, 3).join(', ') + (zones.length > 3 ? ', ...' : '');
		return {
			rule: 'sendingHours',
			reason: 'is outside the sending hours',
			allowed:
				hoursIn === 'service'
					? `${allowed}, in the time zone of the service (${shownZones}).`
					: `${allowed}, in every time zone of the number (${shownZones}).`,
			...(next === undefined ? {} : { nextAllowedTime: utcText(next) }),
		};
	}

	private zonesOf(e164: string | undefined, classification?: Classification): readonly string[] {
		if (this.policy.hoursIn === 'service') return this.serviceZones;
		return e164 === undefined ? [] : timeZonesOf(e164, classification);
	}

	private verdict(hours: SendingHours, zones: readonly string[]): HoursVerdict {
		const known = this.verdicts.get(zones);
		if (known !== undefined) return known;
		const verdict = this.judge(hours, zones);
		this.verdicts.set(zones, verdict);
		return verdict;
	}

	private judge(hours: SendingHours, zones: readonly string[]): HoursVerdict {
		const { timing } = this;
		if (timing.kind === 'instant') {
			const next = nextAllowed(hours, zones, timing.at);
			return { isAllowed: next === timing.at, next };
		}
		const refused = timing.windows.find(
			([start, end]) => !isWindowAllowed(hours, zones, start, end),
		);
		if (refused === undefined) return { isAllowed: true, next: undefined };
		const [start, end] = refused;
		// The whole window must fit: it may start only so long before the hours end.
		const to = hours.to - (end - start) / MINUTE + 1;
		const next = to > hours.from ? nextAllowed({ ...hours, to }, zones, start) : undefined;
		return { isAllowed: false, next };
	}
}

function utcText(instant: number): string {
	return DateTime.fromMillis(instant, { zone: 'utc' }).toISO({ suppressMilliseconds: true }) ?? '';
}
