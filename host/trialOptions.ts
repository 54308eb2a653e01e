import { parseArgs } from 'node:util';

/** How n8n and the sandbox are started for people who try the package. */
export interface TrialOptions {
	/** Where n8n is, unless the port is taken. */
	n8nPort: number;
	/** Where the sandbox is, unless the port is taken. */
	sandboxPort: number;
	hasDemo: boolean;
	exitsAfterDemo: boolean;
	/** Whether n8n installs packages that n8n has not verified. */
	allowsPackages: boolean;
}

const known = {
	port: { type: 'string', default: '5678' },
	'sandbox-port': { type: 'string', default: '8025' },
	'no-demo': { type: 'boolean', default: false },
	'exit-after-demo': { type: 'boolean', default: false },
	'allow-packages': { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
} as const;

const helpFor = (
	command: string,
) => `${command}: n8n with this package, the sandbox and the examples.

Options, after --, as in: ${command} -- --port 5700
  --port <number>           port of n8n (default 5678; another one if it is taken)
  --sandbox-port <number>   port of the sandbox (default 8025; another one if it is taken)
  --no-demo                 do not run the demonstration
  --exit-after-demo         stop after the demonstration
  --allow-packages          let n8n install community packages that n8n has not verified
  --help                    show this

Everything is kept in the folder .local. Remove it to start afresh.`;

function readPort(name: string, text: string): number {
	const port = Number(text);
	if (/^\d+$/.test(text) && port > 0 && port <= 65_535) return port;
	throw new Error(`--${name} must be a whole number from 1 to 65535, not '${text}'.`);
}

/**
 * Reads the command line of `npm start` and `npm run start:queue`. Where the user asks for help, or
 * for something that there is not, it is printed and the process ends.
 *
 * @param command what the user has entered
 */
export function readTrialOptions(command: string, args = process.argv.slice(2)): TrialOptions {
	try {
		const { values } = parseArgs({ args, options: known });
		if (values.help) {
			console.log(helpFor(command));
			process.exit(0);
		}
		return {
			n8nPort: readPort('port', values.port),
			sandboxPort: readPort('sandbox-port', values['sandbox-port']),
			hasDemo: !values['no-demo'],
			exitsAfterDemo: values['exit-after-demo'],
			allowsPackages: values['allow-packages'],
		};
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : ''}\n\n${helpFor(command)}`);
		process.exit(2);
	}
}
