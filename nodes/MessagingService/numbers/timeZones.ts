import { memoize, sortBy } from 'lodash';
import { DateTime, IANAZone } from 'luxon';
import type * as TimeZonesTable from './data/timeZones';
import { classify, callingCodeOf, type Classification } from './plans';
import type { NumberType } from './numberTypes';

/** The most digits after the calling code that tell the area, such as 212. */
const AREA_DIGITS = 3;

let zonesByPrefix: Map<string, string[]> | undefined;
/** In how many prefixes a zone is. */
const prefixCounts = new Map<string, number>();

function loadTimeZones(): Map<string, string[]> {
	// Like the numbering plans, they are loaded when first needed.
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- a dynamic import would be asynchronous
	const { TIME_ZONES } = require('./data/timeZones') as typeof TimeZonesTable;
	const map = new Map<string, string[]>();
	for (const line of TIME_ZONES.split('\n')) {
		const zones = line.split(' ');
		let previous = '';
		const entries = zones.pop()?.split(',') ?? [];
		for (const zone of zones) {
			prefixCounts.set(zone, (prefixCounts.get(zone) ?? 0) + entries.length);
		}
		for (const entry of entries) {
			const shared = entry.charCodeAt(0) - 97;
			const prefix = shared > 0 ? previous.slice(0, shared) + entry.slice(1) : entry;
			map.set(prefix, zones);
			previous = prefix;
		}
	}
	return map;
}

/** One array for all numbers of which no zone is known: what depends on the zones is kept by them. */
export const NO_ZONES: readonly string[] = [];

/** Types whose first digits say where in the country the phone is. */
const GEOGRAPHIC: ReadonlySet<NumberType> = new Set(['fixedLine', 'fixedLineOrMobile']);

/**
 * The IANA time zones that the owner of an E.164 number can be in. A fixed-line number tells the
 * area; any other number of a country with several zones can be in each of them.
 *
 * @param number with +
 * @param classification what `classify` gave for it, where that is known
 * @returns empty for numbers of no country, and where nothing is known
 */
export function timeZonesOf(
	number: string,
	classification: Classification = classify(number),
): readonly string[] {
	zonesByPrefix ??= loadTimeZones();
	const digits = number.slice(1);
	const code = callingCodeOf(digits);
	if (code === undefined) return NO_ZONES;
	const { country, type } = classification;
	const isLocal = GEOGRAPHIC.has(type) || country !== code.main.region;
	const most = code.digits.length + (isLocal ? AREA_DIGITS : 0);
	for (let length = most; length > 0; length--) {
		const zones = zonesByPrefix.get(digits.slice(0, length));
		if (zones !== undefined) return zones;
	}
	return NO_ZONES;
}

/** Minutes between UTC and a zone in January or July, the smaller. */
function offsetOf(zone: string): number {
	const { year } = DateTime.utc();
	const offsets = [1, 7].map((month) => DateTime.fromObject({ year, month }, { zone }).offset);
	return Math.min(...offsets);
}

/**
 * The zone in which a time of day comes last; of several with the same time, the one of most numbers.
 * @param zones what `timeZonesOf` gave
 */
export const westernmost = memoize((zones: readonly string[]): string | undefined => {
	if (zones.length < 2) return zones[0];
	// Zones that this version of Node.js does not know have no offset.
	const known = zones.filter((zone) => IANAZone.isValidZone(zone));
	return sortBy(known, [offsetOf, (zone) => -(prefixCounts.get(zone) ?? 0)])[0];
});
