/**
 * `npm start`: a real n8n with the package as users install it, beside the sandbox.
 * `npm run dev` (`--dev`) is the same without the demonstration: every save of a source is compiled,
 * and n8n loads the nodes again.
 *
 * Everything this clone keeps is in `.local`: remove it to start afresh.
 */
import path from 'node:path';
import { installN8n } from './n8nInstall.ts';
import { startN8n } from './n8nProcess.ts';
import { installPackage, installedPackage, packPackage } from './packageTarball.ts';
import { withProgress } from './progress.mjs';
import { localFolder, repository } from './runtime.mjs';
import { startServer, type Server } from './server.ts';
import { runTrial } from './trial.ts';
import { readTrialOptions } from './trialOptions.ts';

const isDevelopment = process.argv.includes('--dev');
const options = readTrialOptions(
	isDevelopment ? 'npm run dev' : 'npm start',
	process.argv.slice(2).filter((word) => word !== '--dev'),
);
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
	options: { ...options, hasDemo: options.hasDemo && !isDevelopment },
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
					preferredPort: options.n8nPort,
					environment: {
						// n8n's own would be New York.
						GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
						...(isDevelopment ? { N8N_DEV_RELOAD: 'true' } : { NODE_ENV: 'production' }),
						...(options.allowsPackages ? { N8N_UNVERIFIED_PACKAGES_ENABLED: 'true' } : {}),
					},
				}),
			{ usually: '15 s' },
		);
		watch(server);
		if (isDevelopment) watch(startCompiler());
		return url;
	},
});
