import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const files = ['nodes', 'credentials', 'host', 'sandbox/service'].flatMap((folder) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => path.join(folder, name)),
);

/** The files that a file imports, imports of types included. */
function importsOf(file: string): string[] {
	const text = readFileSync(file, 'utf8');
	return [...text.matchAll(/^(?:import|export)\s[^;]*?from '(\.[^']+)'/gms)].flatMap(
		([, target = '']) => {
			const base = path.join(path.dirname(file), target);
			const names = [base, `${base}.ts`, path.join(base, 'index.ts')];
			return names.filter((name) => name.endsWith('.ts') && existsSync(name));
		},
	);
}

/** The first way from a file back to itself; undefined where there is none. */
function cycleFrom(start: string, graph: ReadonlyMap<string, string[]>): string[] | undefined {
	const seen = new Set<string>();
	const follow = (way: string[]): string[] | undefined => {
		for (const next of graph.get(way.at(-1) ?? '') ?? []) {
			if (next === start) return [...way, next];
			if (seen.has(next)) continue;
			seen.add(next);
			const found = follow([...way, next]);
			if (found !== undefined) return found;
		}
		return undefined;
	};
	return follow([start]);
}

test('no file imports itself, by others or for its types', () => {
	const graph = new Map(files.map((file) => [file, importsOf(file)]));
	expect([...graph.values()].flat().length).toBeGreaterThan(files.length);
	expect(files.flatMap((file) => cycleFrom(file, graph) ?? [])).toEqual([]);
});

/** The folders of the nodes, each above those that it may import. Some are of the same rank. */
const ORDER = [
	['the node files'],
	['execution', 'trigger', 'poll'],
	['methods'],
	['credentials'],
	['resources'],
	['summary'],
	['events'],
	['returns'],
	['recipients/file'],
	['recipients'],
	['policy'],
	['numbers'],
	['parameters'],
	['transport'],
	['json and codes'],
];

const TOP = /(\.node|schemas)\.ts$/;

function folderOf(file: string): string {
	const [, place = file] = /^nodes\/MessagingService\/(.+)$/.exec(file) ?? [];
	const [folder = '', ...rest] = place.split('/');
	if (rest.length === 0) return TOP.test(file) ? 'the node files' : 'json and codes';
	return place.startsWith('recipients/file/') ? 'recipients/file' : folder;
}

test('folders import one way, so that none can be changed by what uses it', () => {
	const rankOf = (folder: string) => ORDER.findIndex((folders) => folders.includes(folder));
	const ofNodes = files.filter((file) => /^(nodes|credentials)\//.test(file));
	expect(ofNodes.filter((file) => rankOf(folderOf(file)) < 0)).toEqual([]);
	const upward = ofNodes.flatMap((file) => {
		const folder = folderOf(file);
		return importsOf(file)
			.filter((target) => folderOf(target) !== folder)
			.filter((target) => rankOf(folderOf(target)) <= rankOf(folder))
			.map((target) => `${file} imports ${target}`);
	});
	expect(upward).toEqual([]);
});
