/**
 * Lets `require` load the TypeScript of nodes/ and test/support/, as Jest does for the tests:
 *
 *     node --require ./test/bench/typescript.cjs file.ts
 */
const { transformFileSync } = require('@swc/core');
// Deprecated in name only: Node.js keeps it for hooks like this one.
const { extensions } = require;

const { '.json': json } = extensions;
// Extensions are tried in their order: `./X.node` is X.node.ts, not the X.node.json beside it.
delete extensions['.json'];
extensions['.ts'] = (module, filename) => {
	const { code } = transformFileSync(filename, {
		swcrc: false,
		jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
		module: { type: 'commonjs' },
	});
	module._compile(code, filename);
};
extensions['.json'] = json;
