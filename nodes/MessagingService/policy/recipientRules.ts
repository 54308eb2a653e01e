import { DateTime } from 'luxon';
import { classify, type Classification } from '../numbers/classify';
import { TYPE_LABELS } from '../numbers/numberTypes';
import { internationalForm } from '../numbers/readNumber';
import { NO_ZONES, timeZonesOf } from '../numbers/timeZones';
import type { SendingPolicy } from './policy';
import { hoursText, isWindowAllowed, nextAllowed, type SendingHours } from './sendingHours';
import type { Timing } from './timing';
import type { Reason } from '../reason';

const HOW_TO_COMPLETE =
	'Write the number with + and the country code, or set Default Country in the credential or in Options.';

const MINUTE = 60_000;
const MOST_ZONES_SHOWN = 3;

/** Checks the recipients of one request, one after the other. */
export class RecipientRules {
	private readonly policy: SendingPolicy;
	private readonly timing: Timing;
	private readonly serviceZones: readonly string[];
	private readonly needsType: boolean;
	/** What the sending hours refuse, by zones: numbers of one area share one array. */
	private readonly verdicts = new Map<readonly string[], Reason | undefined>();

	/** @param serviceZone IANA zone of the service's times */
	constructor(policy: SendingPolicy, timing: Timing, serviceZone: string) {
		this.policy = policy;
		this.timing = timing;
		this.serviceZones = [serviceZone];
		this.needsType = policy.countries.size + policy.blockedTypes.size > 0;
	}

	/** Why a number as the request has it may not be sent to; undefined where it may. */
	reasonFor(number: unknown): Reason | undefined {
		const e164 = internationalForm(number);
		const classification = e164 !== undefined && this.needsType ? classify(e164) : undefined;
		return this.trial(e164) ?? this.plan(classification) ?? this.time(e164, classification);
	}

	/** Why the sending hours do not allow a number; undefined where they do. */
	hoursOf(number: unknown): Reason | undefined {
		return this.time(internationalForm(number));
	}

	/** The numbers of a trial. */
	private trial(e164: string | undefined): Reason | undefined {
		const { onlyThese } = this.policy;
		if (onlyThese === undefined || (e164 !== undefined && onlyThese.has(e164))) return undefined;
		return {
			code: 'onlyTheseNumbers',
			text: 'is not in Only These Numbers',
			advice: 'Only These Numbers limits this credential to the numbers of a trial.',
		};
	}

	/** The rules about country and type: what is not known is refused. */
	private plan(classification: Classification | undefined): Reason | undefined {
		const { countries, blockedTypes } = this.policy;
		if (!this.needsType) return undefined;
		const { country, type } = classification ?? {};
		const isAllowedCountry =
			countries.size === 0 || (country !== undefined && countries.has(country));
		if (isAllowedCountry && type !== undefined && !blockedTypes.has(type)) return undefined;
		const advice = classification === undefined ? ` ${HOW_TO_COMPLETE}` : '';
		return isAllowedCountry
			? {
					code: 'blockedNumberTypes',
					text: `is of ${type === undefined ? 'an unknown type' : `a blocked type (${TYPE_LABELS[type]})`}`,
					advice: `Blocked Number Types: ${[...blockedTypes].map((each) => TYPE_LABELS[each]).join(', ')}.${advice}`,
				}
			: {
					code: 'allowedCountries',
					text: `is of ${country === undefined ? 'an unknown country' : `a blocked country (${country})`}`,
					advice: `Allowed Countries: ${[...countries].sort().join(', ')}.${advice}`,
				};
	}

	/** The rule about hours. */
	private time(e164: string | undefined, classification?: Classification): Reason | undefined {
		const { hours, hoursIn } = this.policy;
		if (hours === undefined) return undefined;
		const own = e164 === undefined ? NO_ZONES : timeZonesOf(e164, classification);
		const zones = hoursIn === 'service' ? this.serviceZones : own;
		if (!this.verdicts.has(zones)) this.verdicts.set(zones, this.outside(hours, zones));
		return this.verdicts.get(zones);
	}

	/** Why the hours of zones do not allow the timing; undefined where they do. */
	private outside(hours: SendingHours, zones: readonly string[]): Reason | undefined {
		const { timing, policy } = this;
		const allowed = `Sending Hours: ${hoursText(hours)}`;
		if (zones.length === 0) {
			return {
				code: 'sendingHours',
				text: 'is of an unknown time zone',
				advice: `${allowed}, in the time zone of the recipient. ${HOW_TO_COMPLETE}`,
			};
		}
		const refused = timing.find(([start, end]) => !isWindowAllowed(hours, zones, start, end));
		if (refused === undefined) return undefined;
		const [start, end] = refused;
		// The whole window must fit: it may start only so long before the hours end.
		const to = hours.to - (end - start) / MINUTE + 1;
		const next = to > hours.from ? nextAllowed({ ...hours, to }, zones, start) : undefined;
		const whose =
			policy.hoursIn === 'service'
				? 'the time zone of the service'
				: 'every time zone of the number';
		const shown = zones.slice(0, MOST_ZONES_SHOWN).join(', ');
		return {
			code: 'sendingHours',
			text: 'is outside the sending hours',
			advice: `${allowed}, in ${whose} (${shown}${zones.length > MOST_ZONES_SHOWN ? ', ...' : ''}).`,
			...(next === undefined ? {} : { nextAllowedTime: utcText(next) }),
		};
	}
}

function utcText(instant: number): string {
	return DateTime.fromMillis(instant, { zone: 'utc' }).toISO({ suppressMilliseconds: true }) ?? '';
}
