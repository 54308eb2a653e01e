import { withoutToken } from './webhookToken';

/**
 * Who has the one webhook URL of each account (service and client), as far as this n8n process
 * knows: the service cannot be asked (interface, "Webhook registration").
 */

/** A published trigger that registers its URL itself. */
export interface Claim {
	/** The trigger node of its workflow. */
	trigger: string;
	/** Name of the workflow, for messages. */
	workflow: string;
	account: string;
	/** Its production URL, without token. */
	url: string;
	/** The token that the registered URL carries; undefined when there is no Webhook Secret. */
	token: string | undefined;
	/** When it was published, in milliseconds: the trigger published last gets the URL. */
	since: number;
	/** When its URL is to be registered next, in milliseconds. */
	dueAt: number;
}

/** The editor receives the live events of an account until listening ends. */
interface Redirect {
	trigger: string;
	/** Listening has ended by then, even if n8n never said so. */
	until: number;
	/** What is registered afterwards if nobody is known to hold the URL; with its token. */
	urlToRestore: string;
}

interface Account {
	/** The trigger that this process has registered last; undefined when that is not known. */
	registered?: string | undefined;
	/**
	 * The URL, with its token, that was registered for something else than a claim: by the user, or by
	 * a trigger that has left it. Empty when nothing is registered. It stays until a trigger is published.
	 */
	elsewhere?: string | undefined;
	redirect?: Redirect | undefined;
	/** The end of the calls in progress. */
	turn: Promise<unknown>;
}

/** What a webhook URL and its account are known to be after a call. */
export type Registered = { trigger: string } | { url: string };

const accounts = new Map<string, Account>();
const claims = new Map<string, Claim>();

/** Registers the URL of a trigger's claim now. Throws when that fails. */
export type Register = () => Promise<void>;

/** The running timers of published triggers. */
const timers = new Map<string, Register>();

/** When n8n stopped the timers of triggers that have none now, in milliseconds. */
const stoppedAt = new Map<string, number>();

/**
 * How long a claim counts without a timer. n8n stops timers when it publishes a changed trigger, to
 * start them again in a moment, and when it stops to be the leader: then the claim is worth nothing.
 */
const WITHOUT_TIMER_MILLISECONDS = 60_000;

function counts({ trigger }: Claim): boolean {
	const stopped = stoppedAt.get(trigger);
	return stopped === undefined || Date.now() - stopped < WITHOUT_TIMER_MILLISECONDS;
}

function accountOf(name: string): Account {
	const known = accounts.get(name);
	if (known !== undefined) return known;
	const account: Account = { turn: Promise.resolve() };
	accounts.set(name, account);
	return account;
}

/** Name of the account of a service and a client. */
export function accountName(baseUrl: string, clientId: string): string {
	return `${baseUrl.trim().replace(/\/+$/, '').toLowerCase()} ${clientId.trim()}`;
}

/** Runs calls for one account one after the other, so that the last one decides what is registered. */
export async function inTurn<Result>(
	account: string,
	call: () => Promise<Result>,
): Promise<Result> {
	const state = accountOf(account);
	const result = state.turn.then(call);
	state.turn = result.catch(() => undefined);
	return await result;
}

export function claimOf(trigger: string): Claim | undefined {
	return claims.get(trigger);
}

/** Sets the claim of a trigger; it replaces an earlier one of that trigger. */
export function setClaim(claim: Claim): void {
	claims.set(claim.trigger, claim);
}

export function dropClaim(claim: Claim): void {
	if (claims.get(claim.trigger) !== claim) return;
	claims.delete(claim.trigger);
	stoppedAt.delete(claim.trigger);
}

export function setTimer(trigger: string, register: Register): void {
	timers.set(trigger, register);
	stoppedAt.delete(trigger);
}

export function timerOf(trigger: string): Register | undefined {
	return timers.get(trigger);
}

/** Forgets a timer, unless the trigger has another one by now. */
export function dropTimer(trigger: string, register: Register): void {
	if (timers.get(trigger) !== register) return;
	timers.delete(trigger);
	stoppedAt.set(trigger, Date.now());
}

/** The published trigger of an account that has this URL; a token in it does not count. */
export function claimWithUrl(account: string, url: string): Claim | undefined {
	const bare = withoutToken(url);
	return [...claims.values()].find((claim) => claim.account === account && claim.url === bare);
}

/** A time for `since` that is later than that of all claims. */
export function latestTime(): number {
	return Math.max(Date.now(), ...[...claims.values()].map(({ since }) => since + 1));
}

/** The published trigger that should have the URL; undefined when none should. */
export function wantedHolder(account: string): Claim | undefined {
	if (accountOf(account).elsewhere !== undefined) return undefined;
	return [...claims.values()]
		.filter((claim) => claim.account === account && counts(claim))
		.reduce<Claim | undefined>(
			(latest, claim) => (latest === undefined || claim.since > latest.since ? claim : latest),
			undefined,
		);
}

/** Whether this trigger is known to have the URL: this process has registered it, and no other since. */
export function isHeldBy(account: string, trigger: string): boolean {
	return accountOf(account).registered === trigger;
}

/** The URL that was registered for something else than a claim; empty when nothing is registered. */
export function urlElsewhere(account: string): string | undefined {
	return accountOf(account).elsewhere;
}

/** Notes what the service was told: the URL of a claim, or another one. Listening has no part in it. */
export function noteRegistered(account: string, registered: Registered): void {
	const state = accountOf(account);
	state.redirect = undefined;
	state.registered = 'trigger' in registered ? registered.trigger : undefined;
	state.elsewhere = 'trigger' in registered ? undefined : registered.url;
}

/**
 * A trigger starts with n8n, or with another leader. What was registered before is not known: the
 * published triggers decide.
 */
export function noteStart(account: string, trigger: string): void {
	const state = accountOf(account);
	const { registered } = state;
	const isOld = registered === trigger || (registered !== undefined && !timers.has(registered));
	if (isOld) state.registered = undefined;
	noteWanted(account);
}

/** A published trigger wants the URL, whoever has it now. */
export function noteWanted(account: string): void {
	accountOf(account).elsewhere = undefined;
}

/** What is registered is not known any more, e.g. because the credential points elsewhere now. */
export function noteUnknown(account: string): void {
	accountOf(account).registered = undefined;
}

export function startRedirect(account: string, redirect: Redirect): void {
	accountOf(account).redirect = redirect;
}

export function redirectOf(account: string): Redirect | undefined {
	const { redirect } = accountOf(account);
	return redirect !== undefined && redirect.until > Date.now() ? redirect : undefined;
}

export function endRedirect(account: string): void {
	accountOf(account).redirect = undefined;
}
