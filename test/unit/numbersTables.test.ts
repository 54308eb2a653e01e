import { readFileSync } from 'node:fs';
import type * as Plans from '../../nodes/MessagingService/numbers/plans';
import { plansTable, timeZonesByPrefix, timeZonesTable } from '../../scripts/numberTables.mts';
import { timeZonesOf } from '../../nodes/MessagingService/numbers/timeZones';

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

test('the tables are not loaded with any node or credential of the package', () => {
	jest.resetModules();
	const loaded: string[] = [];
	for (const table of ['plans', 'timeZones']) {
		jest.doMock(`../../${folder}/${table}`, () => {
			loaded.push(table);
			return jest.requireActual<object>(`../../${folder}/${table}`);
		});
	}
	const { n8n } = JSON.parse(readFileSync('package.json', 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const files = [...n8n.nodes, ...n8n.credentials];
	expect(files.length).toBeGreaterThan(3);
	for (const file of files) {
		const source = file.replace(/^dist/, '../..').replace(/\.js$/, '');
		const [Type] = Object.values(jest.requireActual<Record<string, new () => object>>(source));
		expect(Type && new Type()).toBeInstanceOf(Object);
	}
	expect(loaded).toEqual([]);
	const { numberingPlanOf } = jest.requireActual<typeof Plans>(`../../${folder}/../plans`);
	numberingPlanOf('GB');
	expect(loaded).toEqual(['plans']);
	for (const table of ['plans', 'timeZones']) jest.dontMock(`../../${folder}/${table}`);
});

describe('timeZonesOf', () => {
	const byPrefix = timeZonesByPrefix();
	const ofPrefix = (prefix: string) =>
		timeZonesOf(`+${prefix}`, { country: undefined, type: 'fixedLine' });

	it('contains the zones of each prefix', () => {
		for (const [prefix, zones] of byPrefix) {
			expect([prefix, ofPrefix(prefix)]).toEqual([prefix, expect.arrayContaining(zones)]);
		}
	});

	it('is exact where an area has no exchanges in other zones', () => {
		const all = [...byPrefix.keys()];
		const exact = [...byPrefix].filter(
			([prefix]) => !all.some((other) => other !== prefix && other.startsWith(prefix)),
		);
		const areas = exact.filter(([prefix]) => prefix.length <= 4);
		expect(areas.length).toBeGreaterThan(500);
		for (const [prefix, zones] of areas) {
			expect([prefix, ofPrefix(prefix)]).toEqual([prefix, zones]);
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

	it('gives zones that every Node.js knows', () => {
		for (const zone of new Set([...byPrefix.values()].flat())) {
			expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
		}
	});
});
