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

	it('shows the internet webhooks, forms and MCP only, and takes no large requests there', () => {
		const sites = read('Caddyfile')
			.split(/\n\thandle /)
			.slice(1)
			.map((site) => site.replaceAll(/\s+/g, ' '));
		expect(sites).toEqual([
			expect.stringMatching(
				/^@webhooks \{ request_body \{ max_size 20MB \} .* request_body @withoutFiles \{ max_size 1MB \} reverse_proxy webhook:/,
			),
			expect.stringMatching(/^@own \{ reverse_proxy main:/),
			expect.stringMatching(/^\{ respond 404 \}/),
		]);
		expect(read('Caddyfile')).toContain('@withoutFiles not path /form/* /form-waiting/*\n');
		expect(read('Caddyfile')).toContain('@own remote_ip {$N8N_EDITOR_FROM}');
		expect(read('compose.yaml')).toContain('N8N_EDITOR_FROM: ${N8N_EDITOR_FROM:?}');
	});

	it('installs this version of the package, not the next one by itself', () => {
		const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
		expect(read('compose.yaml')).toContain(` n8n-nodes-messaging-service@${version} `);
	});

	it('is explained variable by variable', () => {
		const page = readFileSync(path.resolve('docs', 'self-hosting.md'), 'utf8');
		const all = [...Object.keys(expected), ...Object.keys(workerEnvironment)];
		// The page leaves those of n8n's own queue mode to n8n's documentation.
		const names = all.filter((name) => !/^(EXECUTIONS_MODE$|DB_|QUEUE_BULL_REDIS_)/.test(name));
		expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
	});
});
