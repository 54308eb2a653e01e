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
});
