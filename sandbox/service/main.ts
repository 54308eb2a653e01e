import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { buildSandbox } from './server.ts';
import { apiKey } from './settings.ts';

const help = `The messaging service sandbox: a local stand-in for the service.

Options:
  --port <number>        port to listen on; 0 takes any free one (default 8025)
  --database <file>      keep everything in this SQLite file (default: in memory)
  --json                 print {"url", "apiKey"} as the first line
  --exit-with-stdin      stop when the standard input ends
  --help                 show this
`;

const known = {
	port: { type: 'string', default: '8025' },
	database: { type: 'string' },
	json: { type: 'boolean', default: false },
	'exit-with-stdin': { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
} as const;

const start = async (): Promise<void> => {
	const { values: options } = parseArgs({ options: known });
	if (options.help) {
		console.log(help);
		return;
	}
	const { port, database } = options;
	if (!/^\d+$/.test(port) || Number(port) > 65_535) {
		throw new Error(`--port must be a whole number from 0 to 65535, not '${port}'.`);
	}
	const { app } = await buildSandbox({ database });
	const stop = (): void => {
		void app.close().finally(() => process.exit(0));
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	if (options['exit-with-stdin']) process.stdin.once('end', stop).once('error', stop).resume();

	await app.listen({ host: '127.0.0.1', port: Number(port) });
	const url = `http://127.0.0.1:${String((app.server.address() as AddressInfo).port)}`;
	if (options.json) console.log(JSON.stringify({ url, apiKey }));
	console.log(
		`Messaging service sandbox on ${url} (header X-Api-Key: ${apiKey}). Its page: ${url}/`,
	);
};

start().catch((error: Error & { code?: string; port?: number }) => {
	console.error(
		error.code === 'EADDRINUSE'
			? `Port ${String(error.port)} is in use. Choose another one with --port.`
			: error.message,
	);
	process.exit(1);
});
