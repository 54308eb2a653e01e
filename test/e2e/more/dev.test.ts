import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { N8nClient, type NodeTypeDescription } from '../../../host/n8nClient.ts';
import { localOwner } from '../../../host/localOwner.ts';
import { poll } from '../../../host/poll.ts';
import { copyClone } from '../../support/clone';

const nodeFile = 'nodes/MessagingService/MessagingService.node.ts';
const marker = "displayName: 'Messaging Service',";

/** `npm run dev` in a clone; gives n8n's address when everything is up. */
async function startDev(clone: string): Promise<{ process: ChildProcess; url: string }> {
	const child = spawn(process.execPath, ['host/bootstrap.mjs', 'host/start.ts', '--dev'], {
		cwd: clone,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (data: Buffer) => {
			output += data.toString();
		});
	}
	const url = await poll(
		async () => {
			if (child.exitCode !== null) throw new Error(`npm run dev ended.\n${output}`);
			return await Promise.resolve(/ {2}Next: open (http:\/\/[^/]+)/.exec(output)?.[1]);
		},
		{ what: 'npm run dev to be up', timeout: 240_000 },
	).catch((error: unknown) => {
		throw new Error(`${String(error)}\n${output}`);
	});
	return { process: child, url };
}

describe('npm run dev', () => {
	let folder: string;
	let running: ChildProcess | undefined;

	beforeAll(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'dev-'));
	});

	afterAll(async () => {
		if (running !== undefined && running.exitCode === null) {
			const ended = new Promise((resolve) => running?.once('exit', resolve));
			running.kill('SIGTERM');
			await ended;
		}
		rmSync(folder, { recursive: true, force: true });
	});

	it('shows a saved change in n8n without a restart', async () => {
		copyClone(folder);
		// Each clone makes a password of its own.
		mkdirSync(path.join(folder, '.local'));
		writeFileSync(path.join(folder, '.local', 'owner-password'), localOwner().password);
		const { process: child, url } = await startDev(folder);
		running = child;
		const n8n = new N8nClient(url);
		await n8n.logIn();
		/** Waits until n8n has loaded the node under this name. */
		const isLoadedAs = async (name: string) => {
			const type = 'n8n-nodes-messaging-service.messagingService';
			await poll(
				async () => {
					// n8n writes the file of all node types anew while it serves it: a response may be cut.
					const types: unknown = await n8n.nodeTypes().catch(() => undefined);
					if (!Array.isArray(types)) return undefined;
					const found = (types as NodeTypeDescription[]).find((each) => each.name === type);
					return found?.displayName === name ? true : undefined;
				},
				{ what: `n8n to load the node as "${name}"`, timeout: 120_000 },
			);
		};
		await isLoadedAs('Messaging Service');

		const file = path.join(folder, nodeFile);
		const source = readFileSync(file, 'utf8');
		expect(source).toContain(marker);
		writeFileSync(file, source.replace(marker, "displayName: 'Changed While Running',"));

		await isLoadedAs('Changed While Running');
	}, 600_000);
});
