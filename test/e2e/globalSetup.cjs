const path = require('node:path');
const { startHost } = require('../support/hostProcess.cjs');

/** Starts what the end-to-end tests share; its address goes to E2E_HOST. */
module.exports = async function globalSetup() {
	globalThis.e2eHostProcess = await startHost(path.join(__dirname, 'host.mts'), 'E2E_HOST');
};
