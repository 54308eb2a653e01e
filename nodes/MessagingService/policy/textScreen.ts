import { sortBy } from 'lodash';
import type { Screen } from '../reason';
import { HOUR_MS } from '../times';
import type { CredentialRules } from './credentialRules';
import { knownPerson } from './listedTexts';
import type { RecentTexts } from './recentTexts';
import { HOW_TO_COMPLETE } from './rules/rule';
import type { SentRequest, SentTexts } from './sentTexts';

/** Texts that are about to be sent, and those that they must not be too close to. */
interface PlannedTexts {
	/** When they go out: milliseconds since 1970. */
	at: number;
	texts: RecentTexts;
	/** Their own request, where it is noted. */
	own?: SentRequest | undefined;
	/** The campaign that exists and is changed, in lower case. */
	campaignId?: string | undefined;
	/** Those of a rehearsal, which count as well. */
	rehearsed?: SentTexts | undefined;
}

/** Starts to leave out who has another text within the hours of a policy, also earlier in the same list. */
export function textScreen(
	{ hoursBetween: hours = 0, numbers }: Pick<CredentialRules, 'hoursBetween' | 'numbers'>,
	{ at, texts, own, campaignId, rehearsed }: PlannedTexts,
): Screen {
	const gap = hours * HOUR_MS;
	const code = 'hoursBetweenTexts';
	const seen = new Set<string>();
	return (number) => {
		const person = knownPerson(number, numbers);
		if (person === undefined) {
			return { code, text: 'cannot be compared with recent texts', advice: HOW_TO_COMPLETE };
		}
		const times = texts.timesOf(person, own, campaignId);
		for (const { at: time } of rehearsed?.to(person) ?? []) times.push(time);
		// A campaign that exists has each person as often as it has.
		if (seen.has(person) && campaignId === undefined) times.push(at);
		const other = times.find((time) => Math.abs(at - time) < gap);
		if (other === undefined) {
			seen.add(person);
			return undefined;
		}
		return {
			code,
			text: `has another text within ${hours === 1 ? 'an hour' : `${hours} hours`}`,
			advice: `Hours Between Texts: ${hours}. The other text: ${isoOf(other)}.`,
			nextAllowedTime: isoOf(firstFree(at, times, gap)),
		};
	};
}

/** The first time, from a start on, that is far enough from all others: in whole seconds, as it is written. */
function firstFree(start: number, times: readonly number[], gap: number): number {
	let free = start;
	for (const time of sortBy(times)) {
		if (Math.abs(free - time) < gap) free = Math.ceil((time + gap) / 1000) * 1000;
	}
	return free;
}

const isoOf = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
