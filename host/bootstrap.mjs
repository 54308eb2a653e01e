/**
 * Runs a script of this repository on the Node.js it needs, with the packages it needs:
 *
 *     node host/bootstrap.mjs <script.ts> [arguments...]
 *
 * It brings Node.js 24 from the npm registry where the running one is another, installs the
 * repository's packages where they are missing or out of date, and hands over to the script.
 *
 * Plain JavaScript without dependencies: it runs before anything is installed, on Node.js 20 too.
 */
const runningMajor = Number(process.versions.node.split('.')[0]);
if (runningMajor < 20) {
	console.error(
		`This needs Node.js 20 or later (it gets Node.js 24 by itself); this is ${process.version}.`,
	);
	process.exit(1);
}

const { spawn } = await import('node:child_process');
const fs = await import('node:fs');
const path = (await import('node:path')).default;
const { constants } = await import('node:os');
const { npmEnvironment, withNode } = await import('./environment.cjs');
const { provideNode } = await import('./nodeInstall.mjs');
const { runLogged, withProgress } = await import('./progress.mjs');
const runtime = await import('./runtime.mjs');

const { localFolder, nodeVersion, npmCli, repository } = runtime;

/** @param {string} file */
function packagesIn(file) {
	try {
		/** @type {{ packages?: Record<string, { version?: string, optional?: boolean, devOptional?: boolean }> }} */
		const lock = JSON.parse(fs.readFileSync(file, 'utf8'));
		return lock.packages ?? {};
	} catch {
		return undefined;
	}
}

/**
 * Whether node_modules holds what package-lock.json asks for. npm writes its own record into
 * node_modules as the last thing of an install and removes it first, so an interrupted one shows.
 */
function packagesAreInstalled() {
	const wanted = packagesIn(path.join(repository, 'package-lock.json'));
	const installed = packagesIn(path.join(repository, 'node_modules', '.package-lock.json'));
	if (wanted === undefined || installed === undefined) return false;
	return Object.entries(wanted).every(
		([name, entry]) =>
			name === '' ||
			installed[name]?.version === entry.version ||
			(installed[name] === undefined && (entry.optional === true || entry.devOptional === true)),
	);
}

/** @param {NodeJS.ProcessEnv} environment @param {string} node */
async function installPackages(environment, node) {
	if (packagesAreInstalled()) return;
	const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
	await withProgress(
		"Installing the repository's packages",
		() =>
			runLogged(node, [npmCli(), ...args], {
				cwd: repository,
				env: npmEnvironment(environment),
				logFile: path.join(localFolder, 'logs', 'npm-ci.log'),
			}),
		{ usually: '1 min' },
	);
}

/**
 * Runs the script, passes signals on to it, and ends as it ends.
 *
 * @param {string} node
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} environment
 */
function handOver(node, args, environment) {
	// The channel tells the script when we are gone without a word, killed for example.
	const quiet = ['ExperimentalWarning', 'MODULE_TYPELESS_PACKAGE_JSON'];
	const flags = quiet.map((warning) => `--disable-warning=${warning}`);
	const child = spawn(node, [...flags, ...args], {
		env: environment,
		stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
	});
	/** @type {NodeJS.Signals[]} */
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	for (const signal of signals) {
		process.on(signal, () => {
			// On a terminal, Ctrl-C reaches the script by itself.
			if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
		});
	}
	// npm runs us in a shell that ends without a word when npm is told to end.
	const parent = process.ppid;
	if (process.env.npm_lifecycle_event !== undefined) {
		setInterval(() => {
			if (process.ppid !== parent) child.kill('SIGTERM');
		}, 1000).unref();
	}
	child.once('error', (error) => {
		console.error(error.message);
		process.exit(1);
	});
	child.once('exit', (code, signal) => {
		process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
	});
}

/**
 * What --help shows of a script: its first comment, if that has commands in it, indented. Other scripts
 * have a help of their own.
 *
 * @param {string} file
 */
function helpOf(file) {
	const [, comment = ''] = /^\/\*\*\n([^]*?)\n \*\//.exec(fs.readFileSync(file, 'utf8')) ?? [];
	return comment.includes(' *     npm ') ? comment.replace(/^ \* ?/gm, '') : undefined;
}

const [script, ...args] = process.argv.slice(2);
if (script === undefined) {
	console.error('Usage: node host/bootstrap.mjs <script> [arguments...]');
	process.exit(2);
}
const help = args.includes('--help') ? helpOf(path.resolve(repository, script)) : undefined;
if (help !== undefined) {
	console.log(help);
	process.exit(0);
}

try {
	const node = await provideNode(nodeVersion);
	const environment = { ...withNode(node), npm_execpath: npmCli() };
	await installPackages(environment, node);
	handOver(node, [path.resolve(repository, script), ...args], environment);
} catch (error) {
	console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	process.exit(1);
}
