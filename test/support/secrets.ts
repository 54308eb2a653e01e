import { stringify } from 'flatted';
import { inspect } from 'node:util';

/**
 * Checks that no secret appears anywhere in a value: neither in what n8n would store of it (flatted
 * JSON), nor in any property down to the last, hidden ones included.
 */
export function expectNoSecret(value: unknown, secrets: readonly string[]): void {
	const everything = [
		stringify(value),
		inspect(value, {
			depth: Infinity,
			showHidden: true,
			maxArrayLength: Infinity,
			maxStringLength: Infinity,
		}),
	].join('\n');
	const found = secrets.filter(
		(secret) => everything.includes(secret) || everything.includes(JSON.stringify(secret)),
	);
	expect(found).toEqual([]);
}
