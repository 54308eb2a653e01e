import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { endpoints } from '../../support/endpoints';
import { contacts, useSandbox, voiceBody } from '../setup';

const sandbox = useSandbox();
const packages = path.resolve('node_modules');

const run = async (tool: string, ...args: string[]): Promise<string> => {
	const { stdout, stderr } = await promisify(execFile)(
		process.execPath,
		[path.join(packages, tool), ...args],
		{ env: { ...process.env, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' } },
	);
	return stdout + stderr;
};

describe('linters have nothing to say about openapi.yaml', () => {
	test('Redocly', async () => {
		const output = await run(
			'@redocly/cli/bin/cli.js',
			...['lint', 'sandbox/openapi.yaml', '--config', 'sandbox/lint/redocly.yaml'],
		);
		expect(output).not.toMatch(/error|warning/i);
	});

	test('Spectral', async () => {
		const output = await run(
			'@stoplight/spectral-cli/dist/index.js',
			...['lint', 'sandbox/openapi.yaml', '--ruleset', 'sandbox/lint/spectral.yaml'],
			...['--fail-severity', 'hint'],
		);
		expect(output).toContain('No results');
	});
});

interface Call {
	path?: Record<string, unknown>;
	query?: Record<string, unknown>;
	body?: unknown;
}

interface Outcome {
	data?: unknown;
	error?: unknown;
	response: Response;
}

type Client = (operationId: string, call: Call) => Promise<Outcome>;

const startDateTime = '2999-01-01T09:00:00Z';
const campaign = { message: 'Hello', startDateTime, contacts: contacts(2) };
const named = (name: string) => voiceBody({ name });

/** What each operation of the node is called with; the results of earlier calls are in `made`. */
const calls = (made: Record<string, unknown>): Record<string, [string, Call][]> => {
	const Id = made.createSmsCampaign;
	const { id } = (made.createVoiceCampaign ?? {}) as { id?: number };
	const { defaultCli_Id: cli_Id, ...forClient } = named('For a client');
	const stored = { storageID: 'one', number: '+447700900123' };
	const filtered = { pageIndex: 1, pageSize: 5, filter: { sender: 'Nobody' } };
	return {
		'smsCampaign create': [
			['createSmsCampaign', { body: campaign }],
			['createSmsCampaignIgnoringInvalidNumbers', { body: campaign }],
			['createSmsCampaignRejectingInvalidNumbers', { body: campaign }],
		],
		'smsCampaign get': [['getSmsCampaign', { path: { Id } }]],
		'smsCampaign getAll': [['listSmsCampaigns', { query: filtered }]],
		'smsCampaign getContacts': [['listSmsCampaignContacts', { path: { Id } }]],
		'smsCampaign update': [['updateSmsCampaign', { path: { Id }, body: { sender: 'Shop' } }]],
		'smsCampaign postById': [['updateSmsCampaign', { path: { Id } }]],
		'smsMessage send': [
			['sendSmsMessage', { body: { message: 'Hello', phoneNumber: '+447700900123' } }],
		],
		'smsMessage get': [['getSmsMessage', { path: { Id: made.sendSmsMessage } }]],
		'smsMessage getAll': [['listSmsMessages', { query: { pageIndex: 1, pageSize: 5 } }]],
		'voiceCampaign create': [
			['createVoiceCampaign', { body: named('One') }],
			['createVoiceCampaignIgnoringInvalidNumbers', { body: named('Two') }],
			['createVoiceCampaignRejectingInvalidNumbers', { body: named('Three') }],
		],
		'voiceCampaign createForClient': [
			[
				'createVoiceCampaignForClient',
				{ query: { clientId: 1001 }, body: { ...forClient, cli_Id } },
			],
		],
		'voiceCampaign get': [['getVoiceCampaign', { path: { id } }]],
		'voiceCampaign getAll': [['listVoiceCampaigns', { query: { pageSize: 2 } }]],
		'voiceCampaign getAllUnpaged': [['listAllVoiceCampaigns', {}]],
		'voiceCampaign getPhoneNumbers': [
			['listVoiceCampaignPhoneNumbers', { path: { id } }],
			['listVoiceCampaignPhoneNumbersByPage', { path: { id, pageNumber: 1 } }],
			['listVoiceCampaignPhoneNumbersBySize', { path: { id, pageSize: 5, pageNumber: 1 } }],
		],
		'phoneNumberStorage create': [['saveStoredPhoneNumber', { body: stored }]],
		'phoneNumberStorage update': [
			['saveStoredPhoneNumber', { body: { ...stored, parameter1: 'blue' } }],
		],
		'phoneNumberStorage get': [['getStoredPhoneNumber', { path: { storageId: 'one' } }]],
		'phoneNumberStorage getAll': [
			['listStoredPhoneNumbers', { path: { pageSize: 10, pageIndex: 1 } }],
		],
		'phoneNumberStorage postById': [
			['postStoredPhoneNumberById', { path: { storageId: 'one' }, body: { parameter2: 'red' } }],
		],
		'webhook set': [
			['updateWebHook', { query: { url: 'http://127.0.0.1:9/events', clientId: 1001 } }],
		],
		'webhook remove': [['updateWebHook', { query: { url: '', clientId: 1001 } }]],
	};
};

/** Calls every operation; the names of those that were called, and what the filtered list held. */
const callAll = async (client: Client) => {
	const made: Record<string, unknown> = {};
	const called = new Set<string>();
	for (const pair of Object.keys(calls({}))) {
		for (const [operationId, call] of calls(made)[pair] ?? []) {
			const { data, error, response } = await client(operationId, call);
			expect([pair, operationId, response.status, error ?? null]).toEqual([
				pair,
				operationId,
				operationId === 'updateWebHook' ? 204 : 200,
				null,
			]);
			made[operationId] ??= data;
			called.add(operationId);
		}
	}
	return { called, filtered: made.listSmsCampaigns };
};

interface Document {
	paths: Record<string, Record<string, { operationId?: string }>>;
}

const routesOf = ({ paths }: Document) =>
	new Map(
		Object.entries(paths).flatMap(([route, item]) =>
			['get', 'post'].flatMap((method) => {
				const operationId = item[method]?.operationId;
				return operationId === undefined ? [] : [[operationId, { route, method }] as const];
			}),
		),
	);

describe('generated clients', () => {
	let folder: string;
	let document: Document;

	/** Compiles TypeScript with all checks and loads what comes out. */
	const compiled = async (entry: string): Promise<Record<string, unknown>> => {
		await run(
			'typescript/bin/tsc',
			...['--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023,dom'],
			...['--types', 'node', '--skipLibCheck', '--outDir', path.join(folder, 'js')],
			...['--rootDir', folder, path.join(folder, entry)],
		);
		const file = path.join(folder, 'js', entry.replace(/ts$/, 'js'));
		// eslint-disable-next-line @typescript-eslint/no-require-imports -- the file exists only now
		return require(file) as Record<string, unknown>;
	};

	beforeAll(async () => {
		mkdirSync('.local', { recursive: true });
		folder = mkdtempSync(path.resolve('.local', 'clients-'));
		writeFileSync(path.join(folder, 'package.json'), '{}');
		const { data } = await sandbox().api.get<string>('/openapi.yaml', { responseType: 'text' });
		writeFileSync(path.join(folder, 'openapi.yaml'), data);
		document = parse(data, { maxAliasCount: -1 }) as Document;
	});

	afterAll(() => rmSync(folder, { recursive: true }));

	const expectAll = async (client: Client) => {
		const { called, filtered } = await callAll(client);
		expect([...called].sort()).toEqual([...routesOf(document).keys()].sort());
		expect(filtered).toMatchObject({ totalRecords: 0, items: [] });
		// Get Summary makes requests of other operations only.
		const own = Object.keys(endpoints).filter((name) => !name.endsWith(' getSummary'));
		expect(Object.keys(calls({})).sort()).toEqual(own.sort());
	};

	test('@hey-api/openapi-ts runs all 22 operations', async () => {
		const input = path.join(folder, 'openapi.yaml');
		await run('@hey-api/openapi-ts/bin/run.js', '-i', input, '-o', path.join(folder, 'hey'));
		const sdk = (await compiled('hey/index.ts')) as Record<
			string,
			(call: object) => Promise<Outcome>
		>;
		const options = { baseUrl: sandbox().url, headers: { 'X-Api-Key': sandbox().apiKey } };
		await expectAll(async (operationId, call) => {
			const operation = sdk[operationId];
			if (!operation) throw new Error(`The client has no ${operationId}`);
			return await operation({ ...call, ...options });
		});
	});

	test('openapi-typescript and openapi-fetch run all 22 operations', async () => {
		await run(
			'openapi-typescript/bin/cli.js',
			...[path.join(folder, 'openapi.yaml'), '-o', path.join(folder, 'types.ts')],
			...['--redocly', 'sandbox/lint/redocly.yaml'],
		);
		writeFileSync(
			path.join(folder, 'fetch.ts'),
			`import createClient from 'openapi-fetch';
			import type { paths } from './types.js';
			const querySerializer = { object: { style: 'form', explode: true } } as const;
			export const clientOf = (baseUrl: string, apiKey: string) =>
				createClient<paths>({ baseUrl, headers: { 'X-Api-Key': apiKey }, querySerializer });
			export const filtered = (client: ReturnType<typeof clientOf>) =>
				client.GET('/api/Campaigns', { params: { query: { pageSize: 5, filter: { sender: 'Shop' } } } });
			`,
		);
		const { clientOf } = (await compiled('fetch.ts')) as {
			clientOf: (
				url: string,
				apiKey: string,
			) => Record<string, (route: string, options: object) => Promise<Outcome>>;
		};
		const client = clientOf(sandbox().url, sandbox().apiKey);
		const routes = routesOf(document);
		await expectAll(async (operationId, { body, ...params }) => {
			const { route = '', method = '' } = routes.get(operationId) ?? {};
			const call = client[method.toUpperCase()];
			if (!call) throw new Error(`The client has no ${method}`);
			return await call(route, { params, body });
		});
	});
});

test('openapi.yaml and openapi.json are served, with this sandbox as the server', async () => {
	const { data: text } = await sandbox().api.get<string>('/openapi.yaml');
	const { data: json } = await sandbox().api.get<{ servers: unknown }>('/openapi.json');
	expect(parse(text, { maxAliasCount: -1 })).toEqual(json);
	expect(json.servers).toEqual([{ url: sandbox().url }]);
	const file = parse(readFileSync('sandbox/openapi.yaml', 'utf8'), { maxAliasCount: -1 }) as object;
	expect({ ...json, servers: [] }).toEqual({ ...file, servers: [] });
});
