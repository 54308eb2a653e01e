// Compiles service/ to dist/: Node.js does not run TypeScript inside node_modules.
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const { service, dist } = {
	service: path.join(import.meta.dirname, 'service'),
	dist: path.join(import.meta.dirname, 'dist'),
};
const compilerOptions = {
	target: ts.ScriptTarget.ES2022,
	module: ts.ModuleKind.ESNext,
	rewriteRelativeImportExtensions: true,
	verbatimModuleSyntax: true,
};

rmSync(dist, { recursive: true, force: true });
for (const file of globSync('**/*', { cwd: service, withFileTypes: true })) {
	if (!file.isFile()) continue;
	const from = path.join(file.parentPath, file.name);
	const to = path.join(dist, path.relative(service, from));
	mkdirSync(path.dirname(to), { recursive: true });
	if (file.name.endsWith('.ts')) {
		const { outputText } = ts.transpileModule(readFileSync(from, 'utf8'), { compilerOptions });
		writeFileSync(to.replace(/ts$/, 'js'), outputText);
	} else cpSync(from, to);
}
