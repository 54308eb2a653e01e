import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { buildSandbox } from './server.ts';
import { defaultApiKey, defaultTimeZone } from './settings.ts';

const usualPort = 8025;

const help = `The messaging service sandbox: a local stand-in for the service.

Options:
  --port <number>        port to listen on; 0 takes any free one (default ${String(usualPort)}, or a free one if taken)
  --host <address>       address to listen on (default 127.0.0.1)
  --database <file>      keep everything in this SQLite file (default: in memory)
  --api-key <key>        the key that the X-Api-Key header must carry (default ${defaultApiKey})
  --time-zone <name>     zone of times without a zone (default ${defaultTimeZone})
  --rate <number>        seconds of the service's clock per real second; 0 stops it (default 1)
  --validate-responses   turn a response that does not match openapi.yaml into a 500
  --json                 print {"url", "apiKey"} as the first line
  --exit-with-stdin      stop when the standard input ends
  --help                 show this
`;

const known = {
	port: { type: 'string' },
	host: { type: 'string', default: '127.0.0.1' },
	database: { type: 'string' },
	'api-key': { type: 'string', default: defaultApiKey },
	'time-zone': { type: 'string' },
	rate: { type: 'string' },
	'validate-responses': { type: 'boolean', default: false },
	json: { type: 'boolean', default: false },
	'exit-with-stdin': { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
} as const;

const readOptions = () => {
	try {
		return parseArgs({ options: known }).values;
	} catch (error) {
		const [first = ''] = (error as Error).message.split(/[.\n]/);
		console.error(`${first}. See --help.`);
		return process.exit(1);
	}
};

const options = readOptions();

/** The numbers of the options, or what is wrong with an option. */
const checked = ({ rate = '1', port = String(usualPort) }: typeof options) => {
	if (rate.trim() === '' || !(Number(rate) >= 0 && Number(rate) <= 100_000)) {
		throw new Error(`--rate must be a number from 0 to 100000, not '${rate}'.`);
	}
	if (!/^\d+$/.test(port) || Number(port) > 65_535) {
		throw new Error(`--port must be a whole number from 0 to 65535, not '${port}'.`);
	}
	return { port: Number(port), rate: Number(rate) };
};

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

const start = async (): Promise<void> => {
	const { port, rate } = checked(options);
	const { app, service } = await buildSandbox({
		database: options.database,
		apiKey: options['api-key'],
		validateResponses: options['validate-responses'],
		timeZone: options['time-zone'],
	});
	if (options.rate !== undefined) service.clock.setRate(rate);
	const stop = (): void => {
		void app.close().finally(() => process.exit(0));
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	if (options['exit-with-stdin']) process.stdin.once('end', stop).once('error', stop).resume();

	const { host } = options;
	try {
		await app.listen({ host, port });
	} catch (error) {
		if (options.port !== undefined || !isTaken(error)) throw error;
		await app.listen({ host, port: 0 });
	}

	const address = app.server.address() as AddressInfo;
	const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
	const url = `http://${name}:${String(address.port)}`;
	if (options.json) console.log(JSON.stringify({ url, apiKey: options['api-key'] }));
	console.log(
		`Messaging service sandbox on ${url} (header X-Api-Key: ${options['api-key']}). Its page: ${url}/`,
	);
};

if (options.help) console.log(help);
else {
	start().catch((error: unknown) => {
		console.error(
			isTaken(error)
				? `Port ${String(options.port)} is in use. Choose another one, or leave --port out.`
				: (error as Error).message,
		);
		process.exit(1);
	});
}
