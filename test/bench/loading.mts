import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../../host/runtime.mjs';

/** The credentials and nodes of a built package, by their names: the starter's manifest names one wrong. */
function filesOf(folder: string): string[] {
	const dist = path.join(folder, 'dist');
	return readdirSync(dist, { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.(credentials|node)\.js$/.test(file))
		.map((file) => path.join(dist, file));
}

/**
 * Milliseconds that a fresh Node.js takes to load a built package and to make its nodes and
 * credentials, as n8n does when it starts.
 *
 * @param folder of the package
 * @param alreadyLoaded modules that do not count
 */
function loadTime(folder: string, alreadyLoaded: readonly string[]): number {
	const script = `
		const ofPackage = require('node:module').createRequire(${JSON.stringify(path.join(folder, 'package.json'))});
		for (const name of ${JSON.stringify(alreadyLoaded)}) ofPackage(name);
		const started = process.hrtime.bigint();
		for (const file of ${JSON.stringify(filesOf(folder))})
			for (const Type of Object.values(require(file))) if (typeof Type === 'function') new Type();
		console.log(Number(process.hrtime.bigint() - started) / 1e6);`;
	const output = execFileSync(process.execPath, ['-e', script], {
		cwd: repository,
		env: { ...process.env, NODE_PATH: path.join(repository, 'node_modules') },
	});
	return Number(output.toString());
}

/** How long our package and the starter take to load, round by round, in milliseconds. */
export interface Loading {
	/** In a fresh Node.js. */
	fresh: { ours: number[]; starter: number[] };
	/** Where what n8n has loaded anyway is there already. */
	inN8n: { ours: number[]; starter: number[] };
}

/** Loads our installed package and n8n-nodes-starter in turns. */
export function measureLoading(installed: string, rounds: number): Loading {
	const starter = path.join(repository, 'node_modules', 'n8n-nodes-starter');
	const ofN8n = ['n8n-workflow', 'luxon', 'lodash/get', 'lodash/isEqual'];
	const loading: Loading = { fresh: { ours: [], starter: [] }, inN8n: { ours: [], starter: [] } };
	for (let round = 0; round < rounds; round++) {
		loading.fresh.ours.push(loadTime(installed, []));
		loading.fresh.starter.push(loadTime(starter, []));
		loading.inN8n.ours.push(loadTime(installed, ofN8n));
		loading.inN8n.starter.push(loadTime(starter, ofN8n));
	}
	return loading;
}
