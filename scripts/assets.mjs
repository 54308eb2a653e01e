/**
 * The second half of `npm run build`, after the compiler: what it does not copy, what is generated
 * from the compiled operations, and shorter code. Plain JavaScript, for Node.js 20.
 */
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { minify } from 'terser';

const require = createRequire(import.meta.url);

/** Icons and codex files, beside the compiled nodes and credentials. */
async function copyAssets() {
	for (const folder of ['nodes', 'credentials']) {
		for (const name of await readdir(folder, { recursive: true })) {
			if (!/\.(svg|node\.json)$/.test(name)) continue;
			const target = path.join('dist', folder, name);
			await mkdir(path.dirname(target), { recursive: true });
			await copyFile(path.join(folder, name), target);
		}
	}
	await copyFile('index.js', 'dist/index.js');
}

/** The output schemas that n8n's editor and AI builder read, from the compiled operations. */
async function writeSchemas() {
	const schemas = require('../dist/nodes/MessagingService/schemas.js').outputSchemas();
	for (const [name, schema] of Object.entries(schemas)) {
		const file = path.join('dist/nodes/MessagingService/__schema__', name);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, JSON.stringify(schema));
	}
}

/** Shorter code for a small package. Names of functions and classes stay: stack traces show them. */
async function minifyCode() {
	const names = await readdir('dist', { recursive: true });
	for (const name of names.filter((each) => each.endsWith('.js'))) {
		const file = path.join('dist', name);
		const { code } = await minify(await readFile(file, 'utf8'), {
			compress: false,
			mangle: { keep_fnames: true, keep_classnames: true },
			format: { comments: /^!/ },
		});
		await writeFile(file, code ?? '');
	}
}

await copyAssets();
await writeSchemas();
await minifyCode();
