const { stopHost } = require('../support/hostProcess.cjs');

/** Stops what globalSetup.cjs has started. */
module.exports = async function globalTeardown() {
	await stopHost(globalThis.e2eHostProcess);
};
