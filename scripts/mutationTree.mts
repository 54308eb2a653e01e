import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	globSync,
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { changesOf, sourceOf, type Mutation } from './mutations.mts';
import { withSwitches } from './mutationSwitches.mts';

const folder = path.resolve('.local', 'mutation');
/** A copy of the repository in which all mutations are switches. */
export const tree = path.join(folder, 'tree');

/** The files whose code is changed. */
export const sources = globSync(['nodes/**/*.ts', 'credentials/*.ts'])
	.filter((file) => !/\/data\/|returns|schemas\.ts$/.test(file))
	.sort();

/** All mutations; the index is the number of the switch. */
export function makeTree(): Mutation[] {
	rmSync(tree, { recursive: true, force: true });
	mkdirSync(tree, { recursive: true });
	for (const file of copiedFiles()) cpSync(file, path.join(tree, file));
	symlinkSync(path.resolve('node_modules'), path.join(tree, 'node_modules'));
	const mutations: Mutation[] = [];
	for (const file of sources) {
		const source = sourceOf(file);
		writeFileSync(path.join(tree, file), withSwitches(source, mutations.length));
		mutations.push(...changesOf(source).map(({ mutation }) => mutation));
	}
	return mutations;
}

/** Where what was found out about this state of the code is kept. */
export function stateFolder(): string {
	const hash = createHash('sha256');
	for (const file of copiedFiles()) {
		if (/^(nodes|credentials|sandbox|host|test|scripts\/mutation(s|Switches))/.test(file)) {
			hash.update(file).update(readFileSync(file));
		}
	}
	const made = path.join(folder, hash.digest('hex').slice(0, 12));
	mkdirSync(made, { recursive: true });
	return made;
}

/** The code, the tests and what they need, without what is built or local. */
function copiedFiles(): string[] {
	const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
		encoding: 'utf8',
	});
	return files.trim().split('\n').filter(existsSync);
}
