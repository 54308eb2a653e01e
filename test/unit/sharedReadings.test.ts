import { readingOnce } from '../../nodes/MessagingService/transport/sharedReadings';

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
