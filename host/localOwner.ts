import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// Jest, which loads this file, cannot import runtime.mjs.
const localFolder = path.resolve(import.meta.dirname, '..', '.local');
const passwordFile = path.join(localFolder, 'owner-password');

/**
 * The password of this clone, made when it is asked for the first time. A web page that gives its own
 * name this machine's address reaches n8n, so nobody may know it beforehand.
 */
function password(): string {
	if (!existsSync(passwordFile)) {
		mkdirSync(localFolder, { recursive: true });
		const draft = `${passwordFile}.${String(process.pid)}`;
		// n8n wants a capital letter and a digit.
		writeFileSync(draft, `N8n-${randomBytes(12).toString('base64url')}`, { mode: 0o600 });
		try {
			// Another process may have made one meanwhile: that one counts.
			linkSync(draft, passwordFile);
		} catch (error) {
			if (!existsSync(passwordFile)) throw error;
		} finally {
			rmSync(draft);
		}
	}
	return readFileSync(passwordFile, 'utf8');
}

/** The owner account of every n8n that this clone starts. */
export function localOwner() {
	return {
		email: 'owner@example.com',
		password: password(),
		firstName: 'Local',
		lastName: 'Owner',
	};
}
