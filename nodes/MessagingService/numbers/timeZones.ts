import { countBy, memoize, once, sortBy } from 'lodash';
import { DateTime, IANAZone } from 'luxon';
import { ZONES_OF_AREAS, ZONES_OF_REGIONS } from './data/timeZones';
import { classify, callingCodeOf, type Classification } from './plans';
import type { NumberType } from './numberTypes';

/** The most digits after the calling code that tell the area, such as 212. */
const AREA_DIGITS = 3;

const zonesByRegion = once(() => readZones(ZONES_OF_REGIONS));
const zonesByArea = once(() => readZones(ZONES_OF_AREAS));
/** In how many prefixes a zone is. */
const prefixCounts = once(() => countBy([...zonesByArea().values()].flat()));

/** The zones of each name in a table. */
function readZones(table: string): Map<string, readonly string[]> {
	const map = new Map<string, readonly string[]>();
	for (const line of table.split('\n')) {
		const zones = line.split(' ');
		let previous = '';
		for (const entry of zones.pop()?.split(',') ?? []) {
			const shared = Math.max(0, entry.charCodeAt(0) - 97);
			const name = shared > 0 ? previous.slice(0, shared) + entry.slice(1) : entry;
			map.set(name, zones);
			previous = name;
		}
	}
	return map;
}

/** One array for all numbers of which no zone is known: what depends on the zones is kept by them. */
export const NO_ZONES: readonly string[] = [];

/** Types whose first digits say where in the country the phone is. */
const GEOGRAPHIC: ReadonlySet<NumberType> = new Set(['fixedLine', 'fixedLineOrMobile']);

/**
 * The IANA time zones that the owner of an E.164 number can be in: those of the number's own country.
 * A fixed-line number tells the area; any other number of a country with several zones can be in each
 * of them.
 *
 * @param number with +
 * @param classification what `classify` gave for it, where that is known
 * @returns empty for numbers of no country, and where nothing is known
 */
export function timeZonesOf(
	number: string,
	{ country, type }: Classification = classify(number),
): readonly string[] {
	const own = country === undefined ? undefined : zonesByRegion().get(country);
	if (own?.length === 1) return own;
	const code = callingCodeOf(number, 1);
	if (code === undefined) return NO_ZONES;
	const isLocal = GEOGRAPHIC.has(type) || country !== code.main.region;
	const found = zonesOfArea(number, code.digits.length + (isLocal ? AREA_DIGITS : 0));
	return own === undefined ? found : ownAmong(found, own);
}

/** @param most how many digits tell the area at most, with the calling code */
function zonesOfArea(number: string, most: number): readonly string[] {
	for (let length = most; length > 0; length--) {
		const zones = zonesByArea().get(number.slice(1, 1 + length));
		if (zones !== undefined) return zones;
	}
	return NO_ZONES;
}

/** One array for all numbers with the same zones of an area and a country. */
const known = new Map<readonly string[], Map<readonly string[], readonly string[]>>();

/** The zones of an area that are the country's; all of the country's where none is. */
function ownAmong(found: readonly string[], own: readonly string[]): readonly string[] {
	const ofArea = known.get(found) ?? new Map<readonly string[], readonly string[]>();
	known.set(found, ofArea);
	let zones = ofArea.get(own);
	if (zones === undefined) {
		const among = found.filter((zone) => own.includes(zone));
		zones = among.length === 0 ? own : among;
		ofArea.set(own, zones);
	}
	return zones;
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
	const valid = zones.filter((zone) => IANAZone.isValidZone(zone));
	return sortBy(valid, [offsetOf, (zone) => -(prefixCounts()[zone] ?? 0)])[0];
});
