import { AgentRepeats, type Passed } from '../../../nodes/MessagingService/policy/repeats';

const message = {
	method: 'POST' as const,
	path: '/api/SMSMessages',
	body: { phoneNumber: '+447400123456', message: 'Spring offer', sender: 'Shop' },
};

describe('what the tools of one execution send', () => {
	const execution = {};
	let sent: number;
	const send = async (): Promise<Passed> => {
		sent++;
		return await Promise.resolve({ response: `id ${String(sent)}`, as: 'sent' });
	};
	beforeAll(() => {
		sent = 0;
	});

	it('goes out once, whichever of the tools sends it', async () => {
		const one = await new AgentRepeats(execution, 'https://a.example').once(message, send);
		const two = await new AgentRepeats(execution, 'https://a.example').once(message, send);
		expect([one, two]).toEqual([
			{ response: 'id 1', as: 'sent' },
			{ response: 'id 1', as: 'repeated' },
		]);
	});

	it('goes out by another service as well', async () => {
		const other = await new AgentRepeats(execution, 'https://b.example').once(message, send);
		expect(other.as).toBe('sent');
	});

	it('is the same text to the same number, however they are written', async () => {
		const repeats = new AgentRepeats(execution, 'https://a.example');
		const write = (change: object, path = '/API/smsmessages') => ({
			...{ method: 'POST' as const, path, body: { ...message.body, ...change } },
		});
		const same = write({
			phoneNumber: '0044 7400 123456',
			message: ' Spring offer\n',
			sender: 'B',
		});
		expect(repeats.knows(same)).toBe(true);
		expect((await repeats.once(same, send)).as).toBe('repeated');
		for (const other of [
			write({ message: 'Spring  offer' }),
			write({ phoneNumber: '+447400123457' }),
			write({}, '/api/Campaigns'),
			{ method: 'POST' as const, path: '/api/Campaigns/42' },
		]) {
			expect(repeats.knows(other)).toBe(false);
			expect((await repeats.once(other, send)).as).toBe('sent');
			expect(repeats.knows(other)).toBe(true);
		}
	});

	it('may be tried again where it was not sent, and is waited for while it is in progress', async () => {
		const repeats = new AgentRepeats({}, 'https://a.example');
		const failing = async () => await Promise.reject(new Error('No response'));
		await expect(repeats.once(message, failing)).rejects.toThrow('No response');
		const simulated = async (): Promise<Passed> =>
			await Promise.resolve({ response: 1, as: 'simulated' });
		expect((await repeats.once(message, simulated)).as).toBe('simulated');
		const all = await Promise.all([1, 2, 3].map(async () => await repeats.once(message, send)));
		expect(all.map(({ as }) => as)).toEqual(['sent', 'repeated', 'repeated']);
		const reading = { method: 'GET' as const, path: '/api/SMSMessages' };
		expect((await repeats.once(reading, send)).as).toBe('sent');
		expect((await repeats.once(reading, send)).as).toBe('sent');
	});
});
