import { randomBytes } from 'node:crypto';

/** How tokens are handed out (interface: "Authentication" is not told). */
export interface TokenSettings {
	/** How long a token lives, in real time; null for one that lives until it is revoked. */
	expiresInSeconds: number | null;
	/** Whether the response to a login says how long. */
	tellsExpiry: boolean;
	/** A login revokes the tokens before it. */
	onePerClient: boolean;
}

/** What a client logs in with. */
export const login = {
	clientId: 'sandbox-client',
	clientSecret: 'sandbox-client-secret',
	username: 'sandbox-user',
	password: 'sandbox-password',
};

/** The tokens that logins have been given. In memory: a restart revokes them all. */
export class Tokens {
	/** When each token ends, in milliseconds since 1970, in real time. */
	readonly #ends = new Map<string, number>();
	/** How many logins succeeded, and how many were refused. */
	readonly logins = { accepted: 0, refused: 0 };

	isLive(token: string): boolean {
		return (this.#ends.get(token) ?? 0) > Date.now();
	}

	/** How many tokens are accepted now. */
	get live(): number {
		return [...this.#ends.keys()].filter((token) => this.isLive(token)).length;
	}

	add({ expiresInSeconds, onePerClient }: TokenSettings): string {
		if (onePerClient) this.revoke();
		const token = `sandbox-token-${randomBytes(24).toString('base64url')}`;
		this.#ends.set(token, Date.now() + (expiresInSeconds ?? Infinity) * 1000);
		this.logins.accepted += 1;
		return token;
	}

	/** All tokens are refused from now on. */
	revoke(): void {
		this.#ends.clear();
	}

	reset(): void {
		this.revoke();
		Object.assign(this.logins, { accepted: 0, refused: 0 });
	}
}
