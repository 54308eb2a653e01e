import { readingOnce } from '../../nodes/MessagingService/transport/sharedReadings';

/** The list that several runs of an execution ask for, and how often the service was asked. */
function sharedList() {
	const ask = readingOnce<string>();
	const owner = {};
	const read = jest.fn<Promise<string>, []>();
	return {
		read,
		of: async (run: object, question = 'list') => await ask({ owner, run }, question, read),
	};
}

describe('a list that is read once for an execution', () => {
	it('is shared by all its runs, also while it is being read', async () => {
		const { read, of } = sharedList();
		read.mockResolvedValue('a list');
		const [run, next] = [{}, {}];
		expect(await Promise.all([of(run), of(run), of(next)])).toEqual(Array(3).fill('a list'));
		expect(await of({})).toBe('a list');
		expect(read).toHaveBeenCalledTimes(1);
	});

	it('is read for each question', async () => {
		const { read, of } = sharedList();
		read.mockResolvedValueOnce('one').mockResolvedValueOnce('other');
		expect([await of({}, '1'), await of({}, '2'), await of({}, '1')]).toEqual([
			'one',
			'other',
			'one',
		]);
	});

	it('and could not be read is not asked for again in the same run, but in the next one', async () => {
		const { read, of } = sharedList();
		read.mockRejectedValueOnce(new Error('is down')).mockResolvedValue('a list');
		const run = {};
		await expect(of(run)).rejects.toThrow('is down');
		await expect(of(run)).rejects.toThrow('is down');
		expect(read).toHaveBeenCalledTimes(1);
		expect(await of({})).toBe('a list');
		expect(await of({})).toBe('a list');
		expect(read).toHaveBeenCalledTimes(2);
		await expect(of(run)).rejects.toThrow('is down');
	});
});
