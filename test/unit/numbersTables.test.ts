import { readFileSync } from 'node:fs';
import { groupBy, isEqual, memoize } from 'lodash';
import { plansTable, timeZonesByPrefix, timeZonesTable } from '../../scripts/numberTables.mts';
import { NUMBER_TYPES } from '../../nodes/MessagingService/numbers/numberTypes';
import {
	classify,
	numberingPlanOf,
	regions,
	typeAmong,
} from '../../nodes/MessagingService/numbers/plans';
import { timeZonesOf, westernmost } from '../../nodes/MessagingService/numbers/timeZones';
import { exampleNumbers } from './support/numberExamples';

const folder = 'nodes/MessagingService/numbers/data';

describe('the tables are current (if not: npm run numbers)', () => {
	it.each([
		['plans.ts', plansTable],
		['timeZones.ts', timeZonesTable],
	])('%s', (file, render) => {
		// Not toBe: a failure would print the tables.
		expect(readFileSync(`${folder}/${file}`, 'utf8') === render()).toBe(true);
	});
});

/** Zones have several names: Asia/Calcutta is Asia/Kolkata. */
const canonical = memoize(
	(zone: string) => new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone,
);

/** The zones of each country, as the time zone database has them: not where our table comes from. */
const zoneTab = new Map<string, Set<string>>();
for (const line of readFileSync('test/unit/support/zone.tab', 'utf8').split('\n')) {
	const [country = '', zone = ''] = line.split('\t');
	if (line === '' || line.startsWith('#')) continue;
	zoneTab.set(country, (zoneTab.get(country) ?? new Set()).add(canonical(zone)));
}
// Kosovo has no line, and Ascension and Tristan da Cunha are in that of Saint Helena.
zoneTab.set('XK', new Set(['Europe/Belgrade']));
for (const island of ['AC', 'TA']) zoneTab.set(island, new Set(['Atlantic/St_Helena']));

const examples = exampleNumbers(5).map(({ callingCode, national }) => `+${callingCode}${national}`);

it.each(NUMBER_TYPES)('to block the type %s blocks all numbers of it, and no others', (type) => {
	const typeOf = typeAmong([type]);
	const typeOfSome = typeAmong([type, 'premiumRate']);
	const wrong = examples.filter((number) => {
		const { type: own } = classify(number);
		const isSome = own === type || own === 'premiumRate';
		const expected = [own === type ? type : undefined, isSome ? own : undefined];
		return !isEqual([typeOf(number), typeOfSome(number)], expected);
	});
	expect(wrong).toEqual([]);
});

describe('the time zones of a number are those of its own country', () => {
	/** Numbers of each area of which a zone is known, not only those in use. */
	const areas = [...timeZonesByPrefix().keys()].map((prefix) => `+${prefix}`.padEnd(12, '5'));
	const byCountry = groupBy([...examples, ...areas], (number) => classify(number).country);

	it.each(regions())('%s', (country) => {
		const numbers = byCountry[country] ?? [];
		const own = zoneTab.get(country);
		expect(own?.size).toBeGreaterThan(0);
		expect(numbers).not.toEqual([]);
		const wrong = numbers.filter((number) => {
			const zones = timeZonesOf(number).map(canonical);
			const isEachOwn = zones.every((zone) => own?.has(zone) === true);
			return !isEachOwn || zones.length === 0 || new Set(zones).size < zones.length;
		});
		expect(wrong).toEqual([]);
	});

	it.each([
		['Algeria', '+213551234567', ['Africa/Algiers']],
		['Libya', '+218912345678', ['Africa/Tripoli']],
		['Kaliningrad', '+74012345678', ['Europe/Kaliningrad']],
		['Nicaragua', '+50581234567', ['America/Managua']],
		['South Sudan', '+211977123456', ['Africa/Juba']],
		['Morocco', '+212650123456', ['Africa/Casablanca']],
		['Western Sahara', '+212528812345', ['Africa/El_Aaiun']],
		['Ireland', '+353850123456', ['Europe/Dublin']],
		['Belarus', '+375294911911', ['Europe/Minsk']],
		['Guernsey', '+447781123456', ['Europe/Guernsey']],
		['the Cocos Islands', '+61891621234', ['Indian/Cocos']],
		['Svalbard', '+4779123456', ['Arctic/Longyearbyen']],
	])('%s (%s): %j', (_, number, zones) => {
		expect(timeZonesOf(number)).toEqual(zones);
	});

	it("so nine o'clock for an Australian mobile is nine in Perth, not on the Cocos Islands", () => {
		const zones = timeZonesOf('+61412345678');
		expect(zones).toEqual(expect.arrayContaining(['Australia/Perth', 'Australia/Sydney']));
		expect(westernmost(zones)).toBe('Australia/Perth');
	});

	it.each([
		['the United States', '+18002345678', 'Pacific/Honolulu'],
		['Indonesia', '+6281234567890', 'Asia/Jakarta'],
		['Brazil', '+5511961234567', 'America/Rio_Branco'],
	])(
		'of several zones in which it is the same time, the best known stands for %s',
		(_, number, zone) => {
			expect(westernmost(timeZonesOf(number))).toBe(zone);
		},
	);

	it('and a Russian mobile is in none of Kazakhstan, an American one not in the Caribbean', () => {
		expect(timeZonesOf('+79161234567').filter((zone) => zone.startsWith('Asia/A'))).toEqual([
			'Asia/Anadyr',
		]);
		expect(timeZonesOf('+18002345678')).not.toContain('America/Jamaica');
	});
});

