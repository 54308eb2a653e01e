import { Tokens } from '../../nodes/MessagingService/transport/tokens';

beforeEach(() => {
	jest.useFakeTimers({ now: 1_000_000 });
});

afterEach(() => {
	jest.useRealTimers();
});

test.each([
	['an hour', 3_600_000, 3_540_000],
	['three minutes', 180_000, 120_000],
	['a minute', 60_000, 30_000],
	['ten seconds', 10_000, 5000],
])('a token that lives for %s is renewed a minute before its end, or at half', async (...row) => {
	const [, lifetimeMs, usableMs] = row;
	let logins = 0;
	const tokens = new Tokens();
	const token = async () =>
		await tokens.get(
			undefined,
			async () => await Promise.resolve({ value: String(++logins), lifetimeMs }),
		);
	expect(await token()).toBe('1');
	jest.advanceTimersByTime(usableMs - 1);
	expect(await token()).toBe('1');
	jest.advanceTimersByTime(1);
	expect(await token()).toBe('2');
});
