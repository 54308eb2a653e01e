/**
 * The second half of `npm run build`, after the compiler: what it does not copy, and what is
 * generated from the compiled operations. Plain JavaScript, for Node.js 20.
 */
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

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

await copyAssets();
await writeSchemas();
