import { LimitedMap } from '../../nodes/MessagingService/trigger/limitedMap';
import { claimEvent } from '../../nodes/MessagingService/trigger/duplicates';

describe('a map with a limit', () => {
	test('forgets what was put in longest ago', () => {
		const map = new LimitedMap<string, number>(2);
		map.set('a', 1);
		map.set('b', 2);
		expect([map.get('a'), map.get('b'), map.size]).toEqual([1, 2, 2]);
		map.set('a', 3);
		map.set('c', 4);
		expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
		map.delete('a');
		expect([map.get('a'), map.size]).toEqual([undefined, 1]);
	});
});

describe('an event that arrives again', () => {
	test('is a duplicate once n8n has taken it over', async () => {
		expect(await claimEvent('taken', async () => true)).toBe(true);
		expect(await claimEvent('taken', async () => true)).toBe(false);
		expect(await claimEvent('taken', async () => true)).toBe(false);
		expect(await claimEvent('another', async () => true)).toBe(true);
	});

	test.each([
		['did not take it over', async () => false],
		['could not say', async () => Promise.reject(new Error('gone'))],
	])('is none when n8n %s', async (what, outcome) => {
		expect(await claimEvent(what, outcome)).toBe(true);
		// The promise is settled, but not forgotten yet.
		expect(await claimEvent(what, outcome)).toBe(true);
		await new Promise(setImmediate);
		expect(await claimEvent(what, async () => true)).toBe(true);
		expect(await claimEvent(what, async () => true)).toBe(false);
	});

	test('waits until it is known; then one of those that wait takes it', async () => {
		let tell: (isTaken: boolean) => void = () => undefined;
		const outcome = new Promise<boolean>((resolve) => {
			tell = resolve;
		});
		expect(await claimEvent('waiting', async () => outcome)).toBe(true);
		const others = Promise.all([1, 2, 3].map(() => claimEvent('waiting', async () => true)));
		tell(false);
		expect((await others).filter((isNew) => isNew)).toHaveLength(1);
	});
});
