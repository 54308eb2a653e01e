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
