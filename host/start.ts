/**
 * `npm start`: a real n8n with the package as users install it, beside the sandbox.
 *
 *     npm start -- [--no-demo] [--exit-after-demo]
 *     npm run dev
 *
 * Everything this clone keeps is in `.local`: remove it to start afresh. For development (`--dev`),
 * every save of a source is compiled and n8n loads the nodes again.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installN8n } from './n8nInstall.ts';
import { startN8n } from './n8nProcess.ts';
import { installPackage, installedPackage, packPackage } from './packageTarball.ts';
import { withProgress } from './progress.mjs';
import { localFolder, repository } from './runtime.mjs';
import { startServer, type Server } from './server.ts';
import { demoOptions, runTrial, usualN8nPort } from './trial.ts';

const { values: flags } = parseArgs({
	options: { ...demoOptions, dev: { type: 'boolean', default: false } },
});
const userFolder = path.join(localFolder, 'n8n');
const log = (name: string) => path.join(localFolder, 'logs', `${name}.log`);

/** Compiles the installed package's sources on every save. */
function startCompiler(): Server {
	const server = startServer({
		name: 'The compiler',
		args: [
			path.join(repository, 'node_modules', 'typescript', 'bin', 'tsc'),
			...['-p', 'tsconfig.json', '--watch', '--preserveWatchOutput'],
			...['--outDir', path.join(installedPackage(userFolder), 'dist')],
		],
		cwd: repository,
		env: process.env,
		logFile: log('compiler'),
		stdout: 'pipe',
	});
	server.process.stdout?.pipe(process.stdout);
	return server;
}

await runTrial({
	name: 'start',
	home: localFolder,
	demo: { ...flags, 'no-demo': flags['no-demo'] || flags.dev },
	startN8n: async (watch) => {
		const installation = await installN8n();
		const tarball = await packPackage(localFolder);
		await installPackage(tarball, userFolder, installation);
		const { url, server } = await withProgress(
			`Starting n8n ${installation.version}`,
			async () =>
				await startN8n({
					installation,
					userFolder,
					logFile: log('n8n'),
					preferredPort: usualN8nPort,
					environment: flags.dev ? { N8N_DEV_RELOAD: 'true' } : {},
				}),
			{ usually: '15 s' },
		);
		watch(server);
		if (flags.dev) watch(startCompiler());
		return url;
	},
});
