import { copyFileSync, existsSync, mkdirSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { repository } from './runtime.mjs';
import { startServer, type Server } from './server.ts';

const sources = ['nodes', 'credentials'];
/** What the compiler does not copy; `scripts/assets.mjs` does in the build. */
const isAsset = (file: string) => /\.(svg|json)$/.test(file);

/**
 * Keeps an installed copy of the package up to date with this clone: compiles on every save, and
 * copies icons and codex files. n8n reloads what it finds changed there (`N8N_DEV_RELOAD`).
 *
 * @param installed the folder of the installed package
 */
export function startDevBuild(installed: string, logFile: string): Server {
	const watchers = sources.map((name): FSWatcher => {
		return watch(path.join(repository, name), { recursive: true }, (_event, file) => {
			if (file === null || !isAsset(file)) return;
			const source = path.join(repository, name, file);
			const target = path.join(installed, 'dist', name, file);
			if (!existsSync(source)) return;
			mkdirSync(path.dirname(target), { recursive: true });
			copyFileSync(source, target);
		});
	});
	const compiler = path.join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
	const server = startServer({
		name: 'The compiler',
		args: [
			...[compiler, '-p', 'tsconfig.json', '--watch', '--preserveWatchOutput'],
			...['--outDir', path.join(installed, 'dist')],
		],
		cwd: repository,
		env: process.env,
		logFile,
		stdout: 'pipe',
	});
	server.process.stdout?.pipe(process.stdout);
	void server.ended.then(() => {
		for (const watcher of watchers) watcher.close();
	});
	return server;
}
