const { mkdir, readdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { dest, parallel, series, src } = require('gulp');
const { minify } = require('terser');

/** Icons and codex files, which tsc does not copy, beside the compiled nodes and credentials. */
function nodeAssets() {
	return src(['nodes/**/*.{svg,node.json}', 'credentials/**/*.svg'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));
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

/** The package's entry point. */
function entryPoint() {
	return src('index.js').pipe(dest('dist'));
}

/** Shorter code for a small package. Names of functions and classes stay: stack traces show them. */
async function minified() {
	const names = await readdir('dist', { recursive: true });
	for (const name of names.filter((each) => each.endsWith('.js'))) {
		const file = path.join('dist', name);
		const { code } = await minify(await readFile(file, 'utf8'), {
			compress: false,
			mangle: { keep_fnames: true, keep_classnames: true },
			format: { comments: /^!/ },
		});
		await writeFile(file, code);
	}
}

/** Removes what the build made. */
function clean() {
	return rm('dist', { recursive: true, force: true });
}

exports.assets = series(parallel(nodeAssets, entryPoint, outputSchemas), minified);
exports.clean = clean;
