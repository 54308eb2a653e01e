import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { outputSchemas } from '../../nodes/MessagingService/schemas';
import { credentialType, nodeTypes } from '../../host/workflows.ts';
import { host, loggedIn } from './support/host.ts';

const packedFiles = () =>
	execFileSync('tar', ['-tzf', host().tarball], { encoding: 'utf8' }).trim().split('\n');

const packedText = (...names: string[]) =>
	execFileSync('tar', ['-xzOf', host().tarball, ...names], { encoding: 'utf8' });

describe('the packed package', () => {
	const manifest = () => JSON.parse(packedText('package/package.json')) as Record<string, unknown>;

	it('has no dependencies, and imports only what n8n provides', () => {
		const kinds = Object.keys(manifest()).filter((key) => /dependencies/i.test(key));
		expect(kinds.sort()).toEqual(['devDependencies', 'peerDependencies']);
		expect(manifest().peerDependencies).toEqual({ 'n8n-workflow': '*' });
		const code = packedText(...packedFiles().filter((name) => name.endsWith('.js')));
		const imported = [...code.matchAll(/\b(?:require|import)\(\s*([^)]*?)\s*\)/g)]
			.map(([, what = '']) => what.replace(/^["']|["']$/g, ''))
			.filter((name) => !name.startsWith('.'));
		expect(imported).not.toEqual([]);
		expect([...new Set(imported)].sort()).toEqual(['crypto', 'lodash', 'luxon', 'n8n-workflow']);
		expect(code).not.toMatch(/\beval\(|\bnew Function\(|\bprocess\.\w|\bglobalThis\b/);
	});

	it('runs nothing when it is installed', () => {
		const scripts = Object.keys((manifest().scripts ?? {}) as object);
		expect(scripts.filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
		expect(packedFiles()).not.toContain('package/binding.gyp');
	});

	it('holds dist, README, LICENSE, NOTICE and package.json, and nothing else', () => {
		const beyondDist = packedFiles().filter((name) => !name.startsWith('package/dist/'));
		expect(beyondDist.sort()).toEqual([
			'package/LICENSE',
			'package/NOTICE',
			'package/README.md',
			'package/package.json',
		]);
	});

	it('has compiled code, icons, codex files and output schemas in dist, and no sources, tests or maps', () => {
		const extensions = packedFiles()
			.filter((name) => name.startsWith('package/dist/'))
			.map((name) => name.replace(/^.*?(\.node\.json|\.[a-z]+)$/, '$1'));
		expect([...new Set(extensions)].sort()).toEqual(['.js', '.json', '.node.json', '.svg']);
	});

	it('has no code that n8n never loads', () => {
		const { n8n } = manifest() as { n8n: { nodes: string[]; credentials: string[] } };
		const packed = new Set(packedFiles().filter((name) => name.endsWith('.js')));
		const reached = new Set<string>();
		function follow(file: string): void {
			if (reached.has(file) || !packed.has(file)) return;
			reached.add(file);
			for (const [, name = ''] of packedText(file).matchAll(/\brequire\(["'](\.[^"']+)["']\)/g)) {
				const target = path.posix.join(path.posix.dirname(file), name);
				follow(`${target}.js`);
				follow(`${target}/index.js`);
			}
		}
		for (const file of [...n8n.nodes, ...n8n.credentials, 'dist/index.js'])
			follow(`package/${file}`);
		const unreached = [...packed].filter((name) => !reached.has(name));
		// Of a module with nothing but types, the compiler leaves an empty one.
		const withCode = unreached.filter((name) => packedText(name).includes('exports.'));
		expect(withCode).toEqual([]);
	});

	it('is smaller than 240 kB', () => {
		expect(statSync(host().tarball).size).toBeLessThan(240_000);
	});
});

describe('the installed package in n8n', () => {
	it.each(Object.entries(outputSchemas()))('serves the output schema %s', async (name, schema) => {
		const [version = '', ...operation] = name.replace(/^v|\.json$/g, '').split('/');
		const { action, trigger, pollTrigger } = nodeTypes;
		const triggers: Record<string, string> = { '1.0.0': pollTrigger, '2.0.0': trigger };
		const type = operation.length > 0 ? action : triggers[version];
		const path = ['schemas', type, version, ...operation].join('/');
		const response = await fetch(`${host().n8nUrl}/${path}.json`);
		expect(await response.json()).toEqual(schema);
	});

	it("gets what it imports from n8n itself, not from this repository's own packages", () => {
		const nodes = path.join(host().folder, 'n8n', '.n8n', 'nodes', 'node_modules');
		const installed = createRequire(path.join(nodes, 'n8n-nodes-messaging-service', 'index.js'));
		for (const name of ['n8n-workflow', 'luxon', 'lodash']) {
			expect(installed.resolve(name)).toContain(realpathSync(host().installation.folder));
		}
	});

	it('loads both nodes, with icons for both themes', async () => {
		const n8n = await loggedIn();
		const ours = (await n8n.nodeTypes()).filter(({ name }) =>
			name.startsWith('n8n-nodes-messaging-service.'),
		);
		const action = ours.find(({ name }) => name === nodeTypes.action);
		const trigger = ours.find(({ name }) => name === nodeTypes.trigger);
		expect(action?.displayName).toBe('Messaging Service');
		expect(trigger?.displayName).toBe('Messaging Service Trigger');
		for (const node of [action, trigger]) {
			expect(node?.iconUrl).toEqual({
				light: expect.stringMatching(/\.svg$/) as string,
				dark: expect.stringMatching(/\.svg$/) as string,
			});
		}
	});

	it('offers the action node as a tool for AI agents too', async () => {
		const n8n = await loggedIn();
		const names = (await n8n.nodeTypes()).map(({ name }) => name);
		expect(names).toContain(`${nodeTypes.action}Tool`);
	});

	it('loads the credential', async () => {
		const n8n = await loggedIn();
		const types = await n8n.credentialTypes();
		expect(types.find(({ name }) => name === credentialType)?.displayName).toBe(
			'Messaging Service API',
		);
	});

	it('was loaded without a complaint in the log of n8n', () => {
		const complaints = readFileSync(host().n8nLog, 'utf8')
			.split('\n')
			.filter((line) => /cannot find module|error loading|failed to load/i.test(line));
		expect(complaints).toEqual([]);
	});
});
