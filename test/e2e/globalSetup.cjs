const { fork } = require('node:child_process');
const path = require('node:path');

/** Starts what the end-to-end tests share, in a process of its own; its address goes to E2E_HOST. */
module.exports = async function globalSetup() {
	const child = fork(path.join(__dirname, 'host.mts'), ['--report'], {
		execArgv: ['--disable-warning=ExperimentalWarning'],
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const host = await new Promise((resolve, reject) => {
		child.once('message', resolve);
		child.once('error', reject);
		child.once('exit', (code) => {
			reject(new Error(`What the end-to-end tests need did not start (exit code ${code}).`));
		});
	});
	process.env.E2E_HOST = JSON.stringify(host);
	globalThis.e2eHostProcess = child;
};
