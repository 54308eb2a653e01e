import { MINUTE_MS } from '../times';

/** How long before its end a token is renewed; after half of its time, if that is shorter. */
const RENEWAL_MS = MINUTE_MS;

/** What a login gives. */
export interface NewToken {
	value: string;
	/** How long it lives; undefined where the login does not say it. */
	lifetimeMs: number | undefined;
}

/** The tokens of an account: in the memory of this process only. */
export class Tokens {
	private current: { value: string; renewAt: number } | undefined;
	/** The one before it, which an error of a slow request may still name. */
	private previous: string | undefined;
	/** The login in progress: those who need a token meanwhile share it. */
	private login: Promise<string> | undefined;

	/**
	 * The token for a request.
	 * @param refused the token that the service has just refused
	 * @param logIn is called where there is no other token, or where it is about to end
	 */
	async get(refused: string | undefined, logIn: () => Promise<NewToken>): Promise<string> {
		const { current } = this;
		const isCurrent = current !== undefined && current.value !== refused;
		if (isCurrent && Date.now() < current.renewAt) return current.value;
		this.login ??= this.renew(logIn).finally(() => (this.login = undefined));
		return await this.login;
	}

	/** The tokens that no text may show. */
	get secrets(): string[] {
		return [this.current?.value, this.previous].filter((value) => value !== undefined);
	}

	private async renew(logIn: () => Promise<NewToken>): Promise<string> {
		const { value, lifetimeMs = Infinity } = await logIn();
		this.previous = this.current?.value;
		const usableMs = lifetimeMs - Math.min(RENEWAL_MS, lifetimeMs / 2);
		this.current = { value, renewAt: Date.now() + usableMs };
		return value;
	}
}

const tokensByAccount = new Map<string, Tokens>();

/**
 * The tokens of an account, which all nodes and workflows of this process share.
 * @param accountKey what tells it from others, without secrets
 */
export function tokensOf(accountKey: string): Tokens {
	const tokens = tokensByAccount.get(accountKey) ?? new Tokens();
	tokensByAccount.set(accountKey, tokens);
	return tokens;
}
