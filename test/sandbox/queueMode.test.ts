import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import {
	n8nCommands,
	queueEnvironment,
	webhookProcessorPaths,
	workerEnvironment,
} from '../queue/stand/environment.ts';

/** The part of a compose file that is compared. */
interface Compose {
	services: Record<
		string,
		{ command?: string; environment?: Record<string, string>; volumes?: string[] }
	>;
}

const read = (name: string) => readFileSync(path.resolve('docs', 'queue-mode', name), 'utf8');

/** What the stand would set if it were where the compose file is. */
const expected = queueEnvironment({
	postgres: {
		...{ host: 'postgres', port: 5432, database: 'n8n', user: 'n8n' },
		password: '${POSTGRES_PASSWORD:?}',
	},
	redis: { host: 'redis', port: 6379 },
	encryptionKey: '${N8N_ENCRYPTION_KEY:?}',
	url: 'https://${N8N_DOMAIN:?}',
});

describe('the compose file for queue mode', () => {
	const { services } = parse(read('compose.yaml'), { merge: true }) as Compose;

	it.each([
		['main', {}],
		['worker', workerEnvironment],
		['webhook', {}],
	] as const)('runs %s as the stand of the tests does', (role, more) => {
		const service = services[role];
		expect(service?.command).toBe(n8nCommands[role].join(' '));
		expect(service?.environment).toEqual({ ...expected, ...more });
		expect(service?.volumes).toEqual(['nodes:/home/node/.n8n/nodes']);
	});

	it('leads to the webhook processors what the proxy of the stand leads there', () => {
		const [, paths] = /@webhooks path (.*)/.exec(read('Caddyfile')) ?? [];
		expect(paths?.split(' ')).toEqual(webhookProcessorPaths.map((name) => `/${name}/*`));
	});

	it('is explained variable by variable', () => {
		const page = readFileSync(path.resolve('docs', 'self-hosting.md'), 'utf8');
		const names = [...Object.keys(expected), ...Object.keys(workerEnvironment)];
		expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
	});
});
