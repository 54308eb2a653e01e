import {
	accountName,
	claimOf,
	claimWithUrl,
	dropClaim,
	dropTimer,
	endRedirect,
	inTurn,
	isHeldBy,
	latestTime,
	noteRegistered,
	noteStart,
	noteUnknown,
	noteWanted,
	redirectOf,
	setClaim,
	setTimer,
	startRedirect,
	timerOf,
	urlElsewhere,
	wantedHolder,
	type Claim,
} from '../../nodes/MessagingService/transport/webhookHolder';

/** Each test has triggers and an account of its own: what is noted stays in the process. */
let account: string;
let run = 0;

beforeEach(() => {
	jest.useFakeTimers();
	account = `https://service.example ${String(run++)}`;
});
afterEach(() => {
	jest.useRealTimers();
});

const nothing = async () => Promise.resolve();

function claimed(name: string, change: Partial<Claim> = {}): Claim {
	const claim: Claim = {
		trigger: `${account}/${name}`,
		workflow: name,
		account,
		url: `https://n8n.example/webhook/${String(run)}/${name}`,
		token: undefined,
		since: latestTime(),
		dueAt: Infinity,
		...change,
	};
	setClaim(claim);
	return claim;
}

test('an account is the service and the client, however they are written', () => {
	const name = accountName('https://Service.example/api', '1001');
	expect(accountName(' https://service.example/API// ', ' 1001 ')).toBe(name);
	expect(accountName('https://service.example/api', '1002')).not.toBe(name);
	expect(accountName('https://service.example', '1001')).not.toBe(name);
});

test('calls for an account go one after the other, also after a failure; others do not wait', async () => {
	const log: string[] = [];
	const call =
		(name: string, milliseconds: number, fails = false) =>
		async () => {
			log.push(`${name} begins`);
			await new Promise((resolve) => setTimeout(resolve, milliseconds));
			log.push(`${name} ends`);
			if (fails) throw new Error(name);
			return name;
		};
	const all = Promise.allSettled([
		inTurn(account, call('first', 100, true)),
		inTurn(account, call('second', 10)),
		inTurn(`${account} other`, call('other', 10)),
	]);
	await jest.advanceTimersByTimeAsync(1000);
	expect(log).toEqual([
		...['first begins', 'other begins', 'other ends', 'first ends', 'second begins', 'second ends'],
	]);
	expect(await all).toMatchObject([
		{ status: 'rejected' },
		{ value: 'second' },
		{ value: 'other' },
	]);
});

test('the trigger published last should have the URL, as long as its claim stands', () => {
	const first = claimed('first');
	const last = claimed('last');
	claimed('elsewhere', { account: `${account} other` });
	expect(last.since).toBeGreaterThan(first.since);
	expect(wantedHolder(account)).toBe(last);
	expect(claimOf(last.trigger)).toBe(last);
	const again = claimed('first');
	expect(wantedHolder(account)).toBe(again);
	// The claim that it had before is not there any more: nothing to drop.
	dropClaim(first);
	expect(wantedHolder(account)).toBe(again);
	dropClaim(again);
	expect(wantedHolder(account)).toBe(last);
	dropClaim(last);
	expect(wantedHolder(account)).toBeUndefined();
	expect(latestTime()).toBeGreaterThan(Date.now());
});

test('a claim without a timer counts for a minute', () => {
	const claim = claimed('stopped');
	setTimer(claim.trigger, nothing);
	expect(timerOf(claim.trigger)).toBe(nothing);
	dropTimer(claim.trigger, async () => Promise.resolve());
	expect(timerOf(claim.trigger)).toBe(nothing);
	dropTimer(claim.trigger, nothing);
	expect(timerOf(claim.trigger)).toBeUndefined();
	jest.setSystemTime(Date.now() + 59_999);
	expect(wantedHolder(account)).toBe(claim);
	jest.setSystemTime(Date.now() + 1);
	expect(wantedHolder(account)).toBeUndefined();
	setTimer(claim.trigger, nothing);
	expect(wantedHolder(account)).toBe(claim);
	// A trigger that is published anew has no past.
	dropTimer(claim.trigger, nothing);
	dropClaim(claim);
	const anew = claimed('stopped');
	jest.setSystemTime(Date.now() + 60_000);
	expect(wantedHolder(account)).toBe(anew);
});

test('a claim is found by its URL, with or without a token, in its account only', () => {
	const claim = claimed('found');
	expect(claimWithUrl(account, claim.url)).toBe(claim);
	expect(claimWithUrl(account, `${claim.url}?token=abc`)).toBe(claim);
	expect(claimWithUrl(`${account} other`, claim.url)).toBeUndefined();
	expect(claimWithUrl(account, `${claim.url}x`)).toBeUndefined();
});

describe('what is registered', () => {
	test('is that of a trigger, or another URL, which the triggers do not want then', () => {
		const claim = claimed('holder');
		expect([isHeldBy(account, claim.trigger), urlElsewhere(account)]).toEqual([false, undefined]);
		noteRegistered(account, { trigger: claim.trigger });
		expect([isHeldBy(account, claim.trigger), urlElsewhere(account)]).toEqual([true, undefined]);
		noteRegistered(account, { url: '' });
		expect([isHeldBy(account, claim.trigger), urlElsewhere(account)]).toEqual([false, '']);
		expect(wantedHolder(account)).toBeUndefined();
		noteWanted(account);
		expect([wantedHolder(account), urlElsewhere(account)]).toEqual([claim, undefined]);
		noteRegistered(account, { trigger: claim.trigger });
		noteUnknown(account);
		expect(isHeldBy(account, claim.trigger)).toBe(false);
	});

	test('is not known any more when its trigger starts, or has no timer', () => {
		const [one, other] = [claimed('one'), claimed('other')];
		noteRegistered(account, { trigger: one.trigger });
		noteStart(account, one.trigger);
		expect(isHeldBy(account, one.trigger)).toBe(false);
		noteRegistered(account, { trigger: one.trigger });
		noteStart(account, other.trigger);
		expect(isHeldBy(account, one.trigger)).toBe(false);
		setTimer(one.trigger, nothing);
		noteRegistered(account, { trigger: one.trigger });
		noteStart(account, other.trigger);
		expect(isHeldBy(account, one.trigger)).toBe(true);
		noteRegistered(account, { url: 'https://other.example' });
		noteStart(account, other.trigger);
		expect(wantedHolder(account)).toBe(other);
	});

	test('is redirected until a time, or until something else is registered', () => {
		const redirect = { until: Date.now() + 1000, url: 'https://n8n.example/test' } as never;
		expect(redirectOf(account)).toBeUndefined();
		startRedirect(account, redirect);
		jest.setSystemTime(Date.now() + 999);
		expect(redirectOf(account)).toBe(redirect);
		jest.setSystemTime(Date.now() + 1);
		expect(redirectOf(account)).toBeUndefined();
		const endings = [
			() => {
				endRedirect(account);
			},
			() => {
				noteRegistered(account, { url: 'https://other.example' });
			},
		];
		for (const end of endings) {
			startRedirect(account, { until: Infinity } as never);
			expect(redirectOf(account)).toBeDefined();
			end();
			expect(redirectOf(account)).toBeUndefined();
		}
	});
});
