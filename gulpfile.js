/**
 * What the compiler leaves to do for `dist/`: icons and codex files beside the compiled nodes, and
 * what is generated from the compiled operations.
 */
const { mkdir, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { dest, parallel, src } = require('gulp');

/** Icons, codex files and the package's entry point, copied byte for byte. */
function copied() {
	const files = ['nodes/**/*.{svg,node.json}', 'credentials/**/*.svg', 'index.js'];
	return src(files, { base: '.', encoding: false }).pipe(dest('dist'));
}

/** The output schemas that n8n's editor and AI builder read, from the compiled operations. */
async function outputSchemas() {
	const { outputSchemas: schemas } = require('./dist/nodes/MessagingService/schemas.js');
	for (const [name, schema] of Object.entries(schemas())) {
		const file = path.join('dist/nodes/MessagingService/__schema__', name);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, JSON.stringify(schema));
	}
}

exports.assets = parallel(copied, outputSchemas);
exports.clean = () => rm('dist', { recursive: true, force: true });
