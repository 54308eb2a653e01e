const { rm } = require('node:fs/promises');
const { dest, parallel, src } = require('gulp');

/** Icons and codex files, which tsc does not copy, beside the compiled nodes and credentials. */
function nodeAssets() {
	return src(['nodes/**/*.{svg,node.json}', 'credentials/**/*.svg'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));
}

/** The package's entry point. */
function entryPoint() {
	return src('index.js').pipe(dest('dist'));
}

/** Removes what the build made. */
function clean() {
	return rm('dist', { recursive: true, force: true });
}

exports.assets = parallel(nodeAssets, entryPoint);
exports.clean = clean;
