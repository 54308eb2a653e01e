const path = require('node:path');
const { startHost } = require('../support/hostProcess.cjs');

/** Starts the queue mode stand; its address goes to QUEUE_HOST, unless one is there already. */
module.exports = async function globalSetup() {
	if (process.env.QUEUE_HOST !== undefined) return;
	const file = path.join(__dirname, 'host.mts');
	globalThis.queueHostProcess = await startHost(file, 'QUEUE_HOST');
};
