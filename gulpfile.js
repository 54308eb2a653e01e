const { mkdir, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { dest, parallel, src } = require('gulp');

/** Icons and codex files, which tsc does not copy, beside the compiled nodes and credentials. */
function nodeAssets() {
	return src(['nodes/**/*.{svg,node.json}', 'credentials/**/*.svg'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));
}

/** The output schemas that n8n's editor and AI builder read, from the compiled operations. */
async function outputSchemas() {
	const { outputSchemas: schemas } = require('./dist/nodes/MessagingService/returns/schemas.js');
	for (const [name, schema] of Object.entries(schemas())) {
		const file = path.join('dist/nodes/MessagingService/__schema__', name);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, JSON.stringify(schema));
	}
}

/** The package's entry point. */
function entryPoint() {
	return src('index.js').pipe(dest('dist'));
}

/** Removes what the build made. */
function clean() {
	return rm('dist', { recursive: true, force: true });
}

exports.assets = parallel(nodeAssets, entryPoint, outputSchemas);
exports.clean = clean;
