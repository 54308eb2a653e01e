import {
	holdingFailures,
	readingOnce,
	SharedReadings,
} from '../../nodes/MessagingService/transport/sharedReadings';

describe('a list that is read once for a run', () => {
	it('is shared by all who ask, also while it is being read, and read again for another run', async () => {
		const ask = readingOnce<string>();
		const read = jest.fn<Promise<string>, []>().mockResolvedValue('a list');
		const [run, next] = [{}, {}];
		const of = async (owner: object) => await ask(owner, 'list', read);
		expect(await Promise.all([of(run), of(run)])).toEqual(['a list', 'a list']);
		expect(await of(run)).toBe('a list');
		expect(read).toHaveBeenCalledTimes(1);
		expect(await of(next)).toBe('a list');
		expect(read).toHaveBeenCalledTimes(2);
	});

	it('is read for each question', async () => {
		const ask = readingOnce<string>();
		const read = async (question: string) =>
			await ask(ask, question, async () => await Promise.resolve(`list ${question}`));
		expect([await read('1'), await read('2'), await read('1')]).toEqual([
			...['list 1', 'list 2', 'list 1'],
		]);
	});

	it('is not asked for again if it could not be read', async () => {
		const ask = readingOnce<string>();
		const read = jest.fn<Promise<string>, []>().mockRejectedValueOnce(new Error('is down'));
		await expect(ask(ask, 'list', read)).rejects.toThrow('is down');
		await expect(ask(ask, 'list', read)).rejects.toThrow('is down');
		expect(read).toHaveBeenCalledTimes(1);
	});
});

describe('what all runs share', () => {
	const MINUTE = 60_000;

	beforeEach(() => {
		jest.useFakeTimers({ now: 1_000_000_000 });
	});

	afterEach(() => {
		jest.useRealTimers();
	});

	it('is read by one of those who ask at a time, and not for five minutes after it failed', async () => {
		let reads = 0;
		let isDown = false;
		const ask = holdingFailures(async () => {
			const number = ++reads;
			await Promise.resolve();
			if (isDown) throw new Error(`is down: ${number}`);
			return number;
		});
		const said = async () => await ask().catch(({ message }: Error) => message);
		expect(await Promise.all([said(), said()])).toEqual([1, 1]);
		expect(await said()).toBe(2);
		isDown = true;
		expect(await Promise.all([said(), said()])).toEqual(['is down: 3', 'is down: 3']);
		jest.advanceTimersByTime(5 * MINUTE - 1);
		expect(await said()).toBe('is down: 3');
		jest.advanceTimersByTime(1);
		expect(await said()).toBe('is down: 4');
		// The clock is set back.
		jest.setSystemTime(Date.now() - 5 * MINUTE);
		isDown = false;
		expect(await said()).toBe(5);
		expect(await said()).toBe(6);
	});

	it.each([
		['twice the time that it took', 2000, 4000],
		['a second at least', 100, 1000],
		['ten seconds at most', 9000, 10_000],
	])('is shared for %s', async (_, tookMs, sharedMs) => {
		const shared = new SharedReadings<number>(1000, 10_000);
		let reads = 0;
		const ask = async () => {
			const asked = shared.get('list', async () => {
				await new Promise((resolve) => setTimeout(resolve, tookMs));
				return ++reads;
			});
			await jest.advanceTimersByTimeAsync(tookMs);
			return await asked;
		};
		const begin = Date.now();
		const known = async (at: number) => {
			jest.setSystemTime(begin + at);
			return await shared.get('list', () => Promise.resolve(-1));
		};
		expect(await ask()).toEqual({ readAt: begin, value: 1 });
		expect(await known(tookMs)).toEqual({ readAt: begin, value: 1 });
		expect(await known(sharedMs - 1)).toEqual({ readAt: begin, value: 1 });
		expect(await known(sharedMs)).toEqual({ readAt: begin + sharedMs, value: -1 });
	});

	it('is forgotten if it could not be read', async () => {
		const shared = new SharedReadings<number>(1000);
		const failed = shared.get('list', () => Promise.reject(new Error('is down')));
		await expect(failed).rejects.toThrow('is down');
		expect((await shared.get('list', () => Promise.resolve(7))).value).toBe(7);
		expect((await shared.get('other list', () => Promise.resolve(8))).value).toBe(8);
	});
});
