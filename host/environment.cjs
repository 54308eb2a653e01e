/**
 * The environments in which npm and n8n run.
 *
 * Plain JavaScript without dependencies: it runs before anything is installed, on Node.js 20 too.
 * A CommonJS module, for Jest loads no others.
 */
const path = require('node:path');

/** npm settings that say how to reach a registry. */
const aboutTheRegistry =
	/^npm_config_(registry|@.+:registry|\/\/.+|cache|ca|cafile|strict_ssl|userconfig|(https?_|no)?proxy|fetch_\w+)$/i;

/**
 * The environment for a nested npm: without what the npm around us has set for itself, except how
 * to reach the registry, and without `NODE_ENV=production`, which would leave out the development
 * packages.
 *
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {NodeJS.ProcessEnv}
 */
exports.npmEnvironment = function npmEnvironment(environment = process.env) {
	return Object.fromEntries(
		Object.entries(environment).filter(
			([name]) => (!/^npm_/i.test(name) || aboutTheRegistry.test(name)) && name !== 'NODE_ENV',
		),
	);
};

/**
 * An environment in which `node` is the given one.
 *
 * @param {string} node the executable
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {NodeJS.ProcessEnv}
 */
exports.withNode = function withNode(node, environment = process.env) {
	const name = Object.keys(environment).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
	return {
		...environment,
		[name]: [path.dirname(node), environment[name]].join(path.delimiter),
	};
};
