const { fork } = require('node:child_process');

/**
 * Runs what the tests of a project share (its host.mts) in a process of its own; its description goes
 * to E2E_HOST, unless that holds one that was started by hand.
 */
module.exports = async function globalSetup(_globalConfig, { globals }) {
	if (process.env.E2E_HOST !== undefined) return;
	const child = fork(globals.hostFile, ['--report'], {
		execArgv: ['--disable-warning=ExperimentalWarning'],
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const description = await new Promise((resolve, reject) => {
		child.once('message', resolve);
		child.once('error', reject);
		child.once('exit', (code) => {
			reject(new Error(`What the tests share did not start (exit code ${code}).`));
		});
	});
	process.env.E2E_HOST = JSON.stringify(description);
	globalThis.testHost = child;
};