describe('timeZonesOf', () => {
	const byPrefix = timeZonesByPrefix();

	/** Zones of an area, in a country that has several. */
	const areas = [...byPrefix].flatMap(([prefix, zones]) => {
		const number = `+${prefix}`;
		const { country = '' } = classify(number.padEnd(12, '5'));
		const own = zoneTab.get(country) ?? new Set();
		const known = [...new Set(zones.map(canonical))].filter((zone) => own.has(zone));
		return own.size < 2 || known.length === 0 ? [] : [{ prefix, number, country, known }];
	});

	it('has the zones that libphonenumber knows of an area', () => {
		expect(areas.length).toBeGreaterThan(500);
		for (const { prefix, number, country, known } of areas) {
			// Saskatchewan has no summer time, and Orlando is in the east.
			if (prefix === '1474' || prefix === '1689') continue;
			const zones = timeZonesOf(number, { country, type: 'fixedLine' }).map(canonical);
			expect([prefix, zones]).toEqual([prefix, expect.arrayContaining(known)]);
		}
	});

	it.each([
		['850', ['448']],
		['270', ['364']],
		['812', ['930']],
		['541', ['458']],
		['250', ['236', '672', '778']],
		['418', ['367', '581']],
		['709', ['879']],
		['208', ['986']],
		['306', ['474', '639']],
		['407', ['321', '689']],
	])('has one answer for all codes of the area %s: %j', (code, others) => {
		for (const other of others) {
			expect([other, timeZonesOf(`+1${other}2345678`)]).toEqual([
				other,
				timeZonesOf(`+1${code}2345678`),
			]);
		}
	});

	it.each([
		['+56961234567', 'Pacific/Easter'],
		['+56961234567', 'America/Punta_Arenas'],
		['+67570123456', 'Pacific/Bougainville'],
	])('a mobile number is in all zones of its country: %s, %s', (number, zone) => {
		expect(timeZonesOf(number)).toContain(zone);
	});

	it('is exact where an area has no exchanges in other zones', () => {
		const all = [...byPrefix.keys()];
		// Codes for the area of another one, and mobile numbers of Chile.
		const isShared = /^(?:1(?:236|364|367|448|458|474|581|672|689|778|879|930|986)|569|675)/;
		const exact = areas.filter(
			({ prefix }) =>
				prefix.length <= 4 &&
				!isShared.test(prefix) &&
				!all.some((other) => other !== prefix && other.startsWith(prefix)),
		);
		expect(exact.length).toBeGreaterThan(400);
		for (const { prefix, number, country, known } of exact) {
			const zones = timeZonesOf(number, { country, type: 'fixedLine' }).map(canonical);
			expect([prefix, zones.sort()]).toEqual([prefix, known.sort()]);
		}
	});

	it.each([
		['+442079460000', ['Europe/London']],
		['+12125550123', ['America/New_York']],
		['+13105550123', ['America/Los_Angeles']],
		['+18125550123', ['America/Chicago', 'America/New_York']],
		['+351211234567', ['Europe/Lisbon']],
		['+18765551234', ['America/Jamaica']],
		['+4915112345678', ['Europe/Berlin']],
		['+77011234567', ['Asia/Almaty', 'Asia/Aqtobe']],
		['+999123456789', []],
	])('%s: %s', (number, zones) => {
		expect(timeZonesOf(number)).toEqual(zones);
	});

	it('gives one array for all numbers of an area: what depends on the zones is kept by them', () => {
		for (const [one, other] of [
			['+61412345678', '+61412345679'],
			['+74012345678', '+74012345679'],
			['+12125550123', '+12125550124'],
			['+447400123456', '+442079460000'],
		] as const) {
			expect(timeZonesOf(one)).toBe(timeZonesOf(other));
		}
	});

	it('gives zones that every Node.js knows', () => {
		for (const region of regions()) {
			const zones = timeZonesOf(`+${numberingPlanOf(region)?.callingCode}5555555`, {
				country: region,
				type: 'mobile',
			});
			for (const zone of zones) {
				expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
			}
		}
	});
});
